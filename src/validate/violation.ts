/** The kinds of rules that a resource can break. */
export type ViolationRule =
  | 'cardinality'
  | 'range'
  | 'code'
  | 'unit'
  | 'date'
  | 'unknown-class'
  | 'unknown-property'
  | 'literal'
  | 'value';

/**
 * One broken rule. `message` names node kind, property and rule but never a recorded value; `value` holds it, so
 * whoever logs can leave patient data out.
 */
export interface Violation {
  rule: ViolationRule;
  /** IRI of the node, or `_:label`. */
  node: string;
  property?: string;
  value?: string;
  message: string;
}
