import { shortName } from '../../model/ontology/term-names.js';
import type { ChangeKind } from './kinds.js';

export const weights = ['breaking', 'additive', 'editorial'] as const;
export type Weight = (typeof weights)[number];

/** A difference between two ontologies. Its kind determines weight, words and reason: see `kinds.ts`. */
export interface Change {
  readonly kind: ChangeKind;
  /** IRI of the class, property, code, call, filter or parameter that changed. */
  readonly subject: string;
  /** The part that changed, in short: a property, a parameter, a predicate. */
  readonly part?: string;
  /** The old and new text for people; absent if there is none. */
  readonly from?: string;
  readonly to?: string;
}

/** Compares the keys of two maps: added, removed, and in both. */
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

/** Compares two lists: added and removed. */
export function compareLists(
  old: readonly string[],
  now: readonly string[],
): { added: string[]; removed: string[] } {
  return {
    added: now.filter((each) => !old.includes(each)),
    removed: old.filter((each) => !now.includes(each)),
  };
}

/** Returns `{ from, to }` for a changed value; undefined if unchanged. */
export function step(
  from: string | undefined,
  to: string | undefined,
): { from?: string; to?: string } | undefined {
  if (from === to) return undefined;
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

export function valueChange(
  what: Pick<Change, 'kind' | 'subject' | 'part'>,
  from: string | undefined,
  to: string | undefined,
): Change[] {
  const ends = step(from, to);
  return ends ? [{ ...what, ...ends }] : [];
}

/** Compares lists of terms. @param kinds of the resulting changes */
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
