import { isA, type CallModel, type Ontology } from '../ontology/model.js';
import { PathTemplate } from '../ontology/path-template.js';
import type { Quad, Term } from '../rdf/terms.js';
import { rdf, sp } from '../rdf/vocabulary.js';
import type { NamedGraph } from '../store/graph-store.js';
import { periodOf } from './naive-dates.js';

/** The graphs of a seed, read with loops over arrays: no engine, no query, no index. */
export class NaiveData {
  readonly #graphs: ReadonlyMap<string, readonly Quad[]>;

  /** @param base without a slash at its end */
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

  /** The path of a resource below the base URL. */
  pathOf(name: string): string {
    return name.slice(this.base.length);
  }

  /** Where paths of properties lead to from a node, inside one graph. */
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

  /** Values of a resource itself. */
  values(name: string, property: string): Term[] {
    return this.graph(name)
      .filter(({ subject, predicate }) => subject.value === name && predicate.value === property)
      .map(({ object }) => object);
  }

  /**
   * Names of everything that a call is about, in a record or, without one, anywhere: what stands where its class says,
   * of that class, of one beneath it, or of one that shares the place.
   */
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

  /** The properties of a resource itself. */
  propertiesOf(name: string): string[] {
    return this.graph(name).flatMap(({ subject, predicate }) =>
      subject.value === name ? [predicate.value] : [],
    );
  }

  typesOf(name: string): string[] {
    return this.values(name, rdf.type).map(({ value }) => value);
  }

  /** Members of a list in the order that the ontology gives it. */
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
