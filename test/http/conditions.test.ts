import type { Context } from 'koa';
import { describe, expect, it } from 'vitest';
import { evaluate, isConditional } from '../../src/http/respond/entity-tag.js';

function context(method: string, headers: Record<string, string>): Context {
  const get = (name: string): string => headers[name] ?? '';
  return { method, get, headers: { 'if-match': headers['If-Match'] } } as unknown as Context;
}

const tag = '"now"';
const [yes, no, same] = ['proceed', 'failed', 'not-modified'] as const;

/** Headers, and the outcome for GET and PUT where something exists, and for GET and PUT where nothing does. */
const table: readonly [Record<string, string>, string, string, string, string][] = [
  [{}, yes, yes, yes, yes],
  [{ 'If-Match': tag }, yes, yes, yes, yes],
  [{ 'If-Match': '"old"' }, no, no, no, no],
  [{ 'If-Match': `"old" , ${tag}` }, yes, yes, yes, yes],
  [{ 'If-Match': `W/${tag}` }, no, no, no, no],
  [{ 'If-Match': '*' }, yes, yes, no, no],
  [{ 'If-Match': 'now' }, no, no, no, no],
  [{ 'If-Match': '' }, no, no, no, no],
  [{ 'If-None-Match': tag }, same, no, same, no],
  [{ 'If-None-Match': `W/${tag}` }, same, no, same, no],
  [{ 'If-None-Match': '"old"' }, yes, yes, yes, yes],
  [{ 'If-None-Match': '*' }, same, no, yes, yes],
  [{ 'If-Match': tag, 'If-None-Match': '"old"' }, yes, yes, yes, yes],
  [{ 'If-Match': '"old"', 'If-None-Match': tag }, no, no, no, no],
];

describe('conditional requests', () => {
  it.each(table)('%j', (headers, getSome, putSome, getNone, putNone) => {
    const outcome = (method: string, exists: boolean): string =>
      evaluate(context(method, headers), { tag, exists });
    expect([
      outcome('GET', true),
      outcome('PUT', true),
      outcome('GET', false),
      outcome('PUT', false),
    ]).toEqual([getSome, putSome, getNone, putNone]);
    expect(outcome('HEAD', true)).toBe(getSome);
    expect(outcome('DELETE', true)).toBe(putSome);
    expect(isConditional(context('PUT', headers))).toBe(Object.keys(headers).length > 0);
  });
});
