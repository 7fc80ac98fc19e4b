/** Describes each subject of a graph in lines that do not depend on serialisation or blank node labels. */
export type Description = Readonly<Record<string, readonly string[]>>;

/** One request and its expected answer. Paths, and `{base}` in lines and bodies, are relative to the container. */
export interface CallTest {
  readonly call: string;
  readonly says: string;
  readonly method: string;
  readonly target: string;
  readonly as?: string;
  readonly body?: { readonly type: string; readonly text: string };
  readonly expect: Expectation;
}

/** The expected answer; kinds with several requests describe each answer. */
export type Expectation =
  /** A problem document with this status. */
  | { readonly kind: 'refusal'; readonly status: number }
  | GraphAnswer
  | ListAnswer
  /** Pages of this many members; following their links yields each member once, in order. */
  | {
      readonly kind: 'walk';
      readonly limit: number;
      readonly order: readonly string[];
      readonly target: string;
    }
  /** Each media type, requested by Accept and by `_format`, yields the same graph; any other is refused. */
  | { readonly kind: 'same graph'; readonly types: readonly string[] }
  /** The entity tag yields 304 when sent back, and 412 when another one must match. */
  | { readonly kind: 'unchanged' }
  /** HEAD answers like GET, without content. */
  | { readonly kind: 'without content' }
  /** A JSON document (or an array of them, matched by `id`) with at least these members. */
  | { readonly kind: 'json'; readonly members: unknown }
  /** The bytes of a file, and a part of them. */
  | { readonly kind: 'file'; readonly size: number; readonly sha256: string }
  /** PUT, read back, replace (only under the right condition), remove. Leaves nothing behind. */
  | { readonly kind: 'stored' }
  /** A statement is added and can be read at its IRI. It stays. */
  | { readonly kind: 'added'; readonly lines: readonly string[] };

/** A graph that describes exactly these resources; `open` if it may say more about them. */
export interface GraphAnswer {
  readonly kind: 'graph';
  readonly type: string;
  readonly resources: readonly string[];
  readonly described?: Description;
  readonly open?: true;
}

/** A list: its members in order, and their graph with linked statements. */
export interface ListAnswer extends Omit<GraphAnswer, 'kind'> {
  readonly kind: 'list';
  readonly order: readonly string[];
  readonly summary: boolean;
}

/** The tests of an ontology's calls over its seed: `calls.json`. */
export interface Suite {
  readonly ontology: string;
  /** The app whose tokens sign. Its manifest has no `requires`, so that it may make all calls. */
  readonly app: string;
  readonly user: string;
  /** Records with a token each: at least two, and enough to have every class of the seed. */
  readonly records: readonly string[];
  /** The content of each resource in the tests, by path. */
  readonly resources: Readonly<Record<string, Description>>;
  readonly tests: readonly CallTest[];
  /** What the suite cannot test, one sentence each. */
  readonly notes: readonly string[];
}

export const writingKinds: ReadonlySet<Expectation['kind']> = new Set(['stored', 'added']);
