import type { KeyObject } from 'node:crypto';
import type { Ontology } from '../../model/ontology/model.js';
import { localName } from '../../model/ontology/term-names.js';
import { termKey } from '../../rdf/term-key.js';
import { namedNode, quad, literal, type Quad, type Term, type Literal } from '../../rdf/terms.js';
import { api, dcterms } from '../../rdf/vocabulary.js';
import { ontologyIri, recordPath, statementPaths } from '../../records/resource-paths.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { KnownNames } from '../known-names.js';
import type { LevelView } from '../levels.js';
import { pseudonymKey, pseudonyms } from './pseudonyms.js';
import { publicIris } from './forms.js';
import { shownLiteral, leastYearIn, tellsWho, withheld, type LiteralView } from './literals.js';
import { whatIsDisclosed, type Disclosable } from './disclosable.js';

export interface DeidentifierOptions {
  readonly ontology: Ontology;
  readonly base: string;
  readonly key: KeyObject;
  /** Reads a graph; empty if it does not exist. Used for singletons, which hold a person's identifiers. */
  readonly readGraph: (graph: string) => readonly Quad[];
  readonly year?: () => number;
}

export function deidentifiedView(primary: PrimaryStore, ontology: Ontology): LevelView {
  return deidentifier({
    ontology,
    base: primary.base,
    key: pseudonymKey(primary.directory.accountKey),
    readGraph: (graph) => primary.graph(graph) ?? [],
  });
}

interface Known {
  readonly texts: readonly string[];
  readonly names: KnownNames;
}

const knownBy = (texts: readonly string[]): Known => ({ texts, names: new KnownNames(texts) });

/** The number of records whose identifiers are cached. */
const MAX_CACHED = 256;

/**
 * Makes the de-identified view of a container, as its ontology decides (docs/deidentification.md). It is closed by
 * default: it shows only what is reachable from the resource of a graph through declared and classified classes and
 * properties. Each graph is processed alone, always with the same result, in no particular order and in linear time.
 */
export function deidentifier(options: DeidentifierOptions): LevelView {
  const { ontology, base, key, year = () => new Date().getUTCFullYear() } = options;
  const names = pseudonyms(key);
  const isPublic = publicIris(ontology);
  const units = new Set([...ontology.classes.values()].flatMap(({ shown }) => shown.unit));
  const titlesOf = codeTitles(ontology);
  const description = ontologyIri(base);
  const identifiersOf = identifiersByRecord(options);

  // Without the base URL, so that pseudonyms survive a change of it.
  const local = (iri: string): string => (iri.startsWith(`${base}/`) ? iri.slice(base.length) : iri);
  const nameOf = (graph: string): string => (graph === description ? graph : names.of(local(graph)));
  const shownNode = (term: Term, graph: string, isOpen: (iri: string) => boolean): Term => {
    // A blank node label may be derived from the name of its graph.
    const iri = term.termType === 'BlankNode' ? `${graph}#_:${term.value}` : term.value;
    return term.termType === 'NamedNode' && isOpen(iri) ? term : namedNode(names.of(local(iri)));
  };

  return {
    nameOf,
    quadsOf: (graph, quads) => {
      // Examples belong to the documentation, and show invented people.
      if (graph === description) return quads.filter(({ predicate }) => predicate.value !== api.example);
      const person = personOf(graph, base);
      if (person === undefined) return [];
      const { disclosables, identifiers } = whatIsDisclosed(ontology, graph, quads);
      const known = identifiersOf(graph, person);
      const view = {
        base,
        units,
        days: names.days(local(person)),
        leastYear: leastYearIn(year()),
        // Built once per record, unless the graph itself adds identifiers.
        names: identifiers.length === 0 ? known.names : new KnownNames([...known.texts, ...identifiers]),
      };
      const name = namedNode(nameOf(graph));
      const isOpen = (iri: string): boolean => isPublic(iri, view.names);
      const titleOf = titlesOf(disclosables, view, isOpen);
      return disclosables.flatMap((disclosable) => {
        const { subject, predicate, object } = disclosable.quad;
        const value =
          titleOf(disclosable) ??
          (object.termType === 'Literal'
            ? isPublicText(object.value, subject.value, isOpen)
              ? object
              : shownLiteral(object, disclosable, view)
            : shownNode(object, graph, isOpen));
        return value ? [quad(shownNode(subject, graph, isOpen), predicate, value, name)] : [];
      });
    },
  };
}

/** Whether a text is a public IRI, or the system or identifier in the public IRI of its subject. */
const isPublicText = (text: string, subject: string, isOpen: (iri: string) => boolean): boolean =>
  isOpen(text) || (text !== '' && isOpen(subject) && (subject.startsWith(text) || subject.endsWith(text)));

/** Returns the resource that a graph belongs to: a record, a user or an app; undefined for others. */
function personOf(graph: string, base: string): string | undefined {
  if (!graph.startsWith(`${base}/`)) return undefined;
  const [kind = '', id = ''] = graph.slice(base.length + 1).split('/', 2);
  return id === '' ? undefined : `${base}/${kind}/${id}`;
}

/** Makes a function that finds a person's identifiers in the record's singletons; none outside records. */
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
    // A singleton is processed because it is new or has changed, so the cached identifiers are outdated.
    if (singles.some((path) => graph === `${person}/${path}`)) held.delete(person);
    const known = held.get(person);
    if (known) return known;
    const found = knownBy(
      singles.flatMap((path) => {
        const single = `${person}/${path}`;
        return whatIsDisclosed(ontology, single, readGraph(single)).identifiers;
      }),
    );
    if (held.size >= MAX_CACHED) held.clear();
    held.set(person, found);
    return found;
  };
}

/**
 * Handles titles of codes and of coded things. A text recorded beside a code is never shown; it is replaced by the
 * title of the code: the ontology's, else the one that the graph states for a code of a shared code system, else the
 * code's identifier.
 * @returns a function that takes all statements of a graph and makes one that returns the title to show; undefined for
 * a statement that is not a title
 */
function codeTitles({
  classes,
  codes,
}: Ontology): (
  disclosables: readonly Disclosable[],
  view: LiteralView,
  isOpen: (iri: string) => boolean,
) => (disclosable: Disclosable) => Literal | undefined {
  const toCodes = new Set([...classes.values()].flatMap(({ shown }) => shown.code));
  return (disclosables, view, isOpen) => {
    const stated = new Map<string, Literal | undefined>();
    const coded = new Map<string, string>();
    for (const disclosable of disclosables) {
      const { subject, predicate, object } = disclosable.quad;
      if (toCodes.has(predicate.value)) coded.set(termKey(subject), termKey(object));
      if (object.termType === 'Literal' && predicate.value === dcterms.title)
        stated.set(termKey(subject), tellsWho(object.value, view) ? undefined : literal(object.value));
    }
    return ({ quad: { subject, predicate } }) => {
      if (predicate.value !== dcterms.title) return undefined;
      const code = coded.get(termKey(subject)) ?? termKey(subject);
      const known = codes.get(code)?.title ?? '';
      if (known !== '') return literal(known);
      return isOpen(code) ? (stated.get(code) ?? literal(localName(code))) : withheld;
    };
  };
}
