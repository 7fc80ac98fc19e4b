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
 * One broken rule. `message` names class, property and rule but never a recorded value; that is in `value`, so that
 * logs can leave patient data out.
 */
export interface Violation {
  rule: ViolationRule;
  /** IRI of the node, or `_:label`. */
  node: string;
  property?: string;
  value?: string;
  message: string;
}
