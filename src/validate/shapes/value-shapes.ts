import type { Ontology } from '../../ontology/model.js';
import { shortName } from '../../ontology/term-names.js';
import { isoDatePattern } from '../../rdf/iso-date.js';
import { literal } from '../../rdf/terms.js';
import { sh } from '../../rdf/vocabulary.js';
import { iri, partOfName, type ShapeGraph } from './shape-graph.js';
import { byKey } from './sorted.js';
import { textOf } from './text-pattern.js';

/** One shape for each property whose literals are written in a certain way, on whatever class it stands. */
export function addValueShapes(graph: ShapeGraph, ontology: Ontology): void {
  for (const { iri: property, valueType, choices } of byKey(ontology.properties)) {
    const name = partOfName(property);
    const where = [
      [sh.targetSubjectsOf, iri(property)],
      [sh.path, iri(property)],
    ] as const;
    if (valueType === 'date') {
      graph.add({
        name: [name, 'date'],
        kind: 'PropertyShape',
        rule: 'shape-date',
        message: `${shortName(property)} must be an ISO 8601 date.`,
        says: [...where, [sh.nodeKind, iri(sh.Literal)], [sh.pattern, literal(isoDatePattern)]],
      });
    } else if (choices.length > 0) {
      graph.add({
        name: [name, 'choice'],
        kind: 'PropertyShape',
        rule: 'shape-choice',
        message: `${shortName(property)} must be one of ${choices.join(', ')}.`,
        says: [...where, [sh.nodeKind, iri(sh.Literal)], textOf(...choices)],
      });
    }
  }
}
