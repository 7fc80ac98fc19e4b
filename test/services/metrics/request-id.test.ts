import { describe, expect, test } from 'vitest';
import { requestIds } from '../../../src/http/request-log.js';

const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('the id of a request', () => {
  test('is the one that came, where it is short printable ASCII', () => {
    for (const id of ['a', 'x'.repeat(128), '7b/+=~!{}'])
      expect(requestIds({ 'x-request-id': id })).toEqual({ requestId: id });
  });

  test('is a new one for everything else', () => {
    for (const id of ['', 'x'.repeat(129), 'a b', 'a\nb', '\u001b[2J', 'ä', ['a', 'b'], undefined]) {
      const { requestId } = requestIds({ 'x-request-id': id });
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(requestIds({ 'x-request-id': id }).requestId).not.toBe(requestId);
    }
  });

  const traces: [header: string, kept: boolean][] = [
    [trace, true],
    [`01-${trace.slice(3)}-more`, true],
    [`00-${trace.slice(3)}-more`, false],
    [`ff-${trace.slice(3)}`, false],
    [`00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`, false],
    [`00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`, false],
    [trace.toUpperCase(), false],
    [`${trace}\n`, false],
    ['', false],
  ];
  test.each(traces)('traceparent %j is kept: %j', (traceparent, kept) => {
    expect(requestIds({ traceparent }).traceparent).toBe(kept ? traceparent : undefined);
  });
});
