import { afterEach, describe, expect, it } from 'vitest';
import { AnsweringThread } from '../../src/http/answering-thread.js';

/** A thread whose program is this text, which has `port` and `data`. */
function threadOf(program: string): AnsweringThread<unknown, unknown> {
  const text = `import { parentPort as port, workerData as data } from 'node:worker_threads';\n${program}`;
  const entry = new URL(`data:text/javascript,${encodeURIComponent(text)}`);
  const thread = new AnsweringThread<unknown, unknown>(entry, { factor: 2 }, 'It is over.');
  open.push(thread);
  return thread;
}
const open: AnsweringThread<unknown, unknown>[] = [];
afterEach(async () => {
  for (const thread of open.splice(0)) await thread.end();
});

const DOUBLE = 'port.on("message", (number) => port.postMessage(number * data.factor));';

describe('a thread that answers', () => {
  it('answers each task, in their order', async () => {
    const thread = threadOf(DOUBLE);
    const answers = Promise.all([1, 2, 3, 4].map((number) => thread.ask(number)));
    expect(thread.tasks).toBe(4);
    expect(await answers).toEqual([2, 4, 6, 8]);
    expect([thread.tasks, thread.isOver]).toEqual([0, false]);
  });

  it('has what is given to it for itself', async () => {
    const thread = threadOf('port.on("message", (bytes) => port.postMessage(bytes.byteLength));');
    const bytes = new Uint8Array(1000);
    expect(await thread.ask(bytes, [bytes.buffer])).toBe(1000);
    expect(bytes.byteLength).toBe(0);
  });

  it('tells all who wait why it ended, and whoever comes later', async () => {
    const thread = threadOf('port.on("message", () => { throw new RangeError("too much"); });');
    const outcomes = await Promise.allSettled([thread.ask(1), thread.ask(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(thread.isOver).toBe(true);
    await expect(thread.ask(3)).rejects.toThrow('too much');
    expect(thread.tasks).toBe(0);
  });

  it('says so when it ended without a reason, or was ended', async () => {
    await expect(threadOf('port.on("message", () => process.exit(0));').ask(1)).rejects.toThrow(
      'It is over.',
    );
    const thread = threadOf('port.on("message", () => undefined);');
    const asked = thread.ask(1);
    void thread.end();
    await expect(asked).rejects.toThrow('It is over.');
  });
});
