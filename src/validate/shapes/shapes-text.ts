import type { Ontology } from '../../ontology/model.js';
import { prefixes, shapePrefixes } from '../../rdf/vocabulary.js';
import { nestedTurtle } from './nested-turtle.js';
import { deriveShapes } from './derive-shapes.js';

/** The shapes of an ontology as Turtle for people to read. The same ontology gives the same text. */
export function shapesText(ontology: Ontology): string {
  const name = [ontology.iri, ontology.version].filter((part) => part !== '').join(' ');
  const title = `# What data has to obey, as SHACL shapes: derived from the restrictions of the ontology ${name}.\n`;
  return title + nestedTurtle(deriveShapes(ontology), { ...prefixes, ...shapePrefixes });
}
