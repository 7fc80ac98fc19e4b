import { patientEverything, smartSecurity } from '../../rdf/vocabulary.js';
import type { CallModel, Ontology } from '../../model/ontology/model.js';
import type { Site } from '../../http/app-parts.js';
import { SMART } from '../smart/smart-provider.js';
import { BINARY } from './fhir-parts.js';
import { sortable } from './read-search.js';
import { definitionsOf } from './search-definitions.js';

export interface Served {
  readonly site: Pick<Site, 'base' | 'name' | 'description'>;
  readonly version: string;
  readonly ontology: Pick<Ontology, 'classes'>;
  /** The calls whose statements are made into resources, by type. */
  readonly types: ReadonlyMap<string, readonly CallModel[]>;
  /** Whether apps come in by SMART App Launch. */
  readonly smart: boolean;
}

/** The day on which this process began to serve what the statement says. */
const DATE = new Date().toISOString().slice(0, 10);

/** Makes the CapabilityStatement of R4: what the export queries make, and how it is searched. */
export function capabilityStatement({ site, version, ontology, types, smart }: Served): string {
  const { base, name, description } = site;
  const interactions = (type: string): object[] =>
    (type === BINARY ? ['read'] : ['read', 'vread', 'history-instance', 'search-type']).map((code) => ({
      code,
    }));
  const labels = (calls: readonly CallModel[]): string =>
    calls.map(({ target, label }) => ontology.classes.get(target)?.plural ?? label).join(', ');
  const resource = [...types].sort().map(([type, calls]) => {
    if (type === BINARY)
      return { type, documentation: `The files of ${labels(calls)}.`, interaction: interactions(type) };
    const definitions = [...definitionsOf(type).values()];
    const references = definitions.filter((each) => each.type === 'reference');
    return {
      type,
      documentation: `Made of: ${labels(calls)}. Sorts by ${sortable(type).join(', ')}.`,
      interaction: interactions(type),
      versioning: 'versioned',
      readHistory: true,
      conditionalRead: 'not-match',
      searchInclude: references.map((each) => `${type}:${each.name}`),
      searchParam: [
        { name: '_id', type: 'token' },
        { name: '_lastUpdated', type: 'date' },
        ...definitions.map((each) => ({ name: each.name, type: each.type })),
      ],
      ...(type === 'Patient' && {
        operation: [{ name: 'everything', definition: patientEverything }],
      }),
    };
  });
  return JSON.stringify({
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: DATE,
    kind: 'instance',
    software: { name: 'Chartgraph', version },
    implementation: { description: description || name, url: `${base}/fhir` },
    fhirVersion: '4.0.1',
    format: ['application/fhir+json', 'json'],
    rest: [
      {
        mode: 'server',
        security: {
          cors: true,
          ...(smart && smartService(base + SMART)),
          description:
            'A bearer token of an app, or a signature by OAuth 1.0a, for one record; what the app may read is what its manifest lists under requires.',
        },
        resource,
      },
    ],
  });
}

/** Says where apps ask for access. */
function smartService(at: string): object {
  const names = ['authorize', 'token', 'introspect', 'revoke'];
  const extension = names.map((name) => ({ url: name, valueUri: `${at}/${name}` }));
  return {
    extension: [{ url: smartSecurity.addresses, extension }],
    service: [{ coding: [{ system: smartSecurity.service, code: 'SMART-on-FHIR' }] }],
  };
}
