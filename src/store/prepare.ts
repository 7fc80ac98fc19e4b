import { InvalidGraph, type Change, type Expectation, type NamedGraph } from './graph-store.js';
import type { Author } from './history.js';
import { pathOf } from './paths.js';
import { writeRelative } from './relative-text.js';

/** A change in the form in which it is written: paths, and the text of each graph. */
export interface PreparedChange {
  /** That of the IRIs in it. */
  readonly base: string;
  readonly replace: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
  readonly removeUnder: readonly string[];
  readonly expect: readonly Expectation[];
  readonly by: Author;
  readonly isUnkept: (path: string) => boolean;
}

/**
 * Checks a change and names its blank nodes: everything that takes time and needs no transaction.
 * @param by who makes it where the change does not say so
 * @throws InvalidGraph for a name or a term that cannot be kept
 */
export function prepare(change: Change, base: string, by: Author = {}): PreparedChange {
  const replace = new Map<string, string>();
  for (const graph of change.replace ?? []) {
    const path = pathOf(graph.name, base);
    if (replace.has(path)) throw new InvalidGraph(`${graph.name} occurs twice in one change`);
    replace.set(path, textOf(graph, base));
  }
  return {
    base,
    replace,
    remove: (change.remove ?? []).map((name) => pathOf(name, base)),
    removeUnder: (change.removeUnder ?? []).map((name) => pathOf(name.replace(/\/$/, ''), base)),
    expect: change.expect ?? [],
    by: change.by ?? by,
    isUnkept: unkept(change.isUnkept),
  };
}

function unkept(isUnkept: Change['isUnkept'] = false): PreparedChange['isUnkept'] {
  return typeof isUnkept === 'function' ? isUnkept : () => isUnkept;
}

function textOf({ name, quads }: NamedGraph, base: string): string {
  try {
    return writeRelative(name, quads, base);
  } catch (cause) {
    if (cause instanceof TypeError) throw new InvalidGraph(`${name}: ${cause.message}`, { cause });
    throw cause;
  }
}
