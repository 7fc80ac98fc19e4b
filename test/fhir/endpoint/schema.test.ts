import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { endpointSchema, validateEndpoint } from '../../../src/fhir/endpoint/endpoint.js';
import { documents } from './documents.js';

const root = resolve(import.meta.dirname, '..', '..', '..');
const source = readFileSync(resolve(root, 'src/fhir/endpoint/endpoint.schema.json'), 'utf8');

/** Rules that no schema can say, or that this one leaves to the code. */
// prettier-ignore
const beyondSchema = new Set([
  'length', 'unicode', 'date', 'companion', 'narrative', 'period', 'contact-system', 'contained-id', 'contained-reference', 'element-id',
  'reference', 'implicit-rules', 'modifier-extension', 'nesting', 'reference-type', 'constraint', 'unknown-code', 'required-by-r4',
]);

describe('the published schema', () => {
  const isValid = new Ajv2020({ allowUnionTypes: true }).compile(endpointSchema);

  test('is what the package exports and the build puts beside the code', () => {
    const published = createRequire(import.meta.url).resolve('chartgraph/endpoint/schema.json');
    expect(readFileSync(published, 'utf8')).toBe(source);
    expect(endpointSchema.$id).toBe('https://chartgraph.example.org/endpoint/schema.json');
  });

  test('is part of the module that other programs import', () => {
    const script = `import('chartgraph/endpoint').then(({ endpointSchema, validateEndpoint }) =>
      console.log(endpointSchema.title, validateEndpoint({}).length))`;
    expect(execFileSync(process.execPath, ['--eval', script], { cwd: root, encoding: 'utf8' })).toBe(
      'Endpoint 5\n',
    );
  });

  test('describes a property of every name in the specification', () => {
    // prettier-ignore
    const names = [
      'resourceType', 'id', 'meta', 'implicitRules', 'language', 'text', 'contained', 'extension', 'modifierExtension', 'identifier',
      'status', 'connectionType', 'name', 'managingOrganization', 'contact', 'period', 'payloadType', 'payloadMimeType', 'address',
      'header',
    ];
    const own = Object.keys(endpointSchema.properties).filter((name) => !name.startsWith('_'));
    expect(own.sort()).toEqual(names.sort());
  });

  /** What the schema leaves open, base64 and whether a value is there are looked at by the code alone. */
  const open =
    /\/contained\/|\/value(?:Address|Age|Annotation|Attachment|HumanName|Quantity|Range|Ratio|Timing)(?:\/|$)/u;
  const beyond = /^(?:base64 that breaks off|a companion with an id alone|a relative (?!url of a part))/u;
  // Very long and very deep ones are for the validator; a foreign one is free to take its time.
  const short = documents.filter(([sentence]) => !/megabyte|nest|years/u.test(sentence));

  test.each(short)(
    'alone gives the same verdict, as far as a schema can say it: %s',
    (sentence, document) => {
      const problems = validateEndpoint(document);
      const isCodes =
        beyond.test(String(sentence)) ||
        problems.some(({ rule, pointer }) => beyondSchema.has(rule) || open.test(pointer));
      // In a part that it leaves open, the schema may still find one of the faults.
      if (!isCodes) expect(isValid(document)).toBe(problems.length === 0);
      else expect(problems).not.toEqual([]);
    },
  );
});
