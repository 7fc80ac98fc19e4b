import type { User } from '../../accounts/users.js';
import type { Ontology } from '../../ontology/model.js';
import { PathTemplate } from '../../ontology/path-template.js';
import type { CallRequest } from '../request-context.js';

/** What it is decided with who may see whom. */
export interface DirectoryParts {
  readonly ontology: Ontology;
  readonly base: string;
  readonly containerAccess: 'open' | 'signed';
  /** A user of the container, with the records given to them. */
  user(id: string): User | undefined;
}

/**
 * The IRIs of the only people that a call which discloses people may show to a request; undefined where it may show
 * all: on a container that is open, and to a clinician. A person sees themselves and the records given to them, an
 * app without a user nobody.
 */
export function shownTo(
  { ontology, base, containerAccess, user }: DirectoryParts,
  { route, verified }: CallRequest,
): readonly string[] | undefined {
  const { discloses, target } = route.call;
  if (discloses === undefined || containerAccess === 'open') return undefined;
  const id = verified?.principal.token?.user;
  const found = id === undefined ? undefined : user(id);
  if (!found) return [];
  if (found.role === 'clinician') return undefined;
  const template = PathTemplate.of(ontology.classes.get(target)?.basePath ?? '');
  const given = template.parameters.includes('user_id')
    ? [{ user_id: found.id }]
    : found.role === 'person'
      ? found.records.map((record_id) => ({ record_id }))
      : [];
  return given.map((values) => base + template.fill(values));
}
