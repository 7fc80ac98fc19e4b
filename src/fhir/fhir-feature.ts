import type { Feature } from '../http/feature.js';

export const ENDPOINT_SCHEMA_PATH = '/endpoint/schema.json';

/** FHIR comes in by `chartgraph load`; a container itself serves the schema of Endpoint resources. */
export const fhir: Feature = {
  descriptions: () => [
    {
      path: ENDPOINT_SCHEMA_PATH,
      representations: [
        {
          mediaType: 'application/schema+json',
          make: async () => ({ body: (await import('./endpoint/schema.js')).endpointSchemaText }),
        },
      ],
    },
  ],
};
