import { isA, type CallModel, type Ontology, type DateOperator } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import type { Quad, Term } from '../../rdf/terms.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import type { NamedGraph } from '../../store/graph-store.js';

/** The graphs of a seed, searched with loops over arrays: no engine, query or index. */
export class NaiveData {
  readonly #graphs: ReadonlyMap<string, readonly Quad[]>;

  /** @param base without a trailing slash */
  constructor(
    graphs: readonly NamedGraph[],
    readonly ontology: Ontology,
    readonly base: string,
  ) {
    this.#graphs = new Map(graphs.map(({ name, quads }) => [name, quads]));
  }

  names(): string[] {
    return [...this.#graphs.keys()];
  }

  graph(name: string): readonly Quad[] {
    return this.#graphs.get(name) ?? [];
  }

  subjects(name: string): Term[] {
    return this.graph(name).map(({ subject }) => subject);
  }

  pathOf(name: string): string {
    return name.slice(this.base.length);
  }

  /** Follows property paths from a node inside one graph. */
  reached(name: string, start: Term, paths: readonly (readonly string[])[]): Term[] {
    return paths.flatMap((path) =>
      path.reduce<Term[]>(
        (nodes, property) =>
          nodes.flatMap((node) =>
            this.graph(name)
              .filter(({ subject, predicate }) => predicate.value === property && subject.equals(node))
              .map(({ object }) => object),
          ),
        [start],
      ),
    );
  }

  values(name: string, property: string): Term[] {
    return this.graph(name)
      .filter(({ subject, predicate }) => subject.value === name && predicate.value === property)
      .map(({ object }) => object);
  }

  /** Returns the names that a call covers: those on the path of its class, and of subclasses. */
  instances({ target, path }: Pick<CallModel, 'target' | 'path'>, record?: string): string[] {
    const { classes } = this.ontology;
    const place = PathTemplate.of(classes.get(target)?.basePath ?? path);
    const owner = record === undefined ? undefined : `${this.base}/records/${record}`;
    const isMember = (type: string): boolean => {
      const own = classes.get(type)?.basePath;
      return (
        isA(this.ontology, type, target) || (own !== undefined && PathTemplate.of(own).shape === place.shape)
      );
    };
    return this.names().filter((name) => {
      const isThere = name.startsWith(`${this.base}/`) && place.match(this.pathOf(name)) !== undefined;
      const isOwn = owner === undefined || this.values(name, sp.belongsTo).some((of) => of.value === owner);
      return isThere && isOwn && this.typesOf(name).some(isMember);
    });
  }

  propertiesOf(name: string): string[] {
    return this.graph(name).flatMap(({ subject, predicate }) =>
      subject.value === name ? [predicate.value] : [],
    );
  }

  typesOf(name: string): string[] {
    return this.values(name, rdf.type).map(({ value }) => value);
  }

  /** Sorts the members of a list as the ontology says. */
  ordered({ sortProperties, sortNames }: CallModel, members: readonly string[]): string[] {
    const byIri = [...members].sort();
    if (sortNames.length > 0) {
      const key = (name: string): string => this.#nameKey(name, sortNames);
      return byIri.sort((a, b) => compare(key(a), key(b)));
    }
    if (sortProperties.length === 0) return byIri;
    const isDated = sortProperties.every((iri) => this.ontology.properties.get(iri)?.valueType === 'date');
    if (!isDated) {
      const key = (name: string): string => this.#texts(name, sortProperties).sort().at(-1) ?? '';
      return byIri.sort((a, b) => compare(key(b), key(a)));
    }
    const newest = (name: string): number =>
      Math.max(
        -Infinity,
        ...this.#texts(name, sortProperties).map((text) => periodOf(text)?.[0] ?? -Infinity),
      );
    return byIri.sort((a, b) => compare(newest(b), newest(a)));
  }

  #texts(name: string, properties: readonly string[]): string[] {
    return properties.flatMap((property) => this.values(name, property).map(({ value }) => value));
  }

  #nameKey(name: string, paths: readonly (readonly string[])[]): string {
    const [start] = this.graph(name).flatMap(({ subject }) => (subject.value === name ? [subject] : []));
    if (!start) return '';
    const first = (path: readonly string[]): string =>
      this.reached(name, start, [path])
        .map(({ value }) => value.toLowerCase())
        .sort()[0] ?? '';
    return paths.map(first).join('\t');
  }
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The first and last millisecond that a date covers. */
type Period = readonly [from: number, to: number];

/** Parses a date independently of the container: tests must not share its mistakes. */
function periodOf(text: string): Period | undefined {
  const [, year, month, day, time] = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(.+))?)?)?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  if (time !== undefined) {
    const from = Date.parse(/Z|[+-]\d\d/.test(time) ? text : `${text}Z`);
    const length = /^\d\d:\d\d:\d\d\./.test(time) ? 0 : /^\d\d:\d\d:\d\d/.test(time) ? 999 : 59_999;
    return Number.isNaN(from) ? undefined : [from, from + length];
  }
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)];
  const end = Date.UTC(y + (month ? 0 : 1), m + (month && !day ? 1 : 0), d + (day ? 1 : 0));
  return [Date.UTC(y, m, d), end - 1];
}

const keeps: Readonly<Record<DateOperator, (stored: Period, given: Period) => boolean>> = {
  from: ([, end], [from]) => end >= from,
  from_excluding: ([, end], [, to]) => end > to,
  to: ([start], [, to]) => start <= to,
  to_excluding: ([start], [from]) => start < from,
};

export function passesDate(operator: DateOperator, stored: string, given: string): boolean {
  const [own, asked] = [periodOf(stored), periodOf(given)];
  return own !== undefined && asked !== undefined && keeps[operator](own, asked);
}
