import { termKey } from './term-key.js';
import type { Term } from './terms.js';

/** The line, counted from 1, on which the first statement about each subject ends: by IRI, or `_:label`. */
export type SubjectLines = Map<string, number>;

/** Notes where a subject stands, unless an earlier statement was about it too. */
export function noteLine(lines: SubjectLines | undefined, subject: Term, line: number): void {
  if (!lines) return;
  const key = termKey(subject);
  if (!lines.has(key)) lines.set(key, line);
}
