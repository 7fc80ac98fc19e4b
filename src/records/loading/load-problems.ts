/** What is wrong with input, for the person who has to fix it; `line` counts from 1, null where nobody knows it. */
export interface LoadProblem {
  readonly line: number | null;
  readonly reason: string;
}

/** Input that cannot become a record: everything that was found wrong with it, and nothing of it was stored. */
export class RecordInputError extends Error {
  readonly problems: readonly LoadProblem[];

  constructor(problems: readonly LoadProblem[]) {
    super(problems.map(({ line, reason }) => (line === null ? reason : `line ${line}: ${reason}`)).join(' '));
    this.name = 'RecordInputError';
    this.problems = problems;
  }
}

/** At most this many problems of one kind are told one by one. */
const TOLD = 20;

/** Throws what was found, if anything. @throws RecordInputError */
export function refuse(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  const told = reasons.slice(0, TOLD).map((reason) => ({ line: null, reason }));
  const more = reasons.length - told.length;
  throw new RecordInputError(
    more > 0 ? [...told, { line: null, reason: `… and ${more} more of this kind.` }] : told,
  );
}
