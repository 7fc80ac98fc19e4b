import type { Rule } from '../check/rule.js';

/** A problem of a query file; the message begins with file and line. */
export class QueryFileError extends Error {
  readonly rule: string;
  readonly severity: Rule['severity'];

  constructor(
    { id, severity }: Rule,
    readonly file: string,
    readonly line: number | undefined,
    readonly reason: string,
    readonly call?: string,
  ) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${reason}`);
    this.name = 'QueryFileError';
    this.rule = id;
    this.severity = severity;
  }
}
