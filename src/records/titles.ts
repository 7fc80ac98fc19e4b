import type { CodeModel } from '../model/ontology/model.js';
import { literal, quad, type Quad, type Term } from '../rdf/terms.js';
import { dcterms } from '../rdf/vocabulary.js';
import type { NamedGraph } from '../store/graph-store.js';

export interface KnownCodes {
  readonly codes: ReadonlyMap<string, Pick<CodeModel, 'title'>>;
}

export type Titles = Map<string, Term>;

/** Collects code titles from quads, the least of several; adds to `titles`. */
export function collectTitles(quads: Iterable<Quad>, base: string, titles: Titles = new Map()): Titles {
  for (const found of quads) {
    if (!isCodeTitle(found, base)) continue;
    const { value } = found.subject;
    const known = titles.get(value);
    if (known === undefined || found.object.value < known.value) titles.set(value, found.object);
  }
  return titles;
}

/**
 * Gives each code one title: the ontology's, else the record's, else the least in the file.
 * @param known titles in the stored record
 * @returns the graphs, and the number of changed codes
 */
export function unifyTitles(
  graphs: readonly NamedGraph[],
  ontology: KnownCodes,
  base: string,
  known: Titles,
): { graphs: NamedGraph[]; changed: number } {
  const inFile: Titles = new Map();
  for (const { quads } of graphs) collectTitles(quads, base, inFile);
  const chosen = (iri: string): Term | undefined =>
    ontologyTitle(ontology, iri) ?? known.get(iri) ?? inFile.get(iri);
  const changed = new Set<string>();
  const unified = graphs.map((graph) => {
    const wrong = graph.quads.filter(
      (found) => isCodeTitle(found, base) && !found.object.equals(chosen(found.subject.value)),
    );
    if (wrong.length === 0) return graph;
    for (const { subject } of wrong) changed.add(subject.value);
    return { name: graph.name, quads: retitle(graph.quads, (found) => isCodeTitle(found, base), chosen) };
  });
  return { graphs: unified, changed: changed.size };
}

/** Keeps one title per code, since clients fail on two: the ontology's, else the least. */
export function oneTitlePerCode(quads: Quad[], ontology: KnownCodes): Quad[] {
  const titles: Titles = new Map();
  const doubled = new Set<string>();
  for (const { subject, predicate, object } of quads) {
    if (predicate.value !== dcterms.title || subject.termType !== 'NamedNode') continue;
    const known = titles.get(subject.value);
    if (known === undefined) titles.set(subject.value, object);
    else if (!known.equals(object)) {
      doubled.add(subject.value);
      if (object.value < known.value) titles.set(subject.value, object);
    }
  }
  if (doubled.size === 0) return quads;
  return retitle(
    quads,
    ({ subject, predicate }) => predicate.value === dcterms.title && doubled.has(subject.value),
    (iri) => ontologyTitle(ontology, iri) ?? titles.get(iri),
  );
}

function ontologyTitle(ontology: KnownCodes, iri: string): Term | undefined {
  const title = ontology.codes.get(iri)?.title;
  return title === undefined || title === '' ? undefined : literal(title);
}

/** Codes have IRIs from elsewhere; a title under our own base is a document's. */
function isCodeTitle({ subject, predicate }: Quad, base: string): boolean {
  return (
    predicate.value === dcterms.title &&
    subject.termType === 'NamedNode' &&
    !subject.value.startsWith(`${base}/`)
  );
}

/** Replaces the titles picked by `applies` with one chosen title per subject. */
function retitle(
  quads: readonly Quad[],
  applies: (quad: Quad) => boolean,
  chosen: (iri: string) => Term | undefined,
): Quad[] {
  const done = new Set<string>();
  return quads.flatMap((found) => {
    if (!applies(found)) return [found];
    const { value } = found.subject;
    if (done.has(value)) return [];
    done.add(value);
    return [quad(found.subject, found.predicate, chosen(value) ?? found.object, found.graph)];
  });
}
