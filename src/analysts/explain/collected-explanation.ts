import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Bounds, Outcome } from '../engine-copy.js';
import type { AnswerHead } from '../thread-messages.js';
import type { ExplainedStep, ExplanationLine, QueryExplanation } from './explanation.js';

/**
 * Collects what a thread measures until it is done, or goes over a bound: what was measured before is told all the same,
 * with a sentence that says why there is no more.
 * @returns the explanation as JSON; `rows` of its head are those of the whole query, where it came so far
 */
export async function collectedExplanation(
  { head, body }: Exclude<Outcome, { failure: unknown }>,
  { timeout, signal }: Pick<Bounds, 'timeout' | 'signal'>,
): Promise<{ head: AnswerHead; body: Readable }> {
  const start = performance.now();
  let text = '';
  let stopped: string | undefined;
  body.setEncoding('utf8');
  // Taken as it comes: what waits in a stream is lost when that breaks.
  body.on('data', (chunk: string) => (text += chunk));
  const timer = setTimeout(() => body.destroy(new Error(tooLong(timeout))), Math.max(1, timeout - head.ms));
  try {
    await once(body, 'end');
  } catch (error) {
    if (signal.aborted) stopped = String(signal.reason);
    else stopped = error instanceof Error ? error.message : '';
  } finally {
    clearTimeout(timer);
  }
  const explanation: QueryExplanation = { ...assembled(text), ...(stopped !== undefined && { stopped }) };
  return {
    head: {
      ...head,
      mediaType: 'application/json',
      rows: explanation.steps.at(-1)?.rows ?? 0,
      ms: head.ms + performance.now() - start,
    },
    body: Readable.from([Buffer.from(`${JSON.stringify(explanation)}\n`)]),
  };
}

const tooLong = (timeout: number): string =>
  `The ${timeout / 1000} s that a query may take were over; what has no numbers was not measured.`;

/** Puts the lines together; one that is not whole is left out. */
function assembled(text: string): Omit<QueryExplanation, 'stopped'> {
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ExplanationLine);
  const found = new Map<number, Partial<ExplainedStep>>();
  let plan: Omit<QueryExplanation, 'stopped'> = { steps: [], patterns: 0 };
  for (const line of lines) {
    if ('steps' in line) plan = line;
    else {
      const { at, ...measured } = line;
      found.set(at, { ...found.get(at), ...measured });
    }
  }
  return { ...plan, steps: plan.steps.map((step, at) => ({ ...step, ...found.get(at) })) };
}
