import { termKey } from './term-key.js';
import type { Term } from './terms.js';

export type Steps<T> = Generator<undefined, T>;

const CHUNK = 1 << 16;

/** Feeds a text to a reader in chunks, one per step. */
export function* inChunks(text: string, read: (chunk: string) => void): Steps<void> {
  for (let at = 0; at < text.length; at += CHUNK) {
    if (at > 0) yield;
    read(text.slice(at, at + CHUNK));
  }
}

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The line (from 1) on which the first statement about each subject ends. */
export type SubjectLines = Map<string, number>;

export function noteLine(lines: SubjectLines | undefined, subject: Term, line: number): void {
  if (!lines) return;
  const key = termKey(subject);
  if (!lines.has(key)) lines.set(key, line);
}
