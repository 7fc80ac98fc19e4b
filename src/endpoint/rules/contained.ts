import { quoted } from '../endpoint-problem.js';
import { structureOf, type Constraint } from './structures.js';
import type { Holder, Walk } from './walk.js';

/**
 * Contained resources (FHIR R4 dom-3, ref-1): no two have one id, each is referred to as `#id` from somewhere in the
 * endpoint or refers to it as `#`, and every such reference finds its resource.
 */
export function checkContained(walk: Walk, endpoint: Holder): void {
  const contained: unknown[] = Array.isArray(endpoint['contained']) ? endpoint['contained'] : [];
  const referrers = referrersOf(walk);
  const ids = new Set<string>();
  for (const [index, resource] of contained.entries()) {
    const { id } = (resource ?? {}) as { id?: unknown };
    if (typeof id !== 'string') continue;
    const others = new Set(referrers.get(`#${id}`)).add(index).size > 1;
    if (ids.has(id))
      walk.note(
        'contained-id',
        `Another contained resource has the id ${quoted(id)}.`,
        'contained',
        index,
        'id',
      );
    else if (!others && !referrers.get('#')?.has(index))
      walk.note(
        'contained-reference',
        `Nothing refers to this resource as ${quoted(`#${id}`)}.`,
        'contained',
        index,
      );
    ids.add(id);
  }
  for (const [index, resource] of contained.entries()) checkAlone(walk, resource, index);
  for (const { text, pointer, isReference } of walk.local) {
    if (isReference && text !== '#' && !ids.has(text.slice(1)))
      walk.noteAt(pointer, 'reference', `${quoted(text)} refers to no contained resource.`);
  }
}

/** Who refers to what: positions of contained resources, -1 for the endpoint itself. */
function referrersOf({ local }: Walk): Map<string, Set<number>> {
  const referrers = new Map<string, Set<number>>();
  for (const { text, pointer } of local) {
    const position = /^\/contained\/(\d+)\//u.exec(pointer)?.[1];
    const own = referrers.get(text) ?? new Set();
    referrers.set(text, own.add(position === undefined ? -1 : Number(position)));
  }
  return referrers;
}

/** What holds for every contained resource (FHIR R4 dom-2, dom-4, dom-5). */
function checkAlone(walk: Walk, resource: unknown, index: number): void {
  for (const constraint of constraintsOfContained) {
    if (!isFulfilled(constraint, resource))
      walk.note('constraint', `${constraint.sentence} (${constraint.key}).`, 'contained', index);
  }
}

const constraintsOfContained = structureOf('DomainResource')?.constraints ?? [];

function isFulfilled({ holds }: Constraint, resource: unknown): boolean {
  const holder = { contained: [resource] };
  return holds(holder, holder);
}
