import type { Quad, Term } from '../rdf/terms.js';
import type { Author } from './history.js';
import type { Scope } from './parts.js';
import type { FoundRows, RowSearch } from './search/find-rows.js';
import type { StoredGraphs } from './stored-graphs.js';

export interface NamedGraph {
  readonly name: string;
  readonly quads: readonly Quad[];
}

/** An atomic set of changes. A graph in `replace` is never removed. */
export interface Change {
  readonly replace?: readonly NamedGraph[];
  readonly remove?: readonly string[];
  /** Removes each graph and those at paths below it (`/records/1` does not touch `/records/10`). */
  readonly removeUnder?: readonly string[];
  readonly expect?: readonly Expectation[];
  readonly by?: Author | undefined;
  /** Whether replaced texts stay out of the history: all, or by path. */
  readonly isUnkept?: boolean | ((path: string) => boolean);
}

export interface Expectation {
  readonly path: string;
  readonly revision: number;
}

export type Row = Readonly<Record<string, Term>>;

export interface Found extends Pick<FoundRows, 'total'> {
  readonly names: readonly string[];
  readonly scope: Scope;
}

/**
 * How to answer a SELECT. `cached`: may return the same array again while nothing is written in its scope. `yielding`:
 * parses many rows in a later turn of the event loop, so data may have changed by then.
 */
export type SelectManner = 'cached' | 'yielding';

/** Holds all triples. Callers see blank nodes; only the store knows their names. */
export interface GraphStore {
  /** No trailing slash. Every graph name begins with it, or is a URN of ours. */
  readonly base: string;
  /**
   * Runs a SPARQL 1.1 CONSTRUCT over all committed data. Returns distinct quads in no order; inner nodes keep their
   * labels across answers.
   * @param scope covers all data that the query can read; by default everything is loaded first
   */
  construct(sparql: string, scope?: Scope): Promise<Quad[]>;
  /** Runs a SELECT; rows omit unbound variables. */
  select(sparql: string, scope?: Scope, manner?: SelectManner): Promise<readonly Row[]>;
  ask(sparql: string, scope?: Scope): Promise<boolean>;
  /** Finds graphs by their search lists, without loading them; undefined if the lists do not suffice. */
  find?(search: RowSearch): Promise<Found | undefined>;
  /** Reads stored graphs from one snapshot without an engine. @param read is done when its result resolves */
  stored?<T>(read: (graphs: StoredGraphs) => T | Promise<T>): Promise<T>;
  /**
   * Writes a change durably. @returns the new revision, or the current one if nothing changes
   * @throws StaleRevision when an expectation no longer holds
   * @throws InvalidGraph for a graph that cannot be stored
   */
  write(change: Change): Promise<number>;
  has(name: string): Promise<boolean>;
  /** Returns the number of the last change at or below a path ('' = everything); 0 if there was none. */
  revision(path: string): Promise<number>;
  close(): Promise<void>;
}

export class StaleRevision extends Error {
  constructor(
    readonly path: string,
    readonly expected: number,
    readonly actual: number,
  ) {
    super(`${path === '' ? 'The store' : path} is at revision ${actual}, not at ${expected} as expected.`);
    this.name = 'StaleRevision';
  }
}

export class InvalidGraph extends Error {
  override readonly name = 'InvalidGraph';
}
