import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder, run } from './run.js';

const root = resolve(import.meta.dirname, '..', '..');

/** The shipped ontology with bounds of its own: for the number of a body temperature, and for the title of a note. */
function temperatures(facets: string): string {
  const cwd = folder();
  cpSync(join(root, 'ontology'), join(cwd, 'ontology'), { recursive: true });
  writeFileSync(
    join(cwd, 'ontology', 'temperature.ttl'),
    `@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix sp: <http://smartplatforms.org/terms#> .

sp:VitalSignSet rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:temperature ; owl:allValuesFrom
  [ a owl:Restriction ; owl:onProperty sp:value ; owl:allValuesFrom
    [ a rdfs:Datatype ; owl:onDatatype xsd:decimal ;
      owl:withRestrictions ( ${facets} ) ] ] ] .
sp:ClinicalNote rdfs:subClassOf [ a owl:Restriction ; owl:onProperty <http://purl.org/dc/terms/title> ; owl:allValuesFrom
  [ a rdfs:Datatype ; owl:onDatatype xsd:string ; owl:withRestrictions ( [ xsd:minLength 3 ] ) ] ] .
`,
  );
  return cwd;
}

const vitals = (...values: string[]): string => `@prefix sp: <http://smartplatforms.org/terms#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix lnc: <http://purl.bioontology.org/ontology/LNC/> .
@prefix spcode: <http://smartplatforms.org/terms/codes/> .
@prefix encounter: <http://smartplatforms.org/terms/codes/EncounterType#> .

[] a sp:MedicalRecord .
_:visit a sp:Encounter ; sp:startDate "2024-05" ;
  sp:encounterType [ a sp:CodedValue ; dcterms:title "Ambulatory encounter" ; sp:code encounter:ambulatory ] .
${values
  .map(
    (
      value,
    ) => `[] a sp:VitalSignSet ; dcterms:date "2024-05" ; sp:encounter _:visit ; sp:temperature [ a sp:VitalSign ; sp:unit "Cel" ;
  sp:vitalName [ a sp:CodedValue ; dcterms:title "Body temperature" ; sp:code lnc:8310-5 ] ; sp:value ${value} ] .
`,
  )
  .join('')}
encounter:ambulatory a sp:Code , spcode:EncounterType ; dcterms:title "Ambulatory encounter" ;
  dcterms:identifier "ambulatory" ; sp:system "http://smartplatforms.org/terms/codes/EncounterType#" .
lnc:8310-5 a sp:Code , spcode:VitalSign ; dcterms:title "Body temperature" ; dcterms:identifier "8310-5" ;
  sp:system "http://purl.bioontology.org/ontology/LNC/" .
`;

const says =
  'sp:value in sp:temperature of sp:VitalSignSet must be a value of xsd:decimal, at least 25 and at most 45.';

describe('a bound that an author gives a value', () => {
  const cwd = temperatures('[ xsd:minInclusive 25 ] [ xsd:maxInclusive 45 ]');
  const own = ['--ontology', join(cwd, 'ontology')];
  writeFileSync(join(cwd, '7.ttl'), vitals('"37.2"', '37', '36.9'));
  writeFileSync(join(cwd, '8.ttl'), vitals('"37.2"', '98.6', '"98.6"'));

  test('fits the shipped queries and the seed', async () => {
    expect(await run(['validate', ...own])).toEqual({ code: 0, stdout: 'No problems.\n', stderr: '' });
  });

  test('is what data is validated against, typed or plain', async () => {
    expect(await run(['validate', '7.ttl', ...own], { cwd })).toMatchObject({ code: 0 });
    const { code, stdout } = await run(['validate', '8.ttl', ...own], { cwd });
    expect(code).toBe(1);
    expect(
      stdout.split('\n').filter((line) => line.includes('error  shape-value ') && line.endsWith(says)),
    ).toHaveLength(2);
    expect(stdout).not.toContain('98.6');
  });

  test('is what is loaded is validated against', async () => {
    expect(await run(['load', '7.ttl', '--strict', ...own], { cwd })).toMatchObject({ code: 0 });
    const lenient = await run(['load', '8.ttl', '--data', 'lenient', ...own], { cwd });
    expect(lenient.code).toBe(0);
    expect(lenient.stdout + lenient.stderr).toContain(says);
    const strict = await run(['load', '8.ttl', '--strict', '--data', 'strict', ...own], { cwd });
    expect(strict.code).toBe(1);
    expect(strict.stdout + strict.stderr).toContain(says);
  });

  test('is told to whom it breaks', async () => {
    const { stdout } = await run(['ontology', 'diff', join(root, 'ontology'), join(cwd, 'ontology')]);
    expect(stdout).toContain('limit of values tightened. Writers of the values beyond it are refused.');
    expect(stdout).toMatch(/sp:VitalSignSet sp:temperature.*sp:value at least 25/);
    const wider = temperatures('[ xsd:minInclusive 20 ] [ xsd:maxInclusive 45 ]');
    const loosened = await run(['ontology', 'diff', join(cwd, 'ontology'), join(wider, 'ontology')]);
    expect(loosened.stdout).toContain('1 additive change');
    expect(loosened.stdout).not.toContain('breaking');
  });

  test('is what the tests of calls keep to', async () => {
    const made = await run(['ontology', 'tests', 'suite', '--run', '--call', 'post_clinical_note', ...own], {
      cwd,
    });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/(\d+) of \1 tests passed/);
  });

  test('that cannot be read is told with its line and what to do', async () => {
    const broken = temperatures('[ xsd:pattern "[0-9.]+" ]');
    const { code, stdout } = await run(['validate', '--ontology', 'ontology'], { cwd: broken });
    expect(code).toBe(1);
    expect(stdout).toContain(
      'ontology/temperature.ttl:9  error  data-range  sp:VitalSignSet restricts sp:temperature to a data range with xsd:pattern, which is not checked.',
    );
    expect(stdout).toContain('See docs/rules/data-range.md.');
  });
});
