import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkDocuments, type CheckOptions } from '../../../src/fhir/endpoint/reading/input-documents.js';
import { smallest } from './example.js';

const good = JSON.stringify(smallest);
const bad = JSON.stringify({ ...smallest, status: 'x' });
const patient = '{"resourceType":"Patient"}';
const bundle = (...entries: string[]): string =>
  `{"resourceType":"Bundle","type":"collection","entry":[${entries.join(',')}]}`;
const entry = (resource: string): string => `{"resource":${resource}}`;

/** In pieces of some bytes, as streams cut them. */
async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function check(input: string | Uint8Array, options?: CheckOptions, size = 7): Promise<string[]> {
  const found: string[] = [];
  for await (const { kind, index, skipped, problems } of checkDocuments(
    pieces(Buffer.from(input), size),
    options,
  )) {
    const rules = problems.map(({ pointer, rule }) => `${pointer} ${rule}`);
    found.push(`${kind} ${index}: ${skipped ? 'skipped' : rules.join(', ') || 'good'}`);
  }
  return found;
}

describe('an input', () => {
  test.each([
    ['of one endpoint', good, ['document 0: good']],
    ['of one endpoint on many lines', JSON.stringify(smallest, undefined, 2), ['document 0: good']],
    ['of one endpoint with a fault', bad, ['document 0: /status code']],
    ['of another resource alone', patient, ['document 0: /resourceType resource-type']],
    [
      'of no resource',
      '{"a":1}',
      ['document 0:  required,  required,  required, /a unknown-property,  required-by-r4,  required-by-r4'],
    ],
    ['of nothing', '', ['document 0:  json']],
    ['of broken JSON', '{\n"a":', ['document 0:  json']],
    [
      'of a bundle',
      bundle(entry(good), entry(patient), '{"fullUrl":"x"}', entry(bad)),
      ['entry 0: good', 'entry 1: skipped', 'entry 3: /status code'],
    ],
    [
      'of a bundle with a mistyped resource',
      bundle(entry(good), entry('{"resourceType":"endpoint"}')),
      ['entry 0: good', expect.stringContaining('/resourceType resource-type') as unknown as string],
    ],
    ['of a bundle without entries', '{"resourceType":"Bundle"}', []],
    ['of a bundle whose entries are none', bundle('1', 'null'), ['entry 0:  bundle', 'entry 1:  bundle']],
    [
      'of a bundle whose entry is no array',
      '{"resourceType":"Bundle","entry":{}}',
      ['document 0: /entry bundle'],
    ],
    ['of a bundle with a resource that is none', bundle(entry('null')), ['entry 0:  type']],
    [
      'of lines',
      `${good}\n${patient}\n\n${bad}\n`,
      ['line 0: good', 'line 1: skipped', 'line 3: /status code'],
    ],
    [
      'of lines with a mistyped resource',
      `${good}\n{"resourceType":"endpoint"}\n`,
      ['line 0: good', expect.stringContaining('/resourceType resource-type') as unknown as string],
    ],
    [
      'of lines that end as Windows ends them',
      `${good}\r\n${bad}\r\n`,
      ['line 0: good', 'line 1: /status code'],
    ],
    ['of lines without an end', `${good}\n${bad}`, ['line 0: good', 'line 1: /status code']],
    ['of lines, the first blank', `\n${good}\n${bad}\n`, ['line 1: good', 'line 2: /status code']],
    [
      'of lines with a broken one',
      `${good}\n{"a"\n${bad}\n`,
      ['line 0: good', 'line 1:  json', 'line 2: /status code'],
    ],
    [
      'of lines with a bundle',
      `${good}\n${bundle(entry(patient), entry(bad))}\n`,
      ['line 0: good', 'line 1: skipped', 'line 1: /entry/1/resource/status code'],
    ],
    ['with a byte order mark', `\ufeff${good}\n${bad}\n`, ['line 0: good', 'line 1: /status code']],
    ['that is packed', gzipSync(`${good}\n${bad}\n`), ['line 0: good', 'line 1: /status code']],
    [
      'that is packed in two members',
      Buffer.concat([gzipSync(`${good}\n`), gzipSync(`${bad}\n`)]),
      ['line 0: good', 'line 1: /status code'],
    ],
  ])('%s', async (_what, input, expected) => {
    expect(await check(input)).toEqual(expected);
    expect(await check(input, {}, 1)).toEqual(expected);
    expect(await check(input, {}, 100_000)).toEqual(expected);
  });

  test('that is packed and breaks off is told after what could be read', async () => {
    const packed = gzipSync(`${good}\n${bad}\n`);
    expect((await check(packed.subarray(0, packed.length - 12))).at(-1)).toMatch(/unreadable$/u);
    expect(await check(Buffer.concat([packed.subarray(0, 2), Buffer.from('nonsense')]))).toEqual([
      'document 0:  unreadable',
    ]);
  });

  test.each([
    ['a string that breaks off', '{"a":"b', 'line 1, column 6 the string that begins there is not closed'],
    [
      'a string that breaks off below',
      '\n{\n"a":"b',
      'line 3, column 5 the string that begins there is not closed',
    ],
    [
      'an object that breaks off',
      '{"a":1',
      'line 1, column 7 "," or "}" is missing before the end of the text',
    ],
    [
      'an object on a whole line',
      '{"a":1\n',
      'line 1, column 7 "," or "}" is missing before the end of the text',
    ],
    [
      'an object on two lines',
      '{"a":1,\n"b":2',
      'line 2, column 6 "," or "}" is missing before the end of the text',
    ],
    ['a blank line', ' \n', 'line 1, column 1 there is nothing in it'],
  ])('is told where it has text: %s', async (_what, input, place) => {
    const told: string[] = [];
    for await (const { problems } of checkDocuments(pieces(Buffer.from(input), 3)))
      told.push(...problems.map(({ message }) => message));
    expect(told).toEqual([`This is no JSON: at ${place}.`]);
  });

  test('is NDJSON from its first line on when its name says so', async () => {
    expect(await check(`{"a"\n${patient}\n`, { ndjson: true })).toEqual(['line 0:  json', 'line 1: skipped']);
    expect(await check(patient, { ndjson: true })).toEqual(['line 0: skipped']);
    expect(await check('', { ndjson: true })).toEqual([]);
  });

  test('with a line that is too long goes on after it', async () => {
    const long = `{"x":"${'y'.repeat(17 * 1024 * 1024)}"}`;
    expect(await check(`${good}\n${long}\n${bad}\n`, {}, 65_536)).toEqual([
      'line 0: good',
      'line 1:  too-large',
      'line 2: /status code',
    ]);
  });

  test('takes what is allowed into account', async () => {
    const rules = JSON.stringify({ ...smallest, implicitRules: 'urn:r' });
    expect(await check(rules, { allow: ['urn:r'] })).toEqual(['document 0: good']);
    expect(await check(bundle(entry(rules)), {})).toEqual(['entry 0: /implicitRules implicit-rules']);
  });
});
