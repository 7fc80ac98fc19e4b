/** What is said of each subject of a graph, as lines that any serialisation and any labels of blank nodes come to. */
export type Description = Readonly<Record<string, readonly string[]>>;

/** One request with what its answer has to be. Paths, and `{base}` in lines and bodies, stand for the container's own address. */
export interface CallTest {
  readonly call: string;
  /** The rest of a sentence that begins with the name of the call. */
  readonly says: string;
  readonly method: string;
  /** Path and query below the base URL. */
  readonly target: string;
  /** The record whose token signs; without one nobody does. */
  readonly as?: string;
  readonly body?: { readonly type: string; readonly text: string };
  readonly expect: Expectation;
}

export type Expectation =
  | Refusal
  | GraphAnswer
  | ListAnswer
  | Walk
  | SameGraph
  | Unchanged
  | WithoutContent
  | JsonAnswer
  | FileAnswer
  | Stored
  | Added;

/** A problem document with this status. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly status: number;
}

/** A graph that describes these resources and nothing else; `open` where more may be said of them. */
export interface GraphAnswer {
  readonly kind: 'graph';
  readonly type: string;
  readonly resources: readonly string[];
  /** What is described beside what the resources hold. */
  readonly described?: Description;
  readonly open?: true;
}

/** A list: its members in order, and the graph of them with what they lead to. */
export interface ListAnswer extends Omit<GraphAnswer, 'kind'> {
  readonly kind: 'list';
  readonly order: readonly string[];
  /** Whether the answer has a summary with total and order. */
  readonly summary: boolean;
}

/** Pages of so many members, followed by their links: together each member once, in order. */
export interface Walk {
  readonly kind: 'walk';
  readonly limit: number;
  readonly order: readonly string[];
  readonly target: string;
}

/** Each of the media types, asked for by Accept and by `_format`, gives one graph; any other is refused. */
export interface SameGraph {
  readonly kind: 'same graph';
  readonly types: readonly string[];
}

/** An entity tag that answers 304 when it comes back, and 412 where another one must match. */
export interface Unchanged {
  readonly kind: 'unchanged';
}

/** HEAD answers as GET does, without content. */
export interface WithoutContent {
  readonly kind: 'without content';
}

/** A JSON document (or an array of documents with these, by their `id`) with at least these members. */
export interface JsonAnswer {
  readonly kind: 'json';
  readonly members: unknown;
}

/** The bytes of a file, and a part of them. */
export interface FileAnswer {
  readonly kind: 'file';
  readonly type?: string;
  readonly size: number;
  readonly sha256: string;
}

/** PUT, read back, replaced under the right condition alone, removed. Leaves nothing behind. */
export interface Stored {
  readonly kind: 'stored';
}

/** A statement that is added and then read at its own IRI. It stays. */
export interface Added {
  readonly kind: 'added';
  readonly lines: readonly string[];
}

/** The tests of an ontology's calls over the data of its seed: `calls.json`. */
export interface Suite {
  readonly ontology: string;
  /** The app whose tokens sign: it lists no calls that it needs, so that it may make all. */
  readonly app: string;
  readonly user: string;
  /** Records with a token each: at least two, and as many as it takes to have every class of the seed. */
  readonly records: readonly string[];
  /** What each resource of the tests holds, by its path. */
  readonly resources: Readonly<Record<string, Description>>;
  readonly tests: readonly CallTest[];
  /** What the suite cannot tell, a sentence each. */
  readonly notes: readonly string[];
}

/** The kinds of tests that change what the container holds. */
export const writingKinds: ReadonlySet<Expectation['kind']> = new Set(['stored', 'added']);
