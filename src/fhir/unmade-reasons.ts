import type { WorkingSet } from '../store/working-set.js';
import { fhirNamespace, mapping, sp } from '../rdf/vocabulary.js';
import type { QueryWays, Step, Way } from './query-ways.js';

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
 * Tells of resources of which no query made a statement which step of a query is the first that they do not pass, with
 * the elements of FHIR that it looks at; of several queries and alternatives that of the one in which they come furthest,
 * of all that are as far as it.
 * @param engine holds the tables and the resources
 * @param made what each query has made, as N-Triples
 */
export function unmadeReasons(
  engine: WorkingSet,
  queries: readonly MappingTask[],
  made: readonly string[],
): Reasons {
  const unmade = unmadeOf(engine, queries, made);
  const types = new Map(unmade.map(({ iri, type }) => [iri, type]));
  const falls = new Map<string, Fall>();
  for (const query of queries) {
    const own = unmade.filter(({ type }) => query.sources.includes(type)).map(({ iri }) => iri);
    if (own.length === 0) continue;
    for (const way of query.ways.ways) {
      try {
        new Walk(engine, query, way, types, falls).goes(own);
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
 * Finds for some resources the first step of a way that they do not pass. Asked for a step is what it has to do with: the
 * steps before it whose variables lead to it. All others are asked for themselves, and together they would make a row
 * for each combination of what they find.
 */
class Walk {
  static #walks = 0;
  #alive = new Set<string>();
  #start = '';
  #started = 0;

  constructor(
    private readonly engine: WorkingSet,
    private readonly query: MappingTask,
    private readonly way: Way,
    private readonly types: ReadonlyMap<string, string>,
    private readonly falls: Map<string, Fall>,
  ) {}

  goes(iris: readonly string[]): void {
    this.#alive = new Set(iris);
    // Who is of another type goes another way.
    if (this.way.types !== '') this.#alive = this.#pass([]);
    const asked = askingOrder(this.way.steps);
    for (const [passed, step] of asked.entries()) {
      if (this.#alive.size === 0) return;
      const closure = closureOf(step, asked.slice(0, passed), this.way.steps);
      const left = this.#pass(closure);
      const query = `${this.query.name}.rq:${step.line} asks for ${shown(step.text)}`;
      const elements = elementsOf(step, closure);
      for (const iri of this.#alive)
        if (!left.has(iri)) note(this.falls, iri, passed, reasonOf(elements, this.types.get(iri), query));
      this.#alive = left;
    }
    // Whatever keeps these from being statements, it is no step of a query.
    for (const iri of this.#alive) this.falls.set(iri, { steps: Infinity, reasons: new Set() });
  }

  /** Who of those that are left has what some steps ask for. */
  #pass(steps: readonly Step[]): Set<string> {
    if (this.#started === 0 || this.#alive.size < this.#started / 2) this.#mark();
    const { subject, ways } = this.query;
    const texts = [this.way.types, ...steps.map(({ text }) => text)].join(' ');
    const query = `${ways.prologue}\nSELECT DISTINCT ?${subject} WHERE { GRAPH <${this.#start}> { ?${subject} <${mapping.unmade}> "" } ${texts} }`;
    return new Set(irisOf(this.engine.select(query)).filter((iri) => this.#alive.has(iri)));
  }

  /** Marks those that are left, so that the engine begins with them, in a graph of its own: queries see nothing of it. */
  #mark(): void {
    this.#start = `${mapping.unmade}/${Walk.#walks++}`;
    this.#started = this.#alive.size;
    this.engine.load(
      Array.from(this.#alive, (iri) => `<${iri}> <${mapping.unmade}> "" <${this.#start}> .\n`).join(''),
    );
  }
}

function askingOrder(steps: readonly Step[]): Step[] {
  const asked = steps.filter(({ rank }) => rank !== undefined);
  // A sort keeps the order of those that are equal.
  return asked.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}

/** A step, and of those before it, and of what keeps nothing out, all that has to do with it; in the order of the query. */
function closureOf(step: Step, before: readonly Step[], all: readonly Step[]): Step[] {
  const usable = new Set(all.filter((each) => each.rank === undefined || before.includes(each)));
  const variables = new Set(step.variables);
  const closure = new Set([step]);
  for (let size = 0; size < closure.size;) {
    size = closure.size;
    for (const each of usable) {
      if (closure.has(each) || ![...each.variables].some((name) => variables.has(name))) continue;
      closure.add(each);
      for (const name of each.variables) variables.add(name);
    }
  }
  return all.filter((each) => closure.has(each));
}

/** The elements that a step looks at; of one that looks into a table, those that it is looked into with. */
function elementsOf(step: Step, closure: readonly Step[]): readonly string[] {
  const near = closure.filter((each) => [...each.variables].some((name) => step.variables.has(name)));
  return [step, ...near.reverse()].find(({ elements }) => elements.length > 0)?.elements ?? [];
}

/** What keeps a resource from being a statement, in the words of FHIR and in those of the query. */
function reasonOf(elements: readonly string[], type: string | undefined, query: string): string {
  const own = elements.filter((path) => path.startsWith(`${type}.`));
  const told = own.length > 0 ? own : elements;
  return told.length === 0
    ? query
    : `${told.join(' or ')} is missing or has a value that is not loaded (${query})`;
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
