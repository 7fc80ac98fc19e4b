import type { Rule } from '../../check/rule.js';
import type { Ontology } from '../../ontology/model.js';
import { shortName } from '../../ontology/term-names.js';
import { byKey } from '../../../rdf/by-key.js';
import { isoDatePattern } from '../../../rdf/iso-date.js';
import { literal } from '../../../rdf/terms.js';
import { sh } from '../../../rdf/vocabulary.js';
import { iri, textOf, type ShapeGraph } from './shape-graph.js';

export const shapeDate: Rule = {
  id: 'shape-date',
  severity: 'error',
  summary: 'A date is ISO 8601: a year, a month, a day, or a day with its time.',
  hint: 'Write the date as YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.',
};

const shapeChoice: Rule = {
  id: 'shape-choice',
  severity: 'error',
  summary: 'A property with listed values in the ontology has one of them.',
  hint: 'Write one of the values that the message lists, as plain text.',
};

export const valueRules = [shapeDate, shapeChoice];

/** Adds one shape per property whose literals have a stated form, for all classes. */
export function addValueShapes(graph: ShapeGraph, ontology: Ontology): void {
  for (const { iri: property, valueType, choices } of byKey(ontology.properties)) {
    const name = graph.partOfName(property);
    const where = [
      [sh.targetSubjectsOf, iri(property)],
      [sh.path, iri(property)],
    ] as const;
    if (valueType === 'date') {
      graph.add({
        name: [name, 'date'],
        kind: 'PropertyShape',
        rule: shapeDate,
        message: `${shortName(property)} must be an ISO 8601 date.`,
        says: [...where, [sh.nodeKind, iri(sh.Literal)], [sh.pattern, literal(isoDatePattern)]],
      });
    } else if (choices.length > 0) {
      graph.add({
        name: [name, 'choice'],
        kind: 'PropertyShape',
        rule: shapeChoice,
        message: `${shortName(property)} must be one of ${choices.join(', ')}.`,
        says: [...where, [sh.nodeKind, iri(sh.Literal)], textOf(...choices)],
      });
    }
  }
}
