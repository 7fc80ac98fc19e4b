/** RDF text that breaks its syntax or holds an IRI that is none; `line` counts from 1 where the parser knows it. */
export class RdfSyntaxError extends Error {
  readonly line: number | undefined;
  readonly reason: string;

  constructor(reason: string, line?: number, options?: { cause?: unknown }) {
    super(line === undefined ? reason : `line ${line}: ${reason}`, options);
    this.name = 'RdfSyntaxError';
    this.line = line;
    this.reason = reason;
  }
}

/** RDF that is legal but larger, deeper or harder to canonicalise than we are willing to work on. */
export class RdfLimitError extends Error {
  readonly line: number | undefined;
  readonly reason: string;

  constructor(reason: string, line?: number) {
    super(line === undefined ? reason : `line ${line}: ${reason}`);
    this.name = 'RdfLimitError';
    this.line = line;
    this.reason = reason;
  }
}

/** A graph that a format cannot carry: a predicate that is no XML name, a character that XML 1.0 does not have. */
export class UnwritableError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnwritableError';
  }
}
