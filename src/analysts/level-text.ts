import type { Ontology } from '../ontology/model.js';
import { instants } from '../query/partial-date.js';
import { readTriples, writeTerm } from '../rdf/ntriples.js';
import { literal, namedNode, type Quad } from '../rdf/terms.js';
import { cg, ownUrn, rdf, xsd } from '../rdf/vocabulary.js';
import { ontologyIri } from '../records/resource-paths.js';
import type { View } from '../store/chunk.js';
import type { LevelView } from './levels.js';

/** Names the node that tells of a date: this + the text of the date. */
const DATE = `${ownUrn}date:`;

/** What a level holds of a stored graph; triples are N-Triples without the end of their lines. */
export interface LevelGraph {
  /** As the level has it. */
  readonly name: string;
  /** What the graph of that name holds. */
  readonly own: readonly string[];
  /** What the default graph holds because of it. */
  readonly merged: readonly string[];
}

/** What is needed to know what a level holds. */
export interface LevelSource {
  readonly base: string;
  readonly ontology: Pick<Ontology, 'properties'>;
}

/**
 * What a level holds of a stored graph: its statements under the graph's name; those of records and of the ontology in
 * the default graph, too, with the instants of their dates. There each statement is once, however many graphs state it:
 * an engine that takes the union of graphs when it is asked counts it for each.
 * @returns what reads a graph by its name and its absolute N-Triples
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

/** What `levelGraphs` gives, as N-Quads. */
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

/**
 * The SPARQL Update that takes graphs away from a level, and from the default graph what no other graph states.
 * @param names as the level has them
 * @param place the graph that stands in the place of the default one, where a server has none of its own
 */
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

/** Every property whose values the ontology calls dates. */
export function dateProperties({ properties }: Pick<Ontology, 'properties'>): ReadonlySet<string> {
  const dates = [...properties.values()].filter(({ valueType }) => valueType === 'date');
  return new Set(dates.map(({ iri }) => iri));
}

/**
 * A node for a date, with the first and the last instant that it means, as N-Triples without the end of their lines;
 * nothing for what is no date.
 */
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
