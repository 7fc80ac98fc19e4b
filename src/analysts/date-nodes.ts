import type { Ontology } from '../model/ontology/model.js';
import { instants } from '../model/query/partial-date.js';
import { writeTerm } from '../rdf/ntriples.js';
import { literal, namedNode, type Quad } from '../rdf/terms.js';
import { cg, ownUrn, rdf, xsd } from '../rdf/vocabulary.js';

const DATE = `${ownUrn}date:`;
const DAY_MS = 86_400_000;

export function dateProperties({ properties }: Pick<Ontology, 'properties'>): ReadonlySet<string> {
  const dates = [...properties.values()].filter(({ valueType }) => valueType === 'date');
  return new Set(dates.map(({ iri }) => iri));
}

/**
 * Writes a date's node with its first and last instant and day, as N-Triples without line ends; empty if it is not a
 * date. Days are numbers: engines agree on how to subtract these, but not on dates and durations.
 */
export function dateTriples(date: Quad['object']): string[] {
  const period = date.termType === 'Literal' ? instants(date.value) : undefined;
  if (!period) return [];
  const node = writeTerm(namedNode(DATE + encodeURIComponent(date.value)));
  const instant = (text: string): string => writeTerm(literal(text, namedNode(xsd.dateTime)));
  const day = (text: string): string =>
    writeTerm(literal(String(Math.floor(Date.parse(text) / DAY_MS)), namedNode(xsd.integer)));
  return [
    `${node} <${rdf.value}> ${writeTerm(date)}`,
    `${node} <${cg.earliest}> ${instant(period.low)}`,
    `${node} <${cg.latest}> ${instant(period.high)}`,
    `${node} <${cg.firstDay}> ${day(period.low)}`,
    `${node} <${cg.lastDay}> ${day(period.high)}`,
  ];
}
