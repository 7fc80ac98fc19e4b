import { createReadStream } from 'node:fs';
import { checkDocuments, type CheckedResource } from '../endpoint/reading/check-documents.js';
import { endpointIri, endpointToRdf, type Endpoint } from '../endpoint/endpoint.js';
import type { FileReport } from '../records/load-file.js';
import type { NamedGraph } from '../store/graph-store.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { lineOf } from './command-errors.js';

/** What is wrong with a file, or to be looked at; as `FileReport` has it. */
type Fault = FileReport['errors'][number];

/**
 * Loads the endpoints of a file (one, a Bundle or NDJSON), all or none: each becomes the graph
 * `urn:chartgraph:endpoint:{id}`, in place of one that is there. Other resources are left out with a warning.
 * @param strict refuse the file for warnings too
 */
export async function loadEndpointFile({
  path,
  primary,
  strict = false,
}: {
  path: string;
  primary: PrimaryStore;
  strict?: boolean | undefined;
}): Promise<FileReport & { endpoints: number }> {
  const read = await readGraphs(path);
  const { errors, warnings, graphs } = read;
  const refused = errors.length > 0 || (strict && warnings.length > 0);
  const base = { file: path, record_id: null, records: [], statements: 0, notes: [], removed: 0 };
  if (refused)
    return {
      ...base,
      quads: 0,
      endpoints: 0,
      status: 'refused',
      errors: [...errors, ...(strict ? warnings : [])],
      warnings: strict ? [] : warnings,
    };
  const revisions = (): string => graphs.map(({ name }) => primary.revision(name)).join();
  const before = revisions();
  await primary.write({ replace: graphs });
  return {
    ...base,
    quads: graphs.reduce((sum, { quads }) => sum + quads.length, 0),
    endpoints: graphs.length,
    status: revisions() === before ? 'unchanged' : 'loaded',
    errors,
    warnings,
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
      for (const { severity, pointer, message } of resource.problems) {
        const reason = [placeOf(resource), pointer].filter(Boolean).join(' ');
        const fault = {
          line: lineOfResource(resource),
          reason: reason === '' ? message : `${reason}: ${message}`,
        };
        (severity === 'error' ? errors : warnings).push(fault);
      }
      const isValid = !resource.skipped && resource.problems.every(({ severity }) => severity === 'warning');
      if (!isValid) continue;
      const refusal = add(resource.value as Endpoint, graphs);
      if (refusal !== undefined)
        errors.push({
          line: lineOfResource(resource),
          reason: [placeOf(resource), refusal].filter(Boolean).join(': '),
        });
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

/** Puts the graph of an endpoint to the others, or says why there can be none. */
function add(endpoint: Endpoint, graphs: Map<string, NamedGraph>): string | undefined {
  if (endpoint.id === undefined) return 'The endpoint has no id, after which its graph would be named.';
  const name = endpointIri(endpoint.id);
  if (graphs.has(name)) return `Two endpoints have the id ${JSON.stringify(endpoint.id)}.`;
  graphs.set(name, { name, quads: endpointToRdf(endpoint) });
  return undefined;
}

function placeOf({ kind, index }: CheckedResource): string {
  return kind === 'entry' ? `entry ${index}` : '';
}

function lineOfResource({ kind, index }: CheckedResource): number | null {
  return kind === 'line' ? index + 1 : null;
}
