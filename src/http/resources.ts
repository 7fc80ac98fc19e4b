import type { CallModel, Ontology } from '../ontology/model.js';
import { Problem } from '../problem.js';
import type { QueryTemplate } from '../query/template.js';
import type { AllowedCall } from './calls.js';
import type { ContainerContext } from './container-context.js';

/** The query of a call; the check at start has made sure that there is one. */
export function queryOf({ queries }: ContainerContext, call: CallModel): QueryTemplate {
  const query = queries.get(call.name);
  if (!query) throw new Error(`${call.name} has no query`);
  return query;
}

/** The GET call whose query reads what a call writes: of the same path, else of one instance of the same class. */
export function readingCall({ calls }: Ontology, { path, target }: CallModel): CallModel {
  const reads = calls.filter(({ method, cardinality }) => method === 'GET' && cardinality === 'single');
  const found = reads.find((call) => call.path === path) ?? reads.find((call) => call.target === target);
  if (!found) throw new Error(`no call reads what is written at ${path}`);
  return found;
}

/** @throws Problem not-found when the call addresses a record that does not exist */
export async function requireRecord({ store, base }: ContainerContext, { path }: AllowedCall): Promise<void> {
  const record = path['record_id'];
  if (record !== undefined && !(await store.has(`${base}/records/${record}`))) {
    throw new Problem('not-found', 'There is no such record.');
  }
}
