import { resourceStructure, walkStructure } from './structure-walk.js';
import { Walk, type Holder } from './walk.js';

/** A reference to a contained resource begins with it. */
const LOCAL = '#';
/** What is not looked at here: of these alone FHIR R4 has rules for a contained resource (dom-2, dom-4, dom-5). */
const constrained = ['contained', 'meta'] as const;

/**
 * Whether the contained resources of an endpoint are valid ones of the commonest kind: each with an id of its own, to
 * which one of the named references of the endpoint leads, and none with metadata or a reference to another. That ids
 * have the right form is for the schema to find. What is not told to be plain may still be valid.
 * @param references names of properties that hold a reference
 */
export function arePlainContained(endpoint: Holder, references: readonly string[]): boolean {
  const { contained } = endpoint;
  if (!Array.isArray(contained)) return contained === undefined;
  const resources = contained as readonly (Holder | null)[];
  // Each is looked for among the others.
  if (resources.length > references.length) return false;
  const walk = new Walk(endpoint);
  for (const [index, resource] of resources.entries()) {
    const id = resource?.['id'];
    if (!resource || typeof id !== 'string') return false;
    if (!references.some((name) => referenceOf(endpoint[name]) === LOCAL + id)) return false;
    if (resources.some((other, at) => at !== index && other?.['id'] === id)) return false;
    const structure = resourceStructure(walk, resource);
    if (structure === undefined || constrained.some((name) => resource[name] !== undefined)) return false;
    walk.enter('contained');
    walk.enter(index);
    walkStructure(walk, resource, structure, resource);
    walk.leave();
    walk.leave();
  }
  return walk.problems.length === 0 && walk.local.length === 0 && !walk.tooDeep;
}

/** The type of the resource to which a reference leads within an endpoint; undefined where it leads to none. */
export function containedType({ contained }: Holder, reference: string): unknown {
  if (!Array.isArray(contained)) return undefined;
  const id = reference.slice(LOCAL.length);
  for (const resource of contained as readonly (Holder | null)[])
    if (resource?.['id'] === id) return resource['resourceType'];
  return undefined;
}

function referenceOf(value: unknown): unknown {
  return ((value ?? {}) as Holder)['reference'];
}
