import { shortName } from '../term-names.js';
import type { ChangeKind } from './kinds.js';

/** What a change does to those who live with the ontology. */
export const weights = ['breaking', 'additive', 'editorial'] as const;
export type Weight = (typeof weights)[number];

/** One difference between two ontologies. Weight, words and reason are those of its kind: see `kinds.ts`. */
export interface Change {
  readonly kind: ChangeKind;
  /** IRI of the class, property, code, call, filter or parameter that changed. */
  readonly subject: string;
  /** What of it, in short: a property, a parameter, a predicate. */
  readonly part?: string;
  /** What was said before and is said now, for people; absent where one side says nothing. */
  readonly from?: string;
  readonly to?: string;
}

/** The keys of two maps: what only the new one has, what only the old one had, and what both have. */
export function compareKeys<T>(
  old: ReadonlyMap<string, T>,
  now: ReadonlyMap<string, T>,
): { added: [string, T][]; removed: [string, T][]; both: [key: string, before: T, after: T][] } {
  const both: [string, T, T][] = [];
  for (const [key, before] of old) {
    const after = now.get(key);
    if (after !== undefined) both.push([key, before, after]);
  }
  return {
    added: [...now].filter(([key]) => !old.has(key)),
    removed: [...old].filter(([key]) => !now.has(key)),
    both,
  };
}

/** What only the one or only the other list holds. */
export function compareLists(
  old: readonly string[],
  now: readonly string[],
): { added: string[]; removed: string[] } {
  return {
    added: now.filter((each) => !old.includes(each)),
    removed: old.filter((each) => !now.includes(each)),
  };
}

/** `{ from, to }` where a value is another one than before, undefined where it is the same. */
export function step(
  from: string | undefined,
  to: string | undefined,
): { from?: string; to?: string } | undefined {
  if (from === to) return undefined;
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** The change of a value; none where it is the same. */
export function valueChange(
  what: Pick<Change, 'kind' | 'subject' | 'part'>,
  from: string | undefined,
  to: string | undefined,
): Change[] {
  const ends = step(from, to);
  return ends ? [{ ...what, ...ends }] : [];
}

/** The terms that something names now and did not before, and the other way round. @param kinds of these changes */
export function termsChange(
  subject: string,
  [added, removed]: readonly [added: ChangeKind, removed: ChangeKind],
  old: readonly string[],
  now: readonly string[],
): Change[] {
  const between = compareLists(old, now);
  return [
    ...between.added.map((iri): Change => ({ kind: added, subject, part: shortName(iri) })),
    ...between.removed.map((iri): Change => ({ kind: removed, subject, part: shortName(iri) })),
  ];
}
