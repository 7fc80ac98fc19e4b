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

/**
 * What a level holds of a stored graph, as N-Quads: its statements under the graph's name; those of records and of the
 * ontology in the default graph, too, with the instants of their dates. There each statement is once, however many graphs
 * state it: an engine that takes the union of graphs when it is asked counts it for each.
 */
export function levelText(
  view: LevelView,
  { base, ontology }: { readonly base: string; readonly ontology: Pick<Ontology, 'properties'> },
): View {
  const dates = dateProperties(ontology);
  return (name, ntriples) => {
    const quads = view.quadsOf(name, readTriples(ntriples));
    const isMerged = name.startsWith(`${base}/records/`) || name === ontologyIri(base);
    const graph = ` ${writeTerm(namedNode(view.nameOf(name)))} .\n`;
    let text = '';
    for (const { subject, predicate, object } of quads) {
      const line = `${writeTerm(subject)} ${writeTerm(predicate)} ${writeTerm(object)}`;
      text += line + graph;
      if (isMerged) text += `${line} .\n`;
      if (isMerged && dates.has(predicate.value)) text += dateText(object);
    }
    return text;
  };
}

/**
 * The SPARQL Update that takes graphs away from a level, and from the default graph what no other graph states.
 * @param names as the level has them
 */
export function removalOf(names: readonly string[]): string {
  return names
    .map((name) => {
      const graph = writeTerm(namedNode(name));
      const others = `FILTER NOT EXISTS { GRAPH ?other { ?s ?p ?o } FILTER (?other != ${graph}) }`;
      return `DELETE { ?s ?p ?o } WHERE { GRAPH ${graph} { ?s ?p ?o } ${others} } ;\nCLEAR SILENT GRAPH ${graph}`;
    })
    .join(' ;\n');
}

/** Every property whose values the ontology calls dates. */
function dateProperties({ properties }: Pick<Ontology, 'properties'>): ReadonlySet<string> {
  const dates = [...properties.values()].filter(({ valueType }) => valueType === 'date');
  return new Set(dates.map(({ iri }) => iri));
}

/** A node for each date, with the first and the last instant that it means; nothing for what is no date. */
function dateText(date: Quad['object']): string {
  const period = date.termType === 'Literal' ? instants(date.value) : undefined;
  if (!period) return '';
  const node = writeTerm(namedNode(DATE + encodeURIComponent(date.value)));
  const says = (property: string, value: string): string => `${node} <${property}> ${value} .\n`;
  const instant = (text: string): string => writeTerm(literal(text, namedNode(xsd.dateTime)));
  return (
    says(rdf.value, writeTerm(date)) +
    says(cg.earliest, instant(period.low)) +
    says(cg.latest, instant(period.high))
  );
}
