import type { Ontology } from '../model/ontology/model.js';
import { instants } from '../model/query/partial-date.js';
import { readTriples, writeTerm } from '../rdf/ntriples.js';
import { literal, namedNode, type Quad } from '../rdf/terms.js';
import { cg, ownUrn, rdf, xsd } from '../rdf/vocabulary.js';
import { ontologyIri } from '../records/resource-paths.js';
import type { View } from '../store/chunk.js';
import type { LevelView } from './levels.js';

const DATE = `${ownUrn}date:`;

export interface LevelGraph {
  readonly name: string;
  readonly own: readonly string[];
  readonly merged: readonly string[];
}

export interface LevelSource {
  readonly base: string;
  readonly ontology: Pick<Ontology, 'properties'>;
}

/**
 * Makes the content of a level from the name and N-Triples of a stored graph. Records and the ontology also go into the
 * default graph, with the instants of their dates. There each statement occurs once, while an engine that merges graphs
 * at query time would count duplicates. Triples lack their line ends.
 */
export function levelGraphs(
  view: LevelView,
  { base, ontology }: LevelSource,
): (name: string, ntriples: string) => LevelGraph {
  const dates = dateProperties(ontology);
  return (name, ntriples) => {
    const isMerged = name.startsWith(`${base}/records/`) || name === ontologyIri(base);
    const own: string[] = [];
    const merged: string[] = [];
    for (const { subject, predicate, object } of view.quadsOf(name, readTriples(ntriples))) {
      const triple = `${writeTerm(subject)} ${writeTerm(predicate)} ${writeTerm(object)}`;
      own.push(triple);
      if (!isMerged) continue;
      merged.push(triple);
      if (dates.has(predicate.value)) merged.push(...dateTriples(object));
    }
    return { name: view.nameOf(name), own, merged };
  };
}

/** Makes the content as N-Quads. */
export function levelText(view: LevelView, source: LevelSource): View {
  const graphOf = levelGraphs(view, source);
  return (stored, ntriples) => {
    const { name, own, merged } = graphOf(stored, ntriples);
    const graph = ` ${writeTerm(namedNode(name))} .\n`;
    let text = '';
    for (const triple of own) text += triple + graph;
    for (const triple of merged) text += `${triple} .\n`;
    return text;
  };
}

/** Writes the update that removes graphs. @param names in the level @param place stands in for the default graph */
export function removalOf(names: readonly string[], place?: string): string {
  const shared = place === undefined ? undefined : writeTerm(namedNode(place));
  const gone = shared === undefined ? '?s ?p ?o' : `GRAPH ${shared} { ?s ?p ?o }`;
  return names
    .map((name) => {
      const graph = writeTerm(namedNode(name));
      const isOther = [graph, shared].flatMap((each) => (each === undefined ? [] : [`?other != ${each}`]));
      const others = `FILTER NOT EXISTS { GRAPH ?other { ?s ?p ?o } FILTER (${isOther.join(' && ')}) }`;
      return `DELETE { ${gone} } WHERE { GRAPH ${graph} { ?s ?p ?o } ${others} } ;\nCLEAR SILENT GRAPH ${graph}`;
    })
    .join(' ;\n');
}

export function dateProperties({ properties }: Pick<Ontology, 'properties'>): ReadonlySet<string> {
  const dates = [...properties.values()].filter(({ valueType }) => valueType === 'date');
  return new Set(dates.map(({ iri }) => iri));
}

/** Writes a date's node with its first and last instant, as N-Triples without line ends; empty if it is not a date. */
export function dateTriples(date: Quad['object']): string[] {
  const period = date.termType === 'Literal' ? instants(date.value) : undefined;
  if (!period) return [];
  const node = writeTerm(namedNode(DATE + encodeURIComponent(date.value)));
  const instant = (text: string): string => writeTerm(literal(text, namedNode(xsd.dateTime)));
  return [
    `${node} <${rdf.value}> ${writeTerm(date)}`,
    `${node} <${cg.earliest}> ${instant(period.low)}`,
    `${node} <${cg.latest}> ${instant(period.high)}`,
  ];
}
