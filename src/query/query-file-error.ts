import type { Rule } from '../ontology/check/rule.js';

/** Something wrong with a query file; the message begins with file and line. */
export class QueryFileError extends Error {
  /** Id of the rule that is broken. */
  readonly rule: string;
  readonly severity: Rule['severity'];
  readonly file: string;
  readonly line: number | undefined;
  readonly reason: string;
  /** The call that the ontology describes, where the fault is rather there than in a file. */
  readonly call: string | undefined;

  constructor({ id, severity }: Rule, file: string, line: number | undefined, reason: string, call?: string) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${reason}`);
    this.name = 'QueryFileError';
    this.rule = id;
    this.severity = severity;
    this.file = file;
    this.line = line;
    this.reason = reason;
    this.call = call;
  }
}
