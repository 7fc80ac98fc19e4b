import type { Ontology } from '../ontology/model.js';
import { dateStatements } from '../query/date-index.js';
import { nameStatements } from '../query/name-index.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import { vcard } from '../rdf/vocabulary.js';

/** Makes the index statements of one graph. @param name the graph's IRI @param ntriples what it holds */
export type DeriveIndex = (name: string, ntriples: string) => string;

/** What people are searched by. */
const NAMES = [vcard['given-name'], vcard['family-name']];

/**
 * Makes the function that gives a replica the index statements of each graph it takes in: the instants of every
 * date that a call of the ontology filters or sorts by, and the folded names of people. The forms are those of
 * `query/date-index.ts` and `query/name-index.ts`; graphs with neither give ''.
 */
export function deriveIndex(ontology: Ontology): DeriveIndex {
  const dates = datedProperties(ontology);
  const marks = [...dates, vcard.n, ...NAMES].map((property) => ` <${property}> `);
  return (name, ntriples) => {
    // One or two lines in twenty matter, and replicas are filled with millions: look before reading.
    const lines = ntriples.split('\n').filter((line) => marks.some((mark) => line.includes(mark)));
    if (lines.length === 0) return '';
    const quads = readTriples(lines.join('\n'));
    const ofResource = quads.filter(({ subject }) => subject.value === name);
    const own = dates.map((property) => dateStatements(name, property, values(ofResource, property)));
    const holders = new Set(
      ofResource.filter(({ predicate }) => predicate.value === vcard.n).map(({ object }) => object.value),
    );
    const ofNames = quads.filter(({ subject }) => holders.has(subject.value));
    const names = NAMES.map((property) => nameStatements(name, property, values(ofNames, property)));
    return [...own, ...names].join('');
  };
}

/** Properties of statements whose dates filters or orders of the ontology's calls look at. */
function datedProperties(ontology: Ontology): string[] {
  const properties = new Set<string>();
  for (const { filters, sortProperties } of ontology.calls) {
    for (const { properties: dated, operator } of filters)
      if (operator) dated.forEach((iri) => properties.add(iri));
    for (const iri of sortProperties) properties.add(iri);
  }
  return [...properties].sort();
}

function values(quads: readonly Quad[], property: string): string[] {
  return quads
    .filter(({ predicate, object }) => predicate.value === property && object.termType === 'Literal')
    .map(({ object }) => object.value);
}
