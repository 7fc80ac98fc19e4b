import type { ListedQuery } from './admission.js';
import type { Progress } from './level-not-ready.js';
import type { LevelName } from './levels.js';
import type { AnswerHead, Failure, ThreadQuery } from './thread-messages.js';

// Messages between request processes and the analyst process: HTTP over a socket that only the container's account
// can reach, in JSON except for the bodies of answers.

export interface AnalystQuery extends Omit<ThreadQuery, 'most' | 'hasMovedDates'> {
  readonly allRows?: boolean | undefined;
  readonly level: LevelName;
  readonly user: string;
  readonly purpose: string;
}

export interface AnalystHead extends AnswerHead {
  readonly id: string;
  readonly revision: number;
}

export type AnalystFailure =
  | Failure
  | { readonly kind: 'filling'; readonly message: string; readonly progress?: Progress | undefined }
  | { readonly kind: 'too-many'; readonly message: string }
  | { readonly kind: 'unavailable'; readonly message: string };

/** The header field that carries the head of an answer, as percent-encoded JSON. */
export const HEAD_FIELD = 'x-chartgraph-answer';
/** The trailer field that carries the tail of an answer, as JSON. */
export const TAIL_FIELD = 'x-chartgraph-tail';

export const analystPaths = { query: '/query', queries: '/queries', levels: '/levels' } as const;

export type QueryList = readonly ListedQuery[];

export type LevelStates = Readonly<
  Record<
    LevelName,
    { readonly isFilled: boolean; readonly progress?: Progress | undefined; readonly revision: number }
  >
>;
