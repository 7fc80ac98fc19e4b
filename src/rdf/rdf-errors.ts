/** RDF with a syntax error; `line` counts from 1 if the parser knows it. */
export class RdfSyntaxError extends Error {
  constructor(
    readonly reason: string,
    readonly line?: number,
    options?: ErrorOptions,
  ) {
    super(line === undefined ? reason : `line ${line}: ${reason}`, options);
    this.name = 'RdfSyntaxError';
  }
}

/** Legal RDF that is too large, too deep or too hard to canonicalise. */
export class RdfLimitError extends Error {
  constructor(
    readonly reason: string,
    readonly line?: number,
  ) {
    super(line === undefined ? reason : `line ${line}: ${reason}`);
    this.name = 'RdfLimitError';
  }
}

export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
}
