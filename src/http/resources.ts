import type { CallModel } from '../ontology/model.js';
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

/** @throws Problem not-found when the call addresses a record that does not exist */
export async function requireRecord({ store, base }: ContainerContext, { path }: AllowedCall): Promise<void> {
  const record = path['record_id'];
  if (record !== undefined && !(await store.has(`${base}/records/${record}`))) {
    throw new Problem('not-found', 'There is no such record.');
  }
}
