/** A problem with input, for its author; `line` counts from 1, null if unknown. */
export interface LoadProblem {
  readonly line: number | null;
  readonly reason: string;
}

/** Input that cannot become a record; nothing of it was stored. */
export class RecordInputError extends Error {
  constructor(readonly problems: readonly LoadProblem[]) {
    super(problems.map(({ line, reason }) => (line === null ? reason : `line ${line}: ${reason}`)).join(' '));
    this.name = 'RecordInputError';
  }
}

const MAX_REPORTED = 20;

/** Throws the problems, if any. @throws RecordInputError */
export function refuse(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  const reported = reasons.slice(0, MAX_REPORTED).map((reason) => ({ line: null, reason }));
  const more = reasons.length - reported.length;
  throw new RecordInputError(
    more > 0 ? [...reported, { line: null, reason: `… and ${more} more of this kind.` }] : reported,
  );
}
