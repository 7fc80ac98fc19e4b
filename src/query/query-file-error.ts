/** A query file that cannot be used; the message begins with file and line. */
export class QueryFileError extends Error {
  readonly file: string;
  readonly line: number | undefined;
  readonly reason: string;

  constructor(file: string, line: number | undefined, reason: string) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${reason}`);
    this.name = 'QueryFileError';
    this.file = file;
    this.line = line;
    this.reason = reason;
  }
}
