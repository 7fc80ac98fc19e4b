import type { Quad, Term } from '../rdf/terms.js';
import type { Author } from './history.js';
import type { Scope } from './parts.js';
import type { FoundRows, RowSearch } from './search/find-rows.js';
import type { StoredGraphs } from './stored-graphs.js';

/** The content of one addressable resource. */
export interface NamedGraph {
  /** The graph's name: an absolute IRI under the base, or a URN of ours, without query or fragment. */
  readonly name: string;
  /** Its quads; their own graph component is not looked at. Blank nodes are allowed. */
  readonly quads: readonly Quad[];
}

/** A set of changes that happens whole or not at all. What `replace` names is never removed by the same change. */
export interface Change {
  readonly replace?: readonly NamedGraph[];
  readonly remove?: readonly string[];
  /** Removes the graph of each IRI and every graph on a path below it (`/records/1` does not touch `/records/10`). */
  readonly removeUnder?: readonly string[];
  /** Revisions that must still hold when the change is written; else nothing happens. */
  readonly expect?: readonly Expectation[];
  /** Who makes it; default: whom the primary store was opened for. */
  readonly by?: Author | undefined;
  /** Whether what it ends is not kept in the history: all of it, or graphs with some paths. */
  readonly isUnkept?: boolean | ((path: string) => boolean);
}

export interface Expectation {
  /** A path below the base, '' for everything. */
  readonly path: string;
  readonly revision: number;
}

/** A row of a SELECT: terms by their variables. */
export type Row = Readonly<Record<string, Term>>;

/** What a search found: names of graphs, and the scope in which they lie. */
export interface Found extends Pick<FoundRows, 'total'> {
  readonly names: readonly string[];
  readonly scope: Scope;
}

/**
 * How a SELECT is answered. `kept`: the same is likely to be asked again soon, so its rows may be the same array as before,
 * as long as nothing was written in its scope. `unhurried`: many rows are read in another turn of the event loop than the engine's, so
 * that something may have been written when they come.
 */
export type SelectManner = 'kept' | 'unhurried';

/** Where every triple is. Callers see blank nodes only; how blank nodes are named is the store's own business. */
export interface GraphStore {
  /** Without a slash at its end; every graph name begins with it, or is a URN of ours. */
  readonly base: string;
  /**
   * Runs a SPARQL 1.1 CONSTRUCT over everything acknowledged so far. Quads come once each and in no order; an inner
   * node has the same label in every answer.
   * @param scope where all that the query can find lies; without it, everything is brought to memory first
   */
  construct(sparql: string, scope?: Scope): Promise<Quad[]>;
  /**
   * Runs a SELECT; unbound variables are left out of a row.
   */
  select(sparql: string, scope?: Scope, manner?: SelectManner): Promise<readonly Row[]>;
  ask(sparql: string, scope?: Scope): Promise<boolean>;
  /**
   * Finds graphs by what is listed of them, without having them in memory. Not there, or undefined, where nothing tells.
   */
  find?(search: RowSearch): Promise<Found | undefined>;
  /**
   * Reads graphs as they are stored, all in one state of everything acknowledged so far, without an engine and without
   * bringing them to memory. Not there where everything is to be queried.
   * @param read is done with them when it returns
   */
  stored?<T>(read: (graphs: StoredGraphs) => T): Promise<T>;
  /**
   * Writes a change and resolves, when it is durable, to the revision of everything. A change that changes nothing
   * advances no revision.
   * @throws StaleRevision when an expectation no longer holds
   * @throws InvalidGraph for a graph that cannot be kept
   */
  write(change: Change): Promise<number>;
  has(name: string): Promise<boolean>;
  /** The number of the last change at or below a path ('' = everything); 0 when there never was one. */
  revision(path: string): Promise<number>;
  close(): Promise<void>;
}

/** Somebody else changed what the writer had read. */
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

/** A graph that cannot be kept: its name or one of its terms is not allowed. */
export class InvalidGraph extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'InvalidGraph';
  }
}
