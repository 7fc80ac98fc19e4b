import type { AppParts } from '../http/app-parts.js';
import type { Feature } from '../http/feature.js';
import { mappingFolders } from './mapping.js';
import { FHIR, FhirParts } from './rest/fhir-parts.js';
import { fhirRoutes } from './rest/fhir-routes.js';
import { MadeResources } from './rest/made-resources.js';
import { problemOutcome } from './rest/operation-outcome.js';
import { openPaths, smartRoutes } from './smart/smart-routes.js';

export const ENDPOINT_SCHEMA_PATH = '/endpoint/schema.json';

/** The share of the cache of answers that resources may take besides. */
const CACHE_SHARE = 0.5;

const madeBy = new WeakMap<AppParts['program'], MadeResources>();

/** Returns the resources of a container, which its routes share. */
function madeOf(app: AppParts): MadeResources {
  const { settings, program, queue, log, site } = app;
  const known = madeBy.get(program);
  if (known) return known;
  const { ontology, queries } = settings;
  const made = new MadeResources({
    ...{ ontology: program.ontology, queue, log },
    folders: { base: site.base, ontology, queries, mapping: mappingFolders(queries) },
    cacheBytes: Math.floor(settings.cacheBytes * CACHE_SHARE),
  });
  app.onClose(() => made.close());
  madeBy.set(program, made);
  return made;
}

/** FHIR R4 of records, as far as export queries make it; and the schema of Endpoint resources. `chartgraph load` reads FHIR. */
export const fhir: Feature = {
  problem: (path, problem) =>
    path === FHIR || path.startsWith(`${FHIR}/`) ? problemOutcome(problem) : undefined,

  isOpen: (path) => openPaths.has(path),

  prepare({ smart, fhir: isOn }) {
    if (smart && !isOn) throw new Error('--smart on needs --fhir on: what apps get access to is FHIR.');
    return Promise.resolve(undefined);
  },

  beside({ settings, log }) {
    if (settings.smart && Number(process.versions.node.split('.')[0]) < 22)
      log.warn('SMART App Launch runs on a library that is tested with Node.js 22 or later: update Node.js.');
    return Promise.resolve(() => undefined);
  },

  typesOf: (app) => (call) => (app.settings.fhir ? madeOf(app).typesOf(call) : Promise.resolve([])),

  routes(app) {
    const { settings } = app;
    if (!settings.fhir) return [];
    const parts = new FhirParts(app, madeOf(app));
    return [...fhirRoutes(parts), ...(settings.smart ? smartRoutes(parts) : [])];
  },

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
