import type { Ontology } from '../model/ontology/model.js';
import { readTriples, writeTerm } from '../rdf/ntriples.js';
import { INNER_MARK } from '../rdf/skolem-iris.js';
import { literal, namedNode } from '../rdf/terms.js';
import { dcterms } from '../rdf/vocabulary.js';
import { ontologyIri } from '../records/resource-paths.js';
import type { View } from '../store/chunk.js';
import { dateProperties, dateTriples } from './date-nodes.js';
import { derivedValues } from './derived-values.js';
import type { LevelView } from './levels.js';

export interface LevelGraph {
  readonly name: string;
  readonly own: readonly string[];
  readonly merged: readonly string[];
  /** Titles for the default graph, of codes that had none so far. */
  readonly titles: readonly CodeTitle[];
}

export interface CodeTitle {
  readonly code: string;
  readonly triple: string;
}

export interface LevelSource {
  readonly base: string;
  readonly ontology: Pick<Ontology, 'properties' | 'classes' | 'codes'>;
}

/**
 * Makes the content of a level from the name and N-Triples of a stored graph. Records and the ontology also go into the
 * default graph, with the instants of their dates. There each statement occurs once, while an engine that merges graphs
 * at query time would count duplicates. A code has one title there: the ontology's, else the first that comes, since a
 * result would count once for each title of its code. Triples lack their line ends.
 */
export function levelGraphs(
  view: LevelView,
  { base, ontology }: LevelSource,
): (name: string, ntriples: string) => LevelGraph {
  const dates = dateProperties(ontology);
  const derived = derivedValues(ontology);
  const titled = new Set(
    [...ontology.codes.values()].flatMap(({ iri, title }) => (title === '' ? [] : [iri])),
  );
  return (stored, ntriples) => {
    const isOfRecord = stored.startsWith(`${base}/records/`);
    const isMerged = isOfRecord || stored === ontologyIri(base);
    const name = view.nameOf(stored);
    const quads = view.quadsOf(stored, readTriples(ntriples));
    const own: string[] = [];
    const merged: string[] = [];
    const titles: CodeTitle[] = [];
    for (const { subject, predicate, object } of quads) {
      const triple = `${writeTerm(subject)} ${writeTerm(predicate)} ${writeTerm(object)}`;
      own.push(triple);
      if (!isMerged) continue;
      if (isOfRecord && predicate.value === dcterms.title && !isWithin(name, subject.value)) {
        if (!titled.has(subject.value)) titles.push({ code: writeTerm(subject), triple });
        titled.add(subject.value);
        continue;
      }
      merged.push(triple);
      if (dates.has(predicate.value)) merged.push(...dateTriples(object));
    }
    if (isOfRecord) {
      // In both graphs, so that they are removed with their graph.
      const more = derived(name, quads);
      own.push(...more);
      merged.push(...more);
    }
    return { name, own, merged, titles };
  };
}

/** Whether a node is a graph's resource or one of its inner nodes. Titles of other nodes are titles of codes. */
const isWithin = (name: string, node: string): boolean => node === name || node.startsWith(name + INNER_MARK);

/** Makes the content as N-Quads. */
export function levelText(view: LevelView, source: LevelSource): View {
  const graphOf = levelGraphs(view, source);
  return (stored, ntriples) => {
    const { name, own, merged, titles } = graphOf(stored, ntriples);
    const graph = ` ${writeTerm(namedNode(name))} .\n`;
    let text = '';
    for (const triple of own) text += triple + graph;
    for (const triple of merged) text += `${triple} .\n`;
    for (const { triple } of titles) text += `${triple} .\n`;
    return text;
  };
}

/**
 * Writes the update that removes graphs. The default graph keeps the titles of codes, which other records have as well.
 * @param names in the level @param place stands in for the default graph
 */
export function removalOf(names: readonly string[], place?: string): string {
  const shared = place === undefined ? undefined : writeTerm(namedNode(place));
  const gone = shared === undefined ? '?s ?p ?o' : `GRAPH ${shared} { ?s ?p ?o }`;
  return names
    .map((name) => {
      const graph = writeTerm(namedNode(name));
      const isOther = [graph, shared].flatMap((each) => (each === undefined ? [] : [`?other != ${each}`]));
      const others = `FILTER NOT EXISTS { GRAPH ?other { ?s ?p ?o } FILTER (${isOther.join(' && ')}) }`;
      const isOwn = `FILTER (?p != <${dcterms.title}> || STRSTARTS(STR(?s), ${writeTerm(literal(name))}))`;
      return `DELETE { ${gone} } WHERE { GRAPH ${graph} { ?s ?p ?o } ${isOwn} ${others} } ;\nCLEAR SILENT GRAPH ${graph}`;
    })
    .join(' ;\n');
}
