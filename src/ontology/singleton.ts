import type { CallModel } from './model.js';
import { PathTemplate } from './path-template.js';

/**
 * Whether a call reads something that a record has once, as its social history, rather than about one item of
 * many: its path ends in a name, not in an id. There is such a place in every record, whether or not anything stands
 * there; real clients fail when it is answered with 404.
 */
export function isSingleton({ method, scope, cardinality, path }: CallModel): boolean {
  if (method !== 'GET' || scope !== 'record' || cardinality !== 'single') return false;
  const last = PathTemplate.of(path).segments.at(-1);
  return last !== undefined && 'literal' in last;
}
