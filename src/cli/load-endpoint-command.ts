import { createReadStream } from 'node:fs';
import { checkDocuments, type CheckedResource } from '../fhir/endpoint/reading/input-documents.js';
import { endpointIri, endpointToRdf, type Endpoint } from '../fhir/endpoint/endpoint.js';
import type { FileReport } from '../records/load-file.js';
import type { NamedGraph } from '../store/graph-store.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { lineOf } from './command-errors.js';

type Fault = FileReport['errors'][number];

/**
 * Loads the endpoints of a file (one, a Bundle or NDJSON), all or none. Each replaces the graph
 * `urn:chartgraph:endpoint:{id}`. Other resources are skipped with a warning.
 * @param strict refuse the file for warnings too
 */
export async function loadEndpointFile(
  path: string,
  primary: PrimaryStore,
  strict: boolean,
): Promise<FileReport & { endpoints: number }> {
  const found = await readGraphs(path);
  const errors = strict ? [...found.errors, ...found.warnings] : found.errors;
  const graphs = errors.length === 0 ? found.graphs : [];
  const revisions = (): string => graphs.map(({ name }) => primary.revision(name)).join();
  const before = revisions();
  const none = { record_id: null, records: [], statements: 0, notes: [], removed: 0 };
  let status: FileReport['status'] = 'refused';
  if (errors.length === 0) {
    await primary.write({ replace: graphs });
    status = revisions() === before ? 'unchanged' : 'loaded';
  }
  return {
    file: path,
    ...none,
    quads: graphs.reduce((sum, { quads }) => sum + quads.length, 0),
    endpoints: graphs.length,
    status,
    errors,
    warnings: strict ? [] : found.warnings,
  };
}

async function readGraphs(
  path: string,
): Promise<{ errors: Fault[]; warnings: Fault[]; graphs: NamedGraph[] }> {
  const errors: Fault[] = [];
  const warnings: Fault[] = [];
  const graphs = new Map<string, NamedGraph>();
  let others = 0;
  try {
    for await (const resource of checkDocuments(createReadStream(path) as AsyncIterable<Buffer>)) {
      if (resource.skipped) others++;
      for (const { severity, pointer, message } of resource.problems)
        (severity === 'error' ? errors : warnings).push(faultOf(resource, message, pointer));
      const isValid = !resource.skipped && resource.problems.every(({ severity }) => severity === 'warning');
      if (!isValid) continue;
      const endpoint = resource.value as Endpoint;
      const { id } = endpoint;
      const name = endpointIri(id ?? '');
      if (id === undefined)
        errors.push(faultOf(resource, 'The endpoint has no id, after which its graph would be named.'));
      else if (graphs.has(name))
        errors.push(faultOf(resource, `Two endpoints have the id ${JSON.stringify(id)}.`));
      else graphs.set(name, { name, quads: endpointToRdf(endpoint) });
    }
  } catch (error) {
    errors.push({ line: null, reason: lineOf(error) });
  }
  if (graphs.size === 0 && errors.length === 0)
    errors.push({ line: null, reason: 'There is no Endpoint in the file.' });
  if (others > 0)
    warnings.push({ line: null, reason: `${others} resources are no Endpoint and were left out.` });
  return { errors, warnings, graphs: [...graphs.values()] };
}

function faultOf({ kind, index }: CheckedResource, message: string, pointer = ''): Fault {
  const place = [kind === 'entry' ? `entry ${index}` : '', pointer].filter(Boolean).join(' ');
  return {
    line: kind === 'line' ? index + 1 : null,
    reason: place === '' ? message : `${place}: ${message}`,
  };
}
