import { describe, expect, it } from 'vitest';
import { reportSentences } from '../../src/fhir/import-tally.js';
import { waysOf } from '../../src/fhir/query-ways.js';
import { unmadeReasons, type MappingTask } from '../../src/fhir/unmade-reasons.js';
import { WorkingSet } from '../../src/store/working-set.js';
import { fhirPlace, resources, type Resource } from './support.js';

const { patient, condition, laboratory } = resources;
const snomed = (code: string) => ({ coding: [{ system: 'http://snomed.info/sct', code }], text: 'x' });

/** What is said of an element that is missing, or that has another value than a query takes. */
const said = (elements: string, query: string): string =>
  `${elements} is missing or has a value that is not loaded (${query})`;

/** What a load says of the resources of a type: reasons with how many there are of each. */
async function reasonsFor(type: string, content: readonly Resource[]): Promise<Record<string, number>> {
  const { load } = await fhirPlace();
  const { report } = await load([patient, ...content]);
  const { reasons = {} } = report.resources[type] ?? {};
  return Object.fromEntries(Object.entries(reasons).map(([reason, { count }]) => [reason, count]));
}

describe('a resource that gave no statement', () => {
  it('is told with what the query asks for and it does not have', async () => {
    const { code: _, ...bare } = condition;
    const reasons = await reasonsFor('Condition', [
      { ...bare, id: 'bare' },
      { ...bare, id: 'bare-too' },
      { ...condition, id: 'own', code: { coding: [{ system: 'urn:own', code: '1' }] } },
      { ...condition, id: 'refuted', verificationStatus: snomed('refuted') },
      condition,
    ]);
    expect(reasons).toEqual({
      [said('Condition.code', 'problem.rq:20 asks for ?resource fhir:code ?name')]: 2,
      [said('Condition.code.coding.system', 'problem.rq:23 asks for ?codeRow map:system ?codeFrom')]: 1,
      [said(
        'Condition.verificationStatus.coding.code',
        'problem.rq:37 asks for FILTER(COALESCE(?verification, "") NOT IN ("entered-in-error", "refuted"))',
      )]: 1,
    });
  });

  it('is told with the query in which it comes furthest, of several', async () => {
    const coded = { coding: [{ system: 'urn:own', code: '1' }] };
    const reasons = await reasonsFor('Observation', [{ ...laboratory, id: 'own', code: coded }]);
    expect(reasons).toEqual({
      [said('Observation.code.coding.system', 'lab-result.rq:35 asks for ?codeRow map:system ?codeFrom')]: 1,
    });
  });

  it('is told with the element that a table is looked into with, and with those of a subquery, of its own type', async () => {
    const { dispense, smoking } = resources;
    const other = { coding: [{ system: 'http://loinc.org', code: '5778-6' }] };
    expect(Object.keys(await reasonsFor('Condition', [{ ...condition, code: other }]))).toEqual([
      said('Condition.code.coding.system', 'problem.rq:23 asks for ?codeRow map:set spcode:SNOMED'),
    ]);
    const undone = { ...smoking, status: 'entered-in-error' };
    expect(Object.keys(await reasonsFor('Observation', [undone])).join()).toContain(
      ' or Observation.status or ',
    );
    const { authorizingPrescription: _, ...alone } = dispense;
    expect(Object.keys(await reasonsFor('MedicationDispense', [alone])).join()).toMatch(
      /^MedicationDispense\.authorizingPrescription is missing/u,
    );
  });

  it('is told with all queries that it is as far from', async () => {
    const reasons = await reasonsFor('Observation', [
      { ...laboratory, id: 'survey', category: [{ coding: [{ code: 'survey' }] }] },
    ]);
    expect(
      Object.keys(reasons)
        .join()
        .match(/[\w-]+\.rq/gu),
    ).toEqual(['lab-result.rq', 'social-history.rq', 'vital-sign-set.rq']);
  });

  it('is told when no query takes its type, when its patient has no record, and when another version counts', async () => {
    const { load } = await fhirPlace();
    const { report } = await load(
      [
        { ...patient, identifier: [{ system: 'urn:mrn', value: 'm1' }] },
        { resourceType: 'Flag', id: 'f' },
        { ...condition, id: 'of-somebody', subject: { reference: 'Patient/somebody' } },
        { ...condition, id: 'twice', meta: { lastUpdated: '2020-01-01T00:00:00Z' } },
        { ...condition, id: 'twice', meta: { lastUpdated: '2021-01-01T00:00:00Z' } },
      ],
      { system: 'urn:mrn' },
    );
    expect(report.resources.Flag?.reasons).toMatchObject({
      'no query takes resources of this type': { count: 1, example: 'Flag at line 1, entry 1' },
    });
    expect(report.resources.Condition?.reasons).toMatchObject({
      'no record is known for its patient': { count: 1, example: 'Condition at line 1, entry 2' },
      'another version of it counts': { count: 1, example: 'Condition at line 1, entry 3' },
    });
  });

  it('is told in a sentence, the three most frequent reasons of a type, and without a value of it', async () => {
    const { load } = await fhirPlace();
    const { code: _, ...bare } = condition;
    const secret = { coding: [{ system: 'http://secret.example.org', code: 'secret' }], text: 'secret' };
    const { report } = await load([
      patient,
      { ...condition, id: 'own', code: secret },
      { ...bare, id: 'bare' },
      { ...bare, id: 'bare-too' },
      { ...bare, id: 'secret', subject: { display: 'secret' } },
      { ...condition, id: 'refuted', verificationStatus: snomed('refuted') },
    ]);
    const sentences = reportSentences(report);
    expect(sentences).toContain(
      `2 Condition without a statement: ${said('Condition.code', 'problem.rq:20 asks for ?resource fhir:code ?name')} (first: Condition at line 1, entry 2).`,
    );
    expect(sentences).toContain('More reasons for Condition: 1; --json lists them.');
    expect(sentences.join()).not.toContain('secret');
  });
});

