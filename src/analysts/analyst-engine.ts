import type { Readable } from 'node:stream';
import type { Progress } from './level-not-ready.js';
import type { AnswerHead, AnswerTail, Failure, ThreadQuery } from './thread-messages.js';

export interface Bounds {
  /** Milliseconds until the answer must begin. */
  readonly timeout: number;
  /** Milliseconds until the caller must have read all of it. */
  readonly delivery: number;
  /** Ends the query; the reason is a sentence. */
  readonly signal: AbortSignal;
}

/** `tail` returns what the head leaves out; call it after the body has ended. */
export type Outcome =
  | { readonly head: AnswerHead; readonly body: Readable; readonly tail?: () => AnswerTail }
  | { readonly failure: Failure };

/** Answers queries on one level of the data, which it keeps up to date itself. */
export interface AnalystEngine {
  /** Brings the data to the engine, once. @throws Problem (rejects) if it cannot */
  fill(): Promise<void>;
  /** Call it after commits. */
  keepUp(): Promise<void>;
  readonly isFilled: boolean;
  readonly progress: Progress | undefined;
  /** The revision that answers show at least. */
  readonly revision: number;
  /** @throws StillFilling before it is filled, and Problem if it cannot answer */
  run(query: ThreadQuery, bounds: Bounds): Promise<{ outcome: Outcome; revision: number }>;
  close(): Promise<void>;
}
