import type { WorkingSet } from '../store/working-set.js';
import { fhirNamespace, mapping, sp } from '../rdf/vocabulary.js';
import type { QueryWays, Step } from './query-ways.js';

/** What has to be known of a query of a mapping to run it, and to tell why it made nothing. */
export interface MappingTask {
  /** Its file name without the extension. */
  readonly name: string;
  readonly text: string;
  /** The types of resources that it makes statements of. */
  readonly sources: readonly string[];
  /** The variable of the resource. */
  readonly subject: string;
  /** Asked for when there is something to tell. */
  readonly ways: QueryWays;
}

/** Why no statement was made of a resource, by its name. */
export type Reasons = ReadonlyMap<string, string>;

/** How far a resource has come, and what it does not have. */
interface Fall {
  readonly steps: number;
  readonly reasons: Set<string>;
}

const LONGEST = 120;
const IRI = /<([^>]*)>/gu;
const belongsTo = ` <${sp.belongsTo}> `;

/**
 * Tells of resources of which no query made a statement which step of a query is the first that they do not pass; of
 * several queries and alternatives that of the one in which they come furthest, of all that are as far as it.
 * @param engine holds the tables and the resources
 * @param made what each query has made, as N-Triples
 */
export function unmadeReasons(
  engine: WorkingSet,
  queries: readonly MappingTask[],
  made: readonly string[],
): Reasons {
  const unmade = unmadeOf(engine, queries, made);
  const falls = new Map<string, Fall>();
  for (const query of queries) {
    const own = unmade.filter(({ type }) => query.sources.includes(type)).map(({ iri }) => iri);
    if (own.length === 0) continue;
    for (const way of query.ways.ways) {
      try {
        new Walk(engine, query, way, falls).goes(own);
      } catch {
        // Steps of one alternative may make no query without the rest of it, and then tell nothing.
      }
    }
  }
  const told = Array.from(falls, ([iri, { reasons }]) => [iri, [...reasons].join('; ')] as const);
  return new Map(told.filter(([, reason]) => reason !== ''));
}

function unmadeOf(
  engine: WorkingSet,
  queries: readonly MappingTask[],
  made: readonly string[],
): { readonly iri: string; readonly type: string }[] {
  const done = new Set<string>();
  for (const text of made) {
    for (const line of text.split('\n')) {
      const end = line.indexOf(belongsTo);
      if (end > 0) done.add(line.slice(1, end - 1));
    }
  }
  const types = [...new Set(queries.flatMap(({ sources }) => sources))];
  // What is contained in a resource gives no statement of its own.
  return types
    .flatMap((type) =>
      irisOf(engine.select(`SELECT ?s WHERE { ?s a <${fhirNamespace}${type}> }`)).map((iri) => ({
        iri,
        type,
      })),
    )
    .filter(({ iri }) => !done.has(iri) && !iri.includes('#'));
}

/**
 * Finds for some resources where they fall on a way. The engine is asked of a few of its places only, between which
 * somebody falls: each time it begins anew.
 */
class Walk {
  /** What comes before each of the steps that are asked for, and the whole way at the end. */
  readonly #places: readonly string[];
  readonly #reasons: readonly string[];
  #start = '';

  constructor(
    private readonly engine: WorkingSet,
    private readonly query: MappingTask,
    steps: readonly Step[],
    private readonly falls: Map<string, Fall>,
  ) {
    const asked = steps.flatMap(({ isAsked }, at) => (isAsked ? [at] : []));
    const upTo = (end?: number): string =>
      steps
        .slice(0, end)
        .map(({ text }) => text)
        .join(' ');
    this.#places = [...asked.map((at) => upTo(at)), upTo()];
    this.#reasons = asked.map((at) => {
      const { line = 0, text = '' } = steps[at] ?? {};
      return `${query.name}.rq:${line} asks for ${shown(text)}`;
    });
  }

  goes(iris: readonly string[]): void {
    this.#from(iris);
    const last = this.#places.length - 1;
    const first = Math.min(1, last);
    // Most fall at once, and need not be looked at any further.
    const after = this.#pass(first);
    this.#between(0, first, new Set(iris), after);
    if (after.size === 0 || last === first) return this.#arrive(after);
    this.#from([...after]);
    const left = this.#pass(last);
    this.#between(first, last, after, left);
    this.#arrive(left);
  }

  /** Marks those with whom the engine begins. */
  #from(iris: readonly string[]): void {
    this.#start = `${mapping.unmade}/${Walk.#walks++}`;
    this.engine.load(iris.map((iri) => `<${iri}> <${this.#start}> "" .\n`).join(''));
  }

  static #walks = 0;

  /** Who has passed what comes before a place. */
  #pass(place: number): Set<string> {
    const { subject, ways } = this.query;
    const steps = this.#places[place] ?? '';
    const query = `${ways.prologue}\nSELECT DISTINCT ?${subject} WHERE { ?${subject} <${this.#start}> "" . ${steps} }`;
    return new Set(irisOf(this.engine.select(query)));
  }

  #between(from: number, to: number, before: ReadonlySet<string>, after: ReadonlySet<string>): void {
    if (before.size === after.size || from === to) return;
    if (to === from + 1) {
      const reason = this.#reasons[from] ?? '';
      for (const iri of before) if (!after.has(iri)) note(this.falls, iri, from, reason);
      return;
    }
    const middle = (from + to) >> 1;
    const there = this.#pass(middle);
    this.#between(from, middle, before, there);
    this.#between(middle, to, there, after);
  }

  /** Whatever keeps these from being statements, it is no step of a query. */
  #arrive(iris: ReadonlySet<string>): void {
    for (const iri of iris) this.falls.set(iri, { steps: Infinity, reasons: new Set() });
  }
}

function note(falls: Map<string, Fall>, iri: string, steps: number, reason: string): void {
  const before = falls.get(iri);
  if (before && before.steps > steps) return;
  if (before?.steps === steps) before.reasons.add(reason);
  else falls.set(iri, { steps, reasons: new Set([reason]) });
}

/** The IRIs of a table of one column. */
const irisOf = (tsv: string): string[] => Array.from(tsv.matchAll(IRI), ([, iri = '']) => iri);

/** A step in one line, for people. */
function shown(text: string): string {
  const line = text.replace(/\s+/gu, ' ').replace(/ \.$/u, '');
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`;
}
