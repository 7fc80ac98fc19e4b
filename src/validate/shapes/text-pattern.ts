import { literal, type Term } from '../../rdf/terms.js';
import { sh } from '../../rdf/vocabulary.js';

/**
 * The constraint that a value reads as one of some texts. Real data has `"24484000"^^xsd:integer` beside `"24484000"`,
 * and clients compare texts, so language and datatype have no say, as they would in sh:in or sh:hasValue.
 */
export function textOf(...texts: readonly string[]): readonly [string, Term] {
  const escaped = texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const alternatives = escaped.length === 1 ? escaped.join('') : `(${escaped.join('|')})`;
  return [sh.pattern, literal(`^${alternatives}$`)];
}
