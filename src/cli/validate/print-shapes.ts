import type { Ontology } from '../../ontology/model.js';
import { shapesText } from '../../validate/shapes/shapes-text.js';
import { write } from '../output.js';

/** Prints the SHACL shapes derived from an ontology, as Turtle: `chartgraph validate --shapes`. */
export function printShapes(ontology: Ontology): Promise<void> {
  return write(shapesText(ontology));
}
