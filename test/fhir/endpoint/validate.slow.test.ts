import { setFlagsFromString } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { validateEndpoint } from '../../../src/fhir/endpoint/endpoint.js';
import { documents } from './documents.js';
import { fullest, smallest } from './example.js';

// V8 compiles patterns like this once it has compiled many: `x+` then takes stack for each character, `xx*` does not.
setFlagsFromString('--no-regexp-optimization');

const found = (value: unknown, allow: string[] = []): string[] =>
  validateEndpoint(value, { allow }).map(({ pointer, rule }) => `${pointer} ${rule}`);

describe('an endpoint', () => {
  test('the table holds at least 150 documents', () => {
    expect(documents.length).toBeGreaterThanOrEqual(150);
    expect(new Set(documents.map(([sentence]) => sentence)).size).toBe(documents.length);
  });

  test.each(documents)('%s', (_sentence, document, problem) => {
    const start = process.cpuUsage();
    expect(found(document)).toEqual(problem === undefined ? [] : [problem]);
    // Ten megabytes take some 0.1 s; what backtracks would take for ever. Other processes do not count.
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(20_000);
  });

  test('every message is one sentence that is not longer than a few lines', () => {
    const messages = documents
      .flatMap(([, document]) => validateEndpoint(document))
      .map(({ message }) => message);
    for (const message of messages) expect(message).toMatch(/^[^\n]{10,400}\.$/u);
  });

  test('any value may stand in any place of it: nothing throws', () => {
    const text = JSON.stringify(fullest);
    /** Puts a value in the place of each one in another, one at a time. */
    function* placed(holder: Record<string, unknown>, value: unknown): Generator<string> {
      for (const [key, before] of Object.entries(holder)) {
        holder[key] = value;
        yield key;
        holder[key] = before;
        if (typeof before === 'object' && before !== null)
          yield* placed(before as Record<string, unknown>, value);
      }
    }
    let places = 0;
    for (const value of [null, 1, 'x y ', [], {}, [null], [{}]]) {
      const endpoint = JSON.parse(text) as Record<string, unknown>;
      for (const key of placed(endpoint, value)) {
        places++;
        expect(() => validateEndpoint(endpoint), `${key}: ${JSON.stringify(value)}`).not.toThrow();
      }
    }
    expect(places).toBeGreaterThan(500);
    expect(validateEndpoint({ ...smallest, period: null })).toMatchObject([{ pointer: '/period' }]);
  });

  test.each([
    null,
    [null],
    [1],
    [[]],
    [{}],
    [{ id: {} }],
    [{ id: 'a', resourceType: 7 }],
    'x',
    {},
    [{ id: 'a' }, null],
  ])('with %j as contained is invalid, whatever refers to it', (contained) => {
    const managingOrganization = { reference: '#a' };
    expect(found({ ...smallest, managingOrganization, contained })).not.toEqual([]);
  });

  test('faults in several places are all told', () => {
    const document = { ...smallest, id: '', status: 'x', colour: 1, contact: [{ value: '5' }] };
    expect(found(document).sort()).toEqual(
      ['/colour unknown-property', '/contact/0 contact-system', '/id empty', '/status code'].sort(),
    );
  });
});

describe('what R4 asks for and our specification does not', () => {
  const { status: _status, address: _address, ...bare } = smallest;

  test('is a warning where neither the property nor its extension is there', () => {
    expect(found(bare)).toEqual([' required-by-r4', ' required-by-r4']);
    expect(validateEndpoint(bare).every(({ severity }) => severity === 'warning')).toBe(true);
    expect(
      found({ ...bare, status: 'off', _address: { extension: [{ url: 'urn:x', valueCode: 'x' }] } }),
    ).toEqual([]);
  });

  test('is no warning where the rule is allowed', () => {
    expect(found(bare, ['required-by-r4'])).toEqual([]);
  });
});

describe('what must be understood', () => {
  const document = {
    ...smallest,
    implicitRules: 'urn:rules',
    modifierExtension: [
      { url: 'urn:one', valueBoolean: true },
      { url: 'urn:two', valueBoolean: true },
    ],
  };
  const [rules, one, two] = [
    '/implicitRules implicit-rules',
    '/modifierExtension/0 modifier-extension',
    '/modifierExtension/1 modifier-extension',
  ];

  test.each([
    ['nothing', [], [rules, one, two]],
    ['the rules by their URI', ['urn:rules'], [one, two]],
    ['one extension by its url', ['urn:two'], [rules, one]],
    ['all implicit rules', ['implicit-rules'], [one, two]],
    ['all modifier extensions', ['modifier-extension'], [rules]],
    ['everything', ['implicit-rules', 'urn:one', 'urn:two'], []],
  ])('is a warning unless it is on the list: %s', (_list, allow, expected) => {
    expect(found(document, allow)).toEqual(expected);
    expect(validateEndpoint(document, { allow }).every(({ severity }) => severity === 'warning')).toBe(true);
  });
});