describe('reasons', () => {
  const task = (where: string): MappingTask => {
    const text = `PREFIX fhir: <http://hl7.org/fhir/>
CONSTRUCT { ?r <http://smartplatforms.org/terms#belongsTo> ?p } WHERE {
${where}
}`;
    return { name: 'own', text, sources: ['Goal'], subject: 'r', ways: waysOf(text, 'r', 'p') };
  };
  const of = (triples: string, ...tasks: MappingTask[]): Record<string, string> => {
    const engine = new WorkingSet();
    engine.load(triples.replaceAll('fhir:', 'http://hl7.org/fhir/'));
    const made = tasks.map(({ text }) => engine.construct(text));
    return Object.fromEntries(unmadeReasons(engine, tasks, made));
  };
  const goal =
    '<urn:g> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <fhir:Goal> .\n<urn:g> <fhir:of> <urn:p> .\n';

  it('name the alternative in which a resource comes furthest, at its line', () => {
    const where = `?r a fhir:Goal ; fhir:of ?p .
{ ?r fhir:target ?t } UNION { ?r fhir:start ?s .
  ?s fhir:code "1" }`;
    expect(of(goal, task(where))).toEqual({
      'urn:g': 'own.rq:4 asks for ?r fhir:target ?t; own.rq:4 asks for ?r fhir:start ?s',
    });
    expect(of(`${goal}<urn:g> <fhir:start> <urn:s> .\n`, task(where))).toEqual({
      'urn:g': 'own.rq:5 asks for ?s fhir:code "1"',
    });
  });

  it('know what a semicolon, a comma and brackets leave out, and a FILTER before what it looks at', () => {
    const where = `FILTER(?t = "1") ?r a fhir:Goal ; fhir:of ?p ; fhir:target ?t, ?u ; fhir:note [ fhir:by ?p ] .`;
    const target = `${goal}<urn:g> <fhir:target> "2" .\n`;
    expect(of(target, task(where))).toEqual({ 'urn:g': 'own.rq:3 asks for ?r fhir:note [ fhir:by ?p ]' });
    const noted = `${target}<urn:g> <fhir:note> <urn:n> .\n<urn:n> <fhir:by> <urn:p> .\n`;
    expect(of(noted, task(where))).toEqual({ 'urn:g': 'own.rq:3 asks for FILTER(?t = "1")' });
    expect(of(noted.replace('"2"', '"1"'), task(where))).toEqual({});
  });

  it('end where an alternative makes no query by itself, or there are very many', () => {
    // Within its braces the variable is new; without them it is bound already.
    const scoped = `?r a fhir:Goal ; fhir:of ?p ; fhir:x ?x . { BIND("2" AS ?x) } UNION { ?r fhir:y ?y }`;
    expect(of(`${goal}<urn:g> <fhir:x> "1" .\n`, task(scoped))).toEqual({
      'urn:g': 'own.rq:3 asks for ?r fhir:y ?y',
    });
    const choice = (n: number): string => `{ ?r fhir:a${n} ?v${n} } UNION { ?r fhir:b${n} ?v${n} }`;
    const many = `?r a fhir:Goal ; fhir:of ?p .\n${Array.from({ length: 40 }, (_, n) => choice(n)).join('\n')}`;
    expect(Object.keys(of(goal, task(many)))).toEqual(['urn:g']);
  });

  it('know paths with parentheses', () => {
    const paths = [
      '(fhir:a|fhir:b)/fhir:c',
      'fhir:c/(fhir:a|fhir:b)',
      '^(fhir:a/fhir:b)',
      '!(fhir:of|a|^fhir:b)',
    ];
    for (const path of paths) {
      const where = `?r a fhir:Goal ; fhir:of ?p ; ${path} ?z ; fhir:target ?t .`;
      const reason = of(goal, task(where))['urn:g'] ?? '';
      expect([path, reason]).toEqual([path, expect.stringMatching(/^own\.rq:3 asks for \?r .* \?z$/u)]);
    }
  });

  it('keep brackets at the place of a subject together', () => {
    const where = `?r a fhir:Goal ; fhir:of ?p .
OPTIONAL { ?r fhir:x ?x }
[ fhir:by ?r ] fhir:y ?y ; fhir:z ?z .`;
    const apart = `${goal}<urn:1> <fhir:by> <urn:g> .\n<urn:1> <fhir:y> "1" .\n<urn:2> <fhir:by> <urn:g> .\n<urn:2> <fhir:z> "1" .\n`;
    expect(of(apart, task(where))).toEqual({
      'urn:g': 'own.rq:5 asks for [ fhir:by ?r ] fhir:y ?y ; fhir:z ?z',
    });
  });

  it('tell nothing of an alternative for another type, or without the patient', () => {
    const where = `{ ?r a fhir:Plan ; fhir:of ?p ; fhir:start ?s }
UNION { ?r a fhir:Goal ; fhir:of ?p ; fhir:target ?t }
UNION { ?r a fhir:Goal FILTER(!BOUND(?p)) } UNION { ?r a fhir:Goal . BIND("who is ?p" AS ?x) }`;
    const both = { ...task(where), sources: ['Goal', 'Plan'] };
    expect(of(goal, both)).toEqual({ 'urn:g': 'own.rq:4 asks for ?r fhir:target ?t' });
  });

  it('are a subquery only for what has all else but the FILTERs', () => {
    const where = `{ SELECT ?p (MAX(?d) AS ?last) WHERE { ?any fhir:of ?p ; fhir:date ?d ; fhir:ok true } GROUP BY ?p }
?r a fhir:Goal ; fhir:of ?p ; fhir:date ?date .
FILTER(?date = ?last)`;
    expect(of(goal, task(where))).toEqual({ 'urn:g': 'own.rq:4 asks for ?r fhir:date ?date' });
    const dated = `${goal}<urn:g> <fhir:date> "1" .\n`;
    expect(of(dated, task(where))['urn:g']).toMatch(/^own\.rq:3 asks for \{ SELECT \?p /u);
    const newer = `<urn:n> <fhir:of> <urn:p> .\n<urn:n> <fhir:date> "2" .\n<urn:n> <fhir:ok> "true"^^<http://www.w3.org/2001/XMLSchema#boolean> .\n`;
    expect(of(dated + newer, task(where))).toEqual({
      'urn:g': 'own.rq:5 asks for FILTER(?date = ?last)',
    });
  });

  it('take no row for each combination of what independent steps find', async () => {
    const component = Array.from({ length: 3000 }, () => ({}));
    const coding = [{ system: 'http://loinc.org', code: '85354-9' }];
    const observation = { ...resources.pressure, id: 'many', code: { coding }, component };
    const before = process.cpuUsage();
    const reasons = await reasonsFor('Observation', [observation]);
    const { user } = process.cpuUsage(before);
    expect(Object.keys(reasons).join()).toContain('?upperPart fhir:code/fhir:coding/fhir:code "8480-6"');
    // Nine million rows took a minute.
    expect(user / 1e6).toBeLessThan(20);
  });

  it('are none for what was made, and for what is contained', () => {
    const contained = goal.replaceAll('urn:g', 'urn:g#c');
    const where = '?r a fhir:Goal ; fhir:of ?p ; fhir:target ?t .';
    expect(of(`${goal}${contained}<urn:g> <fhir:target> "2" .\n`, task(where))).toEqual({});
  });
});
