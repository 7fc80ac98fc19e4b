import type { Dataset } from '../store/working-set.js';
import type { ListedQuery } from './admission.js';
import type { Progress } from './level.js';
import type { LevelName } from './levels.js';
import type { AnswerFormats, AnswerHead, Failure } from './thread-messages.js';

// What the processes that answer requests and the analyst process say to each other: HTTP over a socket that only the
// account of the container reaches, JSON but for the bodies of answers.

/** A query, and who asks it. */
export interface AnalystQuery {
  readonly sparql: string;
  readonly dataset?: Dataset | undefined;
  readonly formats: AnswerFormats;
  readonly level: LevelName;
  readonly user: string;
  readonly purpose: string;
  /** Whether to answer with a `QueryExplanation`, as JSON. */
  readonly explain?: boolean | undefined;
}

/** What is known of an answer before its first byte. */
export interface AnalystHead extends AnswerHead {
  readonly id: string;
  /** The revision of the primary store that it shows. */
  readonly revision: number;
}

/** Why a query has no answer. */
export type AnalystFailure =
  | Failure
  | { readonly kind: 'filling'; readonly message: string; readonly progress?: Progress | undefined }
  | { readonly kind: 'too-many'; readonly message: string }
  | { readonly kind: 'unavailable'; readonly message: string };

/** The field in which the head of an answer stands, percent-encoded JSON. */
export const HEAD_FIELD = 'x-chartgraph-answer';

/** The paths of the socket. */
export const analystPaths = { query: '/query', queries: '/queries', levels: '/levels' } as const;

export type QueryList = readonly ListedQuery[];

/** How far each level is. */
export type LevelStates = Readonly<
  Record<LevelName, { readonly isFilled: boolean; readonly progress?: Progress | undefined }>
>;
