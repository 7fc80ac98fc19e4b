import type { Feature } from '../http/feature.js';

export const ENDPOINT_SCHEMA_PATH = '/endpoint/schema.json';

/** `chartgraph load` reads FHIR; a container itself only serves the schema of Endpoint resources. */
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
