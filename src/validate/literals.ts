import type { PropertyModel } from '../ontology/model.js';
import { shortName } from '../ontology/names.js';
import { instants } from '../query/partial-date.js';
import type { Term } from '../rdf/terms.js';
import type { Violation } from './violation.js';

/** Literals that are not written as the ontology says of their property: dates in ISO 8601, one of its choices. */
export function literalViolations(
  node: string,
  what: string,
  property: PropertyModel,
  objects: readonly Term[],
): Violation[] {
  const name = `${shortName(property.iri)} of ${what}`;
  const texts = objects.filter((object) => object.termType === 'Literal').map((object) => object.value);
  const at = (value: string): Omit<Violation, 'rule' | 'message'> => ({
    node,
    property: property.iri,
    value,
  });
  if (property.valueType === 'date') {
    return texts
      .filter((text) => instants(text) === undefined)
      .map((text) => ({ ...at(text), rule: 'date', message: `${name} is not an ISO 8601 date.` }));
  }
  const { choices } = property;
  return texts
    .filter((text) => choices.length > 0 && !choices.includes(text))
    .map((text) => ({
      ...at(text),
      rule: 'literal',
      message: `${name} must be one of ${choices.join(', ')}.`,
    }));
}
