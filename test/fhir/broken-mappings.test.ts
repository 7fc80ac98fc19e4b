import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkMapping } from '../../src/fhir/check-mapping.js';
import { MAPPING_FOLDER } from '../../src/fhir/mapping.js';
import { ontology } from './support.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartgraph-mapping-'));
  cpSync(join('queries', MAPPING_FOLDER), folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Changes a file of the shipped mapping. @returns the rules that it then breaks, and what is told */
async function broken(name: string, from: string | RegExp, to: string): Promise<[string, string][]> {
  const file = join(folder, name);
  const before = readFileSync(file, 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
  return (await checkMapping(folder, ontology)).map(({ rule, message, file: at, line }) => {
    return [rule, `${message} (${at === file ? 'here' : at}:${typeof line})`];
  });
}

describe('a mapping that was broken', () => {
  it.each<[string, string, string | RegExp, string, string, string]>([
    [
      'does not look at the comparator of a result',
      'vital-sign-set.rq',
      /.*fhir:comparator.*\n/gu,
      '',
      'mapping-modifier',
      'Observation.valueQuantity.comparator can change',
    ],
    [
      'says that no allergy is known where that was refuted',
      'allergy-exclusion.rq',
      /.*map:void \} #.*\n|  BIND\(IF\(NOT EXISTS[^]*?AS \?title\)\n/gu,
      '',
      'mapping-modifier',
      'AllergyIntolerance.verificationStatus can change',
    ],
    [
      'says so where that is over',
      'allergy-exclusion.rq',
      /.*fhir:clinicalStatus.*\n/u,
      '',
      'mapping-modifier',
      'AllergyIntolerance.clinicalStatus can change',
    ],
    [
      'takes documents that were superseded',
      'document.rq',
      / ; fhir:status \?status ;([^]*)    FILTER\(\?status.*\n/u,
      ' ;$1',
      'mapping-modifier',
      'DocumentReference.status can change',
    ],
    [
      'takes measurements that were cancelled',
      'vital-sign-set.rq',
      / fhir:status \?status ;([^]*)  FILTER\(\?status.*\n/u,
      '$1',
      'mapping-modifier',
      'Observation.status can change',
    ],
    [
      'asks in a FILTER for one of several codings',
      'problem.rq',
      /FILTER NOT EXISTS \{ \?resource [^}]*map:means map:void \}/u,
      'OPTIONAL { ?resource fhir:verificationStatus/fhir:coding/fhir:code ?is } FILTER(!BOUND(?is) || ?is != "refuted")',
      'mapping-negation',
      '?is is one of several values',
    ],
    [
      'asks so by way of a BIND',
      'allergy.rq',
      'BIND(IRI(CONCAT(STR(?resource), "#category")) AS ?categoryNode)',
      'OPTIONAL { ?resource fhir:clinicalStatus/map:means ?is } BIND(STR(?is) AS ?word) FILTER(?word != "x") BIND(IRI("urn:x") AS ?categoryNode)',
      'mapping-negation',
      '?word is one of several values',
    ],
    [
      'chooses where no rule chooses',
      'encounter.rq',
      'first:participant',
      'chosen:participant',
      'mapping-choice',
      'no rule says which Encounter.participant counts',
    ],
    [
      'names a property that the ontology does not have',
      'problem.rq',
      'sp:notes ?note',
      'sp:note ?note',
      'mapping-term',
      'is not declared',
    ],
    [
      'has a variable in its template that nothing binds',
      'problem.rq',
      'sp:notes ?note',
      'sp:notes ?nota',
      'mapping-variable',
      '?nota stands in no pattern',
    ],
    ['has a table that is no Turtle', 'codes.ttl', 'map:to', 'map:to to', 'mapping-table', ''],
    [
      'makes statements without a record',
      'problem.rq',
      'sp:belongsTo ?patient ; ',
      '',
      'mapping-query',
      'what record it belongs to',
    ],
    [
      'has a table that no longer says what a modifier does',
      'loss.ttl',
      '"Patient.active"',
      '"Patient.activ"',
      'mapping-modifier',
      'Patient.active can change',
    ],
  ])('that %s is told by its rule, with the place', async (_, name, from, to, rule, says) => {
    const found = await broken(name, from, to);
    expect(found.map(([id]) => id)).toContain(rule);
    expect(found.map(([, message]) => message).join('\n')).toContain(says);
  });
});
