import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkDataFile } from '../../src/cli/validate/check-data.js';
import type { Diagnostic } from '../../src/cli/validate/diagnostic.js';
import { writeRdf } from '../../src/rdf/write.js';
import { base, ontology, problem, turtle, turtlePrefixes } from '../records/support.js';
import { sharedData } from '../shared-data.js';
import { folder, run } from './run.js';

const cwd = folder();

async function check(name: string, text: string): Promise<Diagnostic[]> {
  const file = join(cwd, name);
  writeFileSync(file, text);
  return checkDataFile(file, ontology, base);
}

/** Line, rule and severity of what was found. */
const told = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(({ line, rule, severity }) => `${line} ${rule} ${severity}`);

const prefixLines = turtlePrefixes.split('\n').length;
/** A patient whose third statement starts some lines down; `%` stands for what is broken. */
const chart = (third: string): string => `${turtlePrefixes}
_:record a sp:MedicalRecord .
_:first ${problem('Asthma', '2010').trimEnd()}
_:second a sp:VitalSignSet ; sp:belongsTo _:record ; dcterms:date "2010-05" ;
  sp:height ${third} .
`;
const height = `[ a sp:VitalSign ;
    sp:value "180" ;
    sp:unit "inch" ]`;

describe('a file of data', () => {
  test('is told the line of the subject that is wrong, and the rule', async () => {
    const diagnostics = await check('p7.ttl', chart(height));
    // The statement begins after the prefixes, the record, and two lines about the problem.
    expect(told(diagnostics)).toContain(`${prefixLines + 4} shape-fixed-value error`);
    expect(diagnostics.map(({ message }) => message).join()).toContain('must be "cm"');
  });

  test('in RDF/XML is told lines too', async () => {
    const xml = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:sp="http://smartplatforms.org/terms#">
  <sp:MedicalRecord rdf:nodeID="r"/>

  <sp:Problem>
    <sp:belongsTo rdf:nodeID="r"/>
    <sp:startDate>yesterday</sp:startDate>
  </sp:Problem>
</rdf:RDF>`;
    expect(told(await check('p8.xml', xml))).toEqual(['4 shape-cardinality error', '4 shape-date error']);
  });

  test('in JSON-LD has no lines, and the same diagnostics', async () => {
    const json = await writeRdf(await turtle(chart(height).slice(turtlePrefixes.length)), 'jsonld');
    const rules = (diagnostics: readonly Diagnostic[]): string[] =>
      diagnostics.map(({ rule }) => rule).sort();
    const diagnostics = await check('p9.jsonld', json);
    expect(rules(diagnostics)).toEqual(rules(await check('p9.ttl', chart(height))));
    expect(diagnostics.every(({ line }) => line === null)).toBe(true);
  });

  test('that the loader cannot read breaks the rule of structure', async () => {
    expect(told(await check('p10.ttl', '\n\nnothing'))).toEqual(['3 structure error']);
  });

  test('never shows a recorded value', async () => {
    const diagnostics = await check('p11.ttl', chart(height).replace('"2010"', '"a secret"'));
    expect(told(diagnostics).join()).toContain('shape-date');
    expect(JSON.stringify(diagnostics)).not.toContain('a secret');
  });
});

/** What is wrong with the sample patients; the others have no error. */
const known: Readonly<Record<string, string[]>> = {
  'p99912345.xml': ['shape-date'],
  'p1557780.xml': ['shape-number'],
};

// Skipped where the shared sample patients are not beside the project.
test.skipIf(sharedData('sample-patients') === undefined)(
  'the sample patients have no error but a date and a number that are none',
  async () => {
    const dir = sharedData('sample-patients') ?? '';
    for (const name of readdirSync(dir).filter((file) => file.endsWith('.xml'))) {
      const diagnostics = await checkDataFile(join(dir, name), ontology, base);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect(
        errors.map(({ rule }) => rule),
        name,
      ).toEqual(known[name] ?? []);
      expect(errors.every(({ line }) => line !== null)).toBe(true);
    }
  },
);

test('a file that names no record is checked for the one that is asked for, as load reads it', async () => {
  const cwd = folder();
  const statement = `${turtlePrefixes}\n[] ${problem('Asthma', '2010')}\n`;
  writeFileSync(join(cwd, 'problem.ttl'), statement);
  const found = await run(['validate', 'problem.ttl', '--record', '7'], { cwd });
  expect(found).toEqual({ code: 0, stdout: 'No problems.\n', stderr: '' });
  writeFileSync(join(cwd, 'problem.ttl'), statement.replace('"2010"', '"yesterday"'));
  const { code, stdout } = await run(['validate', 'problem.ttl', '--record', '7'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain('shape-date');
  writeFileSync(join(cwd, 'other.ttl'), `${turtlePrefixes}\n<${base}/records/8> a sp:MedicalRecord .\n`);
  const other = await run(['validate', 'other.ttl', '--record', '7', '--base-url', base], { cwd });
  expect(other.stdout).toContain('about record 8, but record 7 was asked for');
});
