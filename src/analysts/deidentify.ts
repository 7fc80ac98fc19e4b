import type { KeyObject } from 'node:crypto';
import type { Ontology } from '../ontology/model.js';
import { ontologyIri, recordPath, statementPaths } from '../records/resource-paths.js';
import { namedNode, quad, type Quad, type Term } from '../rdf/terms.js';
import { api } from '../rdf/vocabulary.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { KnownNames } from './known-names.js';
import type { LevelView } from './levels.js';
import { pseudonymKey, pseudonyms } from './pseudonyms.js';
import { publicIris } from './public-iris.js';
import { shownLiteral } from './shown-literal.js';
import { leastYearIn } from './shift-date.js';
import { whatIsTold } from './told.js';

/** What a de-identified view is made with. */
export interface DeidentifierOptions {
  readonly ontology: Ontology;
  /** The base URL, without a slash at its end. */
  readonly base: string;
  /** Of `pseudonymKey`. */
  readonly key: KeyObject;
  /**
   * What a graph holds, nothing where there is none. In those that a record has once, such as its demographics, is what
   * the person is known by.
   */
  readonly readGraph: (graph: string) => readonly Quad[];
  /** The present year. */
  readonly year?: () => number;
}

/** The de-identified view of a data directory. */
export function deidentifiedView(primary: PrimaryStore, ontology: Ontology): LevelView {
  return deidentifier({
    ontology,
    base: primary.base,
    key: pseudonymKey(primary.directory.accountKey),
    readGraph: (graph) => primary.graph(graph) ?? [],
  });
}

/** What a person is known by. */
interface Known {
  readonly texts: readonly string[];
  readonly names: KnownNames;
}

const knownBy = (texts: readonly string[]): Known => ({ texts, names: new KnownNames(texts) });

/** Of so many records what the person is known by is held at a time. */
const AT_HAND = 256;

/**
 * The de-identified view of a container, as its ontology decides (docs/deidentification.md), closed by default: shown is
 * what is reachable from the resource of a graph through classes and properties that are declared and decided about. Each
 * graph is on its own: the same always gives the same, in no certain order and in time linear in its quads.
 */
export function deidentifier(options: DeidentifierOptions): LevelView {
  const { ontology, base, key, year = () => new Date().getUTCFullYear() } = options;
  const names = pseudonyms(key);
  const isPublic = publicIris(ontology);
  const description = ontologyIri(base);
  const identifiersOf = identifiersByRecord(options);

  // Without the base, so that a container keeps its pseudonyms under another one.
  const local = (iri: string): string => (iri.startsWith(`${base}/`) ? iri.slice(base.length) : iri);
  const nameOf = (graph: string): string => (graph === description ? graph : names.of(local(graph)));
  const shownNode = (term: Term, graph: string): Term => {
    // A label may be made of the name of its graph.
    const iri = term.termType === 'BlankNode' ? `${graph}#_:${term.value}` : term.value;
    return term.termType === 'NamedNode' && isPublic(iri) ? term : namedNode(names.of(local(iri)));
  };

  return {
    nameOf,
    quadsOf: (graph, quads) => {
      if (graph === description) return described(quads);
      const person = personOf(graph, base);
      if (person === undefined) return [];
      const { tellings, identifiers } = whatIsTold(ontology, graph, quads);
      const view = {
        base,
        days: names.days(local(person)),
        leastYear: leastYearIn(year()),
        names: knownNames(identifiersOf(graph, person), identifiers),
      };
      const name = namedNode(nameOf(graph));
      return tellings.flatMap((telling) => {
        const { subject, predicate, object } = telling.quad;
        const value =
          object.termType === 'Literal' ? shownLiteral(object, telling, view) : shownNode(object, graph);
        return value ? [quad(shownNode(subject, graph), predicate, value, name)] : [];
      });
    },
  };
}

/** What the person of a record is known by, with what the graph itself adds; made once for a record, if it adds nothing. */
function knownNames({ texts, names }: Known, own: readonly string[]): KnownNames {
  return own.length === 0 ? names : new KnownNames([...texts, ...own]);
}

/** The resource that a graph is about or lies below: a record, a user, an app. Undefined for the graphs of nobody. */
function personOf(graph: string, base: string): string | undefined {
  if (!graph.startsWith(`${base}/`)) return undefined;
  const [kind = '', id = ''] = graph.slice(base.length + 1).split('/', 2);
  return id === '' ? undefined : `${base}/${kind}/${id}`;
}

/** What the person of a record is known by, as the graphs say that a record has once; nothing for other graphs. */
function identifiersByRecord({
  ontology,
  base,
  readGraph,
}: DeidentifierOptions): (graph: string, person: string) => Known {
  const singles = statementPaths(ontology).flatMap(({ segment, item }) => (item ? [] : [segment]));
  const held = new Map<string, Known>();
  const nothing = knownBy([]);
  return (graph, person) => {
    if (recordPath(graph, base) === undefined) return nothing;
    // A single graph is here because it is new or has changed, and says itself what it says.
    if (singles.some((path) => graph === `${person}/${path}`)) held.delete(person);
    const known = held.get(person);
    if (known) return known;
    const found = knownBy(
      singles.flatMap((path) => {
        const single = `${person}/${path}`;
        return whatIsTold(ontology, single, readGraph(single)).identifiers;
      }),
    );
    if (held.size >= AT_HAND) held.clear();
    held.set(person, found);
    return found;
  };
}

/** What the ontology says of itself. Its examples are for readers of its pages, and show invented people. */
function described(quads: readonly Quad[]): Quad[] {
  return quads.filter(({ predicate }) => predicate.value !== api.example);
}
