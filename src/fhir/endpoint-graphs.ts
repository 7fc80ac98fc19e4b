import { endpointIri, endpointToRdf, type Endpoint } from './endpoint/endpoint.js';
import { validateEndpoint } from './endpoint/rules/validate-endpoint.js';
import type { NamedGraph } from '../store/graph-store.js';
import type { FhirProblem, FhirResource } from './fhir-resources.js';

/** Makes the graphs of the Endpoints among resources: an Endpoint belongs to no record and is stored as FHIR's RDF. */
export function endpointGraphs(resources: readonly FhirResource[]): {
  graphs: NamedGraph[];
  problems: FhirProblem[];
} {
  const graphs = new Map<string, NamedGraph>();
  const problems: FhirProblem[] = [];
  for (const { type, value, place, isDeleted } of resources) {
    if (type !== 'Endpoint' || isDeleted) continue;
    const found = validateEndpoint(value).filter(({ severity }) => severity === 'error');
    for (const { pointer, message } of found)
      problems.push({ line: null, reason: `${[place, pointer].filter(Boolean).join(' ')}: ${message}` });
    if (found.length > 0) continue;
    const endpoint = value as unknown as Endpoint;
    if (endpoint.id === undefined) {
      problems.push({
        line: null,
        reason: `${place}: The endpoint has no id, after which its graph would be named.`,
      });
      continue;
    }
    const name = endpointIri(endpoint.id);
    graphs.set(name, { name, quads: endpointToRdf(endpoint) });
  }
  return { graphs: [...graphs.values()], problems };
}
