import type { PropertyModel } from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';
import { instants } from '../query/partial-date.js';
import { termText } from '../rdf/term-key.js';
import type { Term } from '../rdf/terms.js';
import type { Violation } from './violation.js';

/**
 * Values that are not written as the ontology says of their property: dates in ISO 8601, one of its choices. A node in
 * their place is told here unless the rule of the class does so (`restricted`).
 */
export function literalViolations(
  node: string,
  what: string,
  property: PropertyModel,
  objects: readonly Term[],
  restricted: boolean,
): Violation[] {
  const { choices } = property;
  const isText = property.valueType === 'date' || choices.length > 0;
  if (!isText) return [];
  const name = `${shortName(property.iri)} of ${what}`;
  const texts = objects.filter((object) => object.termType === 'Literal').map((object) => object.value);
  const at = (value: string): Omit<Violation, 'rule' | 'message'> => ({
    node,
    property: property.iri,
    value,
  });
  const nodes = !restricted ? objects.filter((object) => object.termType !== 'Literal') : [];
  const misplaced = nodes.map((node): Violation => ({
    ...at(termText(node)),
    rule: 'literal',
    message: `${name} must be a literal, it is a node.`,
  }));
  if (property.valueType === 'date') {
    const wrong = texts
      .filter((text) => instants(text) === undefined)
      .map((text): Violation => ({ ...at(text), rule: 'date', message: `${name} is not an ISO 8601 date.` }));
    return [...misplaced, ...wrong];
  }
  const others = texts
    .filter((text) => !choices.includes(text))
    .map((text): Violation => ({
      ...at(text),
      rule: 'literal',
      message: `${name} must be one of ${choices.join(', ')}.`,
    }));
  return [...misplaced, ...others];
}
