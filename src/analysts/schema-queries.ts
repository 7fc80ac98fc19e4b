import type { ClassModel, Ontology } from '../ontology/model.js';
import { writeTerm } from '../rdf/ntriples.js';
import { namedNode } from '../rdf/terms.js';

/** A value that is had by fewer things than this may tell whose it is. */
const LEAST = 3;
/** Values that are looked at. */
const VALUES = 500;

/** Counts the instances of every class: a row of `class` and `n` for each. */
export const CLASS_COUNTS = 'SELECT ?class (COUNT(*) AS ?n) { ?s a ?class } GROUP BY ?class';

/** Counts the instances of a class that have each property: a row of `property` and `n` for each. */
export function propertyCounts({ iri }: Pick<ClassModel, 'iri'>): string {
  return `SELECT ?property (COUNT(DISTINCT ?s) AS ?n) { ?s a ${written(iri)} ; ?property ?o } GROUP BY ?property`;
}

/**
 * Asks for values that instances of a class often have, and for the titles of what they lead to, the most frequent first:
 * rows of `property`, `value` and `n`. Only of properties that tell nothing of a person, and only what several things
 * have. Undefined where there is none to ask for.
 */
export function frequentValues(ontology: Ontology, of: ClassModel): string | undefined {
  const own = [...of.rules.keys()].filter((property) => isTold(ontology, of, property));
  const titled = [...of.rules.values()].flatMap(({ property, classes }) =>
    classes.flatMap((iri) =>
      titlesOf(ontology, iri).map((title) => `(${written(property)} ${written(title)})`),
    ),
  );
  const branches = [
    ...(own.length > 0 ? [`{ VALUES ?property { ${own.map(written).join(' ')} } ?s ?property ?value }`] : []),
    ...(titled.length > 0
      ? [`{ VALUES (?property ?title) { ${titled.join(' ')} } ?s ?property ?node . ?node ?title ?value }`]
      : []),
  ];
  if (branches.length === 0) return undefined;
  return `SELECT ?property ?value (COUNT(*) AS ?n) {
  ?s a ${written(of.iri)} .
  ${branches.join('\n  UNION ')}
} GROUP BY ?property ?value HAVING (COUNT(*) >= ${LEAST}) ORDER BY DESC(?n) ?value LIMIT ${VALUES}`;
}

function titlesOf(ontology: Ontology, iri: string): string[] {
  const of = ontology.classes.get(iri);
  return of ? of.shown.title.filter((title) => isTold(ontology, of, title)) : [];
}

/** Whether the literals of a property tell nothing of a person on instances of a class. */
function isTold({ properties }: Ontology, { impersonal }: ClassModel, property: string): boolean {
  const { identifying, kind } = properties.get(property) ?? {};
  return kind === 'datatype' && (identifying === 'none' || impersonal.includes(property));
}

const written = (iri: string): string => writeTerm(namedNode(iri));
