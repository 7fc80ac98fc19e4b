import { Parser } from 'n3';
import { beforeAll, describe, expect, it } from 'vitest';
import { join, resolve } from 'node:path';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import { Graph } from '../../../src/model/ontology/graph.js';
import type { Ontology } from '../../../src/model/ontology/model.js';
import { prefixes } from '../../../src/rdf/vocabulary.js';
import type { Quad } from '../../../src/rdf/terms.js';
import { capital } from '../../../src/http/html/readable.js';
import { inWords } from '../../../src/pages/record/trend-svg.js';
import { kindsOf } from '../../../src/pages/shown/statement-kinds.js';
import { StatementReader } from '../../../src/pages/shown/statement-reader.js';
import {
  alertStrip,
  bySeverity,
  contradictions,
  type Alerts,
} from '../../../src/pages/record/alert-strip.js';
import { html } from '../../../src/http/html/html.js';
import { historyByDay, linesByKind } from '../../../src/pages/record/history-by-day.js';
import { byHeading, endOf, period } from '../../../src/pages/record/statement-list.js';
import type { ShownStatement } from '../../../src/pages/shown/shown-statement.js';
import { resultsOf } from '../../../src/pages/shown/results.js';
import { trendsOf } from '../../../src/pages/shown/trends.js';
import { atOnce } from '../../../src/store/steps.js';

const root = resolve(import.meta.dirname, '..', '..', '..');
const record = 'http://localhost/records/1';
const heading = Object.entries(prefixes)
  .map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .`)
  .join('\n');
let ontology: Ontology;

beforeAll(async () => {
  ({ ontology } = await loadOntology(join(root, 'ontology')));
});

function read(turtle: string): StatementReader {
  const quads = new Parser({ baseIRI: `${record}/` }).parse(`${heading}\n${turtle}`) as unknown as Quad[];
  return new StatementReader(ontology, new Graph(quads), record, Date.parse('2024-06-01'));
}

const lab = (id: string, date: string, value: string, range = ''): string => `
  <lab_results/${id}> a sp:LabResult ; sp:belongsTo <${record}> ; dcterms:date "${date}" ;
    sp:labName [ a sp:CodedValue ; dcterms:title "Hemoglobin A1c" ; sp:code <http://purl.bioontology.org/ontology/LNC/4548-4> ] ;
    sp:quantitativeResult [ a sp:QuantitativeResult ; sp:valueAndUnit [ a sp:ValueAndUnit ; sp:value "${value}" ; sp:unit "%" ] ${range} ] .`;
const normal = `; sp:normalRange [ a sp:ValueRange ;
  sp:minimum [ a sp:ValueAndUnit ; sp:value "4" ; sp:unit "%" ] ; sp:maximum [ a sp:ValueAndUnit ; sp:value "5.7" ; sp:unit "%" ] ]`;

const historyText = (
  ...[statements, earlierStays = [], ended = []]: [
    readonly ShownStatement[],
    (readonly ShownStatement[])?,
    (readonly ShownStatement[])?,
  ]
): string =>
  historyByDay({ statements, earlierStays, ended }, () => undefined)
    .map(({ text }) =>
      text
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .join(' | ');

describe('a statement in short', () => {
  it('has its title, its date and its summary by the annotations of its class', () => {
    const statement = read(lab('a', '2024-01-23', '7.1', normal)).statement(`${record}/lab_results/a`);
    expect(statement).toMatchObject({
      kind: 'Lab results',
      title: 'Hemoglobin A1c',
      code: 'http://purl.bioontology.org/ontology/LNC/4548-4',
      date: '2024-01-23',
      isOver: false,
      flag: { letters: 'H', text: 'High', isCritical: false },
    });
    expect(statement?.summary()).toEqual(['7.1% (normal 4 to 5.7%)']);
  });

  it('is over when its last day has passed, and current until then', () => {
    const medication = (id: string, end: string): string =>
      `<medications/${id}> a sp:Medication ; sp:belongsTo <${record}> ; sp:startDate "2020" ${end} .`;
    const reader = read(
      medication('a', '; sp:endDate "2024-05-31"') +
        medication('b', '; sp:endDate "2024"') +
        medication('c', ''),
    );
    expect(['a', 'b', 'c'].map((id) => reader.statement(`${record}/medications/${id}`)?.isOver)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is over when its status says so, though it has no last day', () => {
    const status = (property: string, code: string): string =>
      `; ${property} [ a sp:CodedValue ; dcterms:title "Gone" ; sp:code <${code}> ] .`;
    const snomed = 'http://purl.bioontology.org/ontology/SNOMEDCT/';
    const own = 'https://chartgraph.example.org/terms/codes/MedicationStatus#';
    const given = [
      ['problems', 'Problem', 'sp:problemStatus', `${snomed}413322009`, true],
      ['problems', 'Problem', 'sp:problemStatus', `${snomed}55561003`, false],
      ['problems', 'Problem', 'sp:problemStatus', `${snomed}73425007`, true],
      [
        'medications',
        'Medication',
        '<https://chartgraph.example.org/terms#medicationStatus>',
        `${own}stopped`,
        true,
      ],
      [
        'medications',
        'Medication',
        '<https://chartgraph.example.org/terms#medicationStatus>',
        `${own}completed`,
        true,
      ],
      [
        'medications',
        'Medication',
        '<https://chartgraph.example.org/terms#medicationStatus>',
        `${own}onHold`,
        false,
      ],
    ] as const;
    for (const [path, type, property, code, over] of given) {
      const reader = read(`<${path}/a> a sp:${type} ; sp:startDate "2020" ${status(property, code)}`);
      const statement = reader.statement(`${record}/${path}/a`) as ShownStatement;
      expect([code, statement.isOver]).toEqual([code, over]);
      const lasts = type === 'Problem' ? 'since 2020' : 'Started 2020';
      expect(period(statement)).toBe(over ? 'Started 2020, later gone' : lasts);
    }
  });

  it('says in one phrase how and when it ended, and leaves out that a past medicine has no instructions', () => {
    const stopped =
      'cg:medicationStatus [ a sp:CodedValue ; dcterms:title "Stopped" ; ' +
      'sp:code <https://chartgraph.example.org/terms/codes/MedicationStatus#stopped> ]';
    const inactive =
      'sp:problemStatus [ a sp:CodedValue ; dcterms:title "Inactive" ; ' +
      'sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/73425007> ]';
    const shown = [
      `medications/a> a sp:Medication ; sp:startDate "2020-03-03" ; sp:endDate "2020-05-05" ; ${stopped}`,
      `medications/a> a sp:Medication ; sp:startDate "2020-03-03" ; ${stopped}`,
      `medications/a> a sp:Medication ; ${stopped}`,
      'medications/a> a sp:Medication ; sp:startDate "2020-03-03" ; sp:endDate "2020-05-05"',
      `problems/a> a sp:Problem ; sp:startDate "2020-03-03" ; sp:endDate "2020-05-05" ; ${inactive}`,
    ].map((turtle) => {
      const said = turtle.startsWith('m') ? ' ; sp:instructions "No instructions are recorded."' : '';
      const statement = read(`<${turtle}${said} .`).statement(`${record}/${turtle.split('>')[0]}`);
      return statement && [period(statement, true), endOf(statement), statement.summary()];
    });
    expect(shown).toEqual([
      ['Started 3 Mar 2020, stopped 5 May 2020', 'stopped 5 May 2020', []],
      ['Started 3 Mar 2020, later stopped', 'later stopped', []],
      ['Stopped', 'later stopped', []],
      ['3 Mar 2020 to 5 May 2020', 'until 5 May 2020', []],
      ['Started 3 Mar 2020, ended 5 May 2020 (inactive)', 'ended 5 May 2020 (inactive)', []],
    ]);
  });

  it('says in words what a status says, unless it goes without saying', () => {
    const shown = [
      'final',
      'not-done',
      'on-hold',
      'active, provisional',
      'Active',
      'unknown',
      'Gone-ish',
    ].map((status) => {
      const reader = read(
        `<unmapped/procedures/a> a cg:UnmappedProcedure ; dcterms:title "Stitches" ; cg:recordedStatus "${status}" .`,
      );
      const iri = `${record}/unmapped/procedures/a`;
      const [property] = reader.properties(iri).filter(({ label }) => label === 'Status');
      return [reader.statement(iri)?.summary().join(), property?.values[0]?.text];
    });
    expect(shown).toEqual([
      ['', 'Final'],
      ['Not done', 'Not done'],
      ['On hold', 'On hold'],
      ['Provisional', 'Active, provisional'],
      ['', 'Active'],
      ['Status not known', 'Not known'],
      ['Gone-ish', 'Gone-ish'],
    ]);
    const pain =
      '<unmapped/vital_sign_sets/a> a cg:UnmappedVitalSignSet ; dcterms:title "Pain" ; cg:recordedStatus "final" ; sp:notes "3" .';
    expect(read(pain).statement(`${record}/unmapped/vital_sign_sets/a`)?.summary()).toEqual(['3']);
    const given =
      '<unmapped/immunizations/a> a cg:UnmappedImmunization ; dcterms:title "Not given: Flu" ; cg:recordedStatus "not-done" .';
    expect(read(given).statement(`${record}/unmapped/immunizations/a`)?.summary()).toEqual([]);
  });

  it('says of a result that it is preliminary, not that it is final, also beside a mark', () => {
    const summaries = ['final', 'preliminary'].flatMap((state) =>
      ['5', '9'].map((value) => {
        const code = `<http://smartplatforms.org/terms/codes/LabStatus#${state}>`;
        const status = `; sp:labStatus [ a sp:CodedValue ; dcterms:title "${capital(state)}" ; sp:code ${code} ] .`;
        const turtle = lab('a', '2024', value, normal).replace(/ \.$/u, status);
        return read(turtle).statement(`${record}/lab_results/a`)?.summary().slice(1);
      }),
    );
    expect(summaries).toEqual([[], [], ['Preliminary'], ['Preliminary']]);
  });

  it('is over where it is kept in words, and these say so', () => {
    const over = ['resolved', 'inactive, confirmed', 'Completed', 'active', 'unresolved', ''].map(
      (status) => {
        const said = status === '' ? '' : `; cg:recordedStatus "${status}"`;
        const reader = read(
          `<unmapped/problems/a> a cg:UnmappedProblem ; dcterms:title "Cradle cap" ${said} .`,
        );
        return reader.statement(`${record}/unmapped/problems/a`)?.isOver;
      },
    );
    expect(over).toEqual([true, true, true, false, false, false]);
  });

  it('is of the day of all that it links to, in one order, where its class has no date', () => {
    const named = (id: string, date: string, code: string, title: string): string =>
      lab(id, date, '5').replace('4548-4', code).replace('Hemoglobin A1c', title);
    const results =
      named('a', '2024-01-23T10:00:00Z', '1-1', 'Zinc') +
      named('b', '2024-01-23', '2-2', 'Copper') +
      named('c', '2024-01-23T09:00:00Z', '2823-3', 'Potassium') +
      named('d', '2024-01-24', '718-7', 'Hemoglobin');
    const panel = (...ids: string[]): ShownStatement => {
      const links = ids.map((id) => `<lab_results/${id}>`).join(', ');
      const turtle = `<lab_panels/p> a sp:LabPanel ; sp:labResult ${links} . ${results}`;
      return read(turtle).statement(`${record}/lab_panels/p`) as ShownStatement;
    };
    expect(panel('a', 'b', 'c').date).toBe('2024-01-23');
    expect(panel('a', 'd').date).toBeUndefined();
    expect(panel('a', 'b', 'c', 'd').summary()).toEqual(['Potassium, Hemoglobin, Copper, Zinc']);
  });

  it('is not outside of normal at an end of the range', () => {
    const reader = read(
      ['4', '5.7', '3.9', '5.8'].map((value, at) => lab(`v${at}`, '2024', value, normal)).join('\n'),
    );
    expect(
      ['v0', 'v1', 'v2', 'v3'].map((id) => reader.statement(`${record}/lab_results/${id}`)?.flag?.letters),
    ).toEqual([undefined, undefined, 'L', 'H']);
  });

  it('says once that a result is not normal: as it says itself, else by its range', () => {
    const interpreted = (id: string, value: string, code: string, title: string): string =>
      lab(id, '2024', value, normal).replace(
        / \.$/,
        ` ; sp:abnormalInterpretation [ a sp:CodedValue ; dcterms:title "${title}" ; sp:code <http://smartplatforms.org/terms/codes/LabResultInterpretation#${code}> ] .`,
      );
    const reader = read(
      interpreted('a', '7.1', 'abnormal', 'Abnormal') +
        interpreted('b', '5', 'critical', 'Critical') +
        interpreted('c', '5', 'normal', 'Normal') +
        lab('d', '2024', '7.1', normal) +
        interpreted('e', '7.1', 'normal', 'Normal') +
        interpreted('f', '5', 'normal', 'Normal for age'),
    );
    const shown = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => {
      const { summary, flag } = reader.statement(`${record}/lab_results/${id}`) ?? {};
      return [summary?.().slice(1), flag?.letters, flag?.text];
    });
    expect(shown).toEqual([
      [[], 'H', 'High'],
      [[], '', 'Critical'],
      [[], undefined, undefined],
      [[], 'H', 'High'],
      [['Normal'], 'H', 'High'],
      [['Normal for age'], undefined, undefined],
    ]);
  });

  it('is of a substance in a specimen where its code names one, as blood does and urine does not', () => {
    const substances = ['Serum or Plasma', 'Blood', 'Urine'].map((specimen) => {
      const turtle = lab('a', '2024', '1.05').replace(
        'Hemoglobin A1c',
        `Creatinine [Mass/volume] in ${specimen}`,
      );
      const statement = read(turtle).statement(`${record}/lab_results/a`);
      return statement && resultsOf(statement)[0]?.substance;
    });
    expect(substances[0]).toMatch(/Creatinine"/);
    expect(substances.slice(1)).toEqual([substances[0], undefined]);
  });

  it('is critical beyond its critical range, and a line of a table of results says so', () => {
    const critical = normal.replace('normalRange', 'nonCriticalRange').replace('"5.7"', '"9"');
    const reader = read(lab('a', '2024', '9.5', normal + critical));
    const statement = reader.statement(`${record}/lab_results/a`);
    expect(statement && resultsOf(statement)).toMatchObject([
      {
        test: 'Hemoglobin A1c',
        value: '9.5',
        unit: '%',
        range: '4 to 5.7%',
        flag: { letters: 'HH', text: 'Critically high', isCritical: true },
      },
    ]);
  });

  it('keeps the numbers as they are written, whose last zeros tell how exact they are', () => {
    const statement = lab('a', '2024', '7.0', normal.replace('"4"', '"4.0"'));
    expect(read(statement).statement(`${record}/lab_results/a`)?.summary()).toEqual([
      '7.0% (normal 4.0 to 5.7%)',
    ]);
    expect(
      read(lab('b', '2024', '1.50e-05'))
        .statement(`${record}/lab_results/b`)
        ?.summary(),
    ).toEqual(['1.50e-05%']);
  });

  it('is not compared with a range of another unit, which is told with its own', () => {
    const other = normal.replaceAll('"%"', '"mmol/mol"');
    const statement = read(lab('a', '2024', '7.1', other)).statement(`${record}/lab_results/a`);
    expect(statement).toMatchObject({ flag: undefined });
    expect(statement?.summary()).toEqual(['7.1% (normal 4 to 5.7 mmol/mol)']);
  });

  it('says which range it is beside a value, where that is not the normal one', () => {
    const critical = normal.replace('sp:normalRange', 'sp:nonCriticalRange');
    expect(
      read(lab('a', '2024', '4.2', critical))
        .statement(`${record}/lab_results/a`)
        ?.summary(),
    ).toEqual(['4.2%, non-critical range 4 to 5.7%']);
  });

  it('says what was measured together in one number pair', () => {
    const reader =
      read(`<vital_sign_sets/a> a sp:VitalSignSet ; dcterms:date "2024" ; sp:bloodPressure [ a sp:BloodPressure ;
      sp:systolic [ a sp:VitalSign ; sp:value "128" ; sp:unit "mm[Hg]" ] ;
      sp:diastolic [ a sp:VitalSign ; sp:value "78" ; sp:unit "mm[Hg]" ] ] .`);
    const statement = reader.statement(`${record}/vital_sign_sets/a`);
    expect(statement).toMatchObject({ title: 'Vital signs' });
    expect(statement?.summary()).toEqual(['Blood pressure: 128/78 mmHg']);
  });

  it('is nothing where no class of the ontology is named', () => {
    expect(read('<x> a <urn:x:Y> .').statement(`${record}/x`)).toBeUndefined();
  });
});

describe('all of a statement', () => {
  it('stands in the order of its class, with codes beside their titles and links to other statements', () => {
    const reader =
      read(`<problems/a> a sp:Problem ; sp:startDate "2014-02-10" ; sp:encounters <encounters/b> ;
        sp:problemName [ a sp:CodedValue ; dcterms:title "Type 2 diabetes" ; sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/44054006> ] .
      <http://purl.bioontology.org/ontology/SNOMEDCT/44054006> a sp:Code ; dcterms:title "Type 2 diabetes" ;
        dcterms:identifier "44054006" ; sp:system "http://purl.bioontology.org/ontology/SNOMEDCT/" .
      <encounters/b> a sp:Encounter ; sp:startDate "2018-09-11" .`);
    expect(reader.properties(`${record}/problems/a`)).toEqual([
      {
        label: 'Problem name',
        isSource: false,
        values: [{ text: 'Type 2 diabetes', code: 'SNOMED CT 44054006', parts: undefined }],
      },
      { label: 'Start date', isSource: false, values: [{ text: '10 Feb 2014' }] },
      {
        label: 'Visits',
        isSource: false,
        values: [{ text: 'Visits', link: `${record}/encounters/b`, note: '11 Sep 2018' }],
      },
    ]);
  });

  it.each([
    // title in the data, its code, what pages show
    ['Stress (finding)', 'SNOMEDCT/73595000', 'Stress'],
    ['Rash (finding), Asthma (disorder)', 'SNOMEDCT/73595000', 'Rash, Asthma'],
    ['Stress (at work)', 'SNOMEDCT/73595000', 'Stress (at work)'],
    ['Iron (substance)', 'RXNORM/90176', 'Iron (substance)'],
    ['Never smoker', 'SNOMEDCT/266919005', 'Never smoked'],
    ['Never, says his wife', 'SNOMEDCT/266919005', 'Never, says his wife'],
    ['NDA020800 0.3 ML Epinephrine', 'RXNORM/1', '0.3 ML Epinephrine'],
    ['Glucose [Mass/volume] in Urine by Test strip', 'LNC/5792-7', 'Glucose in Urine by Test strip'],
    ['Glucose [Mass/volume]', 'SNOMEDCT/1', 'Glucose [Mass/volume]'],
    ['ALT [Enzymatic activity/volume] in Blood', 'LNC/1742-6', 'ALT in Blood'],
    ['Leukocytes [#/volume] in Blood by Automated count', 'LNC/6690-2', 'Leukocytes in Blood'],
    [
      'Glomerular filtration rate/1.73 sq M.predicted [Volume Rate/Area] in Serum by Creatinine-based formula (MDRD)',
      'LNC/33914-3',
      'Glomerular filtration rate/1.73 sq M.predicted in Serum (MDRD)',
    ],
  ])('shows “%s” with the code %s as “%s”', (title, code, words) => {
    const coded = `[ a sp:CodedValue ; dcterms:title "${title}" ; sp:code <http://purl.bioontology.org/ontology/${code}> ]`;
    const reader = read(`<problems/a> a sp:Problem ; sp:problemName ${coded} .`);
    expect(reader.statement(`${record}/problems/a`)?.title).toBe(words);
  });

  it('has the whole title of a code beside it, where less is shown', () => {
    const coded = (id: string, title: string): string =>
      `<problems/${id}> a sp:Problem ; sp:problemName [ a sp:CodedValue ; dcterms:title "${title}" ; sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/73595000> ] .`;
    const reader = read(coded('a', 'Stress (finding)') + coded('b', 'Stress'));
    const codes = ['a', 'b'].map((id) => reader.properties(`${record}/problems/${id}`)[0]?.values[0]?.code);
    expect(codes).toEqual(['SNOMED CT 73595000: Stress (finding)', 'SNOMED CT 73595000']);
  });

  it.each([
    ['Has a criminal record', '266948004', true],
    ['Only received primary school education', '224295006', true],
    ['Homeless', '32911000', true],
    ['Victim of intimate partner abuse', '706893006', false],
    ['Misuses drugs', '361055000', false],
    ['Body mass index 30+ - obesity', '162864005', false],
    ['At risk for suicide', '225444004', false],
  ])('takes “%s” (%s) for social: %s', (title, code, isSocial) => {
    const reader = read(
      `<problems/a> a sp:Problem ; sp:problemName [ a sp:CodedValue ; dcterms:title "${title} (finding)" ; sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/${code}> ] .`,
    );
    expect(reader.statement(`${record}/problems/a`)?.isSocial).toBe(isSocial);
  });

  it('leaves the tags of codes out of instructions, and no more', () => {
    const told = 'Every six hours (qualifier value), with food (or milk); as needed for Pain (finding)';
    const reader = read(`<medications/a> a sp:Medication ; sp:instructions "${told}" .`);
    const words = 'Every six hours, with food (or milk); as needed for Pain';
    expect(reader.statement(`${record}/medications/a`)?.summary()).toEqual([words]);
  });

  it.each([
    ['started this year', '"2024-01-02"', '', undefined],
    ['dispensed this year', '"2016-03-05"', '2024-01-02', undefined],
    ['of which the end is known', '"2016-03-05" ; sp:endDate "2030"', '', undefined],
    ['dispensed long ago', '"2016-03-05"', '2020-01-02', '8 years ago'],
    ['never dispensed', '"2016-03-05"', '', '8 years ago'],
  ])('doubts that a medicine is still taken, of one that was %s', (_, start, dispensed, age) => {
    const { doubt, summary, ...statement } = read(
      `<medications/a> a sp:Medication ; sp:startDate ${start} ; sp:fulfillment <fulfillments/a> .
       ${dispensed && `<fulfillments/a> a sp:Fulfillment ; dcterms:date "${dispensed}" .`}`,
    ).statement(`${record}/medications/a`) as ShownStatement;
    const reason =
      dispensed === ''
        ? 'No end recorded; started over a year ago, never recorded as dispensed'
        : 'No end recorded; last dispensed over a year ago';
    expect(doubt).toEqual(age === undefined ? undefined : { reason, age });
    expect(summary()).toEqual(
      dispensed.startsWith('2020')
        ? ['Last dispensed 2 Jan 2020 (4 years ago)']
        : dispensed === ''
          ? []
          : ['Last dispensed 2 Jan 2024'],
    );
    const heads = [...byHeading([{ ...statement, doubt, summary }]).keys()];
    expect(heads).toEqual([age === undefined ? '' : reason]);
  });

  it('has what is surely current before what may be over', () => {
    const reader = read(
      `<medications/old> a sp:Medication ; sp:startDate "2016" . <medications/new> a sp:Medication ; sp:startDate "2024-03" .`,
    );
    const all = ['old', 'new'].map((id) => reader.statement(`${record}/medications/${id}`) as ShownStatement);
    const [[, first] = [], [, second] = []] = [...byHeading(all)];
    expect([first, second].map((own) => own?.map(({ date }) => date))).toEqual([['2024-03'], ['2016']]);
  });

  it('says when a medicine was last dispensed, and how long ago', () => {
    const dispensed = (id: string, date: string): string =>
      `<fulfillments/${id}> a sp:Fulfillment ; dcterms:date "${date}" .`;
    const reader = read(
      `<medications/a> a sp:Medication ; sp:instructions "One." ; sp:fulfillment <fulfillments/a>, <fulfillments/b> .
       ${dispensed('a', '2022-03-01')} ${dispensed('b', '2021-09-01')}`,
    );
    const said = reader.statement(`${record}/medications/a`)?.summary();
    expect(said).toEqual(['One.', 'Last dispensed 1 Mar 2022 (2 years ago)']);
  });

  it('shows no more decimals than the ontology wants, and says on the page of a statement what was recorded', () => {
    const sign = (value: string): string => `[ a sp:VitalSign ; sp:value "${value}" ; sp:unit "kg" ]`;
    const reader = read(
      `<vital_sign_sets/a> a sp:VitalSignSet ; dcterms:date "2024" ; sp:bodyMassIndex ${sign('24.7812')} ; sp:weight ${sign('63.7000')} .`,
    );
    const { quantities, summary } = reader.statement(`${record}/vital_sign_sets/a`) ?? {};
    expect(quantities?.map(({ text, value }) => [text, value])).toEqual([
      ['24.8', 24.7812],
      ['63.70', 63.7],
    ]);
    expect(summary?.()).toEqual(['Body mass index: 24.8 kg', 'Weight: 63.70 kg']);
    const [weight] = reader
      .properties(`${record}/vital_sign_sets/a`)
      .filter(({ label }) => label === 'Weight');
    expect(weight?.values).toMatchObject([{ text: '63.70 kg', note: 'recorded as 63.7000' }]);
    const statement = reader.statement(`${record}/vital_sign_sets/a`) as ShownStatement;
    expect(resultsOf(statement).map(({ value, exact }) => [value, exact])).toEqual([
      ['24.8', '24.7812'],
      ['63.70', '63.7000'],
    ]);
  });

  it.each([
    ['2.6572', '2.657'],
    ['140.44', '140.4'],
    ['0.027243', '0.02724'],
    ['-12.3456', '-12.35'],
    ['12345.67', '12346'],
    ['1.0234', '1.023'],
    ['123456', '123456'],
    ['0.0', '0.0'],
    ['7.00', '7.00'],
    // Rounded, they would be normal, or no longer.
    ['5.70004', '5.70004'],
    ['3.99996', '3.99996'],
  ])('of %s is shown as %s, with all digits on its own page', (written, text) => {
    const iri = `${record}/lab_results/a`;
    const reader = read(lab('a', '2024', written, normal));
    const statement = reader.statement(iri) as ShownStatement;
    const [{ value, exact } = {}] = resultsOf(statement);
    expect([value, exact ?? value]).toEqual([text, written]);
    expect(statement.summary()).toEqual([`${text}% (normal 4 to 5.7%)`]);
    expect(JSON.stringify(reader.properties(iri))).toContain(`"${written}%"`);
  });

  it('has no unit that only repeats its name', () => {
    const ph = (unit: string) =>
      lab('a', '2024', '7.03').replace('Hemoglobin A1c', 'pH of Arterial blood').replace('"%"', `"${unit}"`);
    const unitOf = (unit: string) =>
      resultsOf(read(ph(unit)).statement(`${record}/lab_results/a`) as ShownStatement)[0]?.unit;
    expect([unitOf('[pH]'), unitOf('mol')]).toEqual(['', 'mol']);
  });

  it('without a range is shown with as many digits, and a dose as it was written', () => {
    const dose = `<fulfillments/a> a sp:Fulfillment ; sp:belongsTo <${record}> ;
      sp:quantityDispensed [ a sp:ValueAndUnit ; sp:value "2.6572" ; sp:unit "mg" ] .`;
    const reader = read(lab('a', '2024', '2.6572') + dose);
    expect(reader.statement(`${record}/lab_results/a`)?.summary()).toEqual(['2.657%']);
    expect(reader.statement(`${record}/fulfillments/a`)?.summary().join()).toContain('2.6572 mg');
  });

  it('is a visit of a type, with its reason, in the words of the source', () => {
    const type = 'http://smartplatforms.org/terms/codes/EncounterType#ambulatory';
    const visit = read(
      `<encounters/a> a sp:Encounter ; cg:visitType "Encounter for symptom (procedure)" ; cg:visitReason "Anemia (disorder)" ;
        sp:encounterType [ a sp:CodedValue ; dcterms:title "Ambulatory encounter" ; sp:code <${type}> ] ; cg:providerName "Dr. Sharilyn Wolff" .`,
    ).statement(`${record}/encounters/a`);
    expect(visit?.title).toBe('Clinic visit: Encounter for symptom');
    expect(visit?.summary()).toEqual(['Anemia', 'Dr. Sharilyn Wolff']);
  });

  it('does not fold a blood pressure behind a height', () => {
    const measure = (id: string, property: string, value: string): string =>
      `<vital_sign_sets/${id}> a sp:VitalSignSet ; dcterms:date "2020" ; sp:${property} [ a sp:VitalSign ; sp:value "${value}" ; sp:unit "1" ] .`;
    const names = ['height', 'bodyMassIndex', 'weight', 'temperature', 'respiratoryRate', 'heartRate'];
    const reader = read(names.map((name, at) => measure(name, name, String(at))).join('\n'));
    const statements = reader.statements(names.map((name) => `${record}/vital_sign_sets/${name}`));
    const text = historyByDay({ statements }, () => undefined)
      .map((part) => part.text)
      .join('');
    const at = (label: string): number => text.indexOf(label);
    expect(at('Heart rate')).toBeGreaterThan(0);
    expect(at('Heart rate')).toBeLessThan(at('Weight'));
    expect(at('Heart rate')).toBeLessThan(at('<details'));
    expect(at('Height')).toBeGreaterThan(at('<details'));
  });

  it('has what was done in the days of a stay below it, and when it ended', () => {
    const type = 'http://smartplatforms.org/terms/codes/EncounterType#inpatient';
    const stay = `<encounters/a> a sp:Encounter ; sp:startDate "2020-01-14T21:30:00Z" ; sp:endDate "2020-01-18" ;
      sp:encounterType [ a sp:CodedValue ; dcterms:title "Inpatient encounter" ; sp:code <${type}> ] .`;
    const reader = read(`${lab('c', '2020-01-20', '7')} ${lab('b', '2020-01-16', '8')} ${stay}`);
    const iris = ['lab_results/c', 'lab_results/b', 'encounters/a'].map((path) => `${record}/${path}`);
    const stays = reader.statements(iris.slice(2));
    expect(historyText(reader.statements(iris.slice(0, 2)), stays)).toBe(
      '20 Jan 2020 Lab results Hemoglobin A1c 7% | ' +
        '14 Jan 2020 · Hospital stay until 18 Jan 2020 Only 16 Jan 2020 is listed here. Lab results Hemoglobin A1c 16 Jan 2020 · 8%',
    );
    expect(historyText(reader.statements(iris))).toBe(
      '20 Jan 2020 Lab results Hemoglobin A1c 7% | ' +
        '14 Jan 2020 · Hospital stay until 18 Jan 2020 Lab results Hemoglobin A1c 16 Jan 2020 · 8%',
    );
  });

  it('has what ended below the stay or the day in which it did, but what began there as well only once', () => {
    const type = 'http://smartplatforms.org/terms/codes/EncounterType#inpatient';
    const problem = (id: string, name: string, from: string, to: string): string =>
      `<problems/${id}> a sp:Problem ; sp:startDate "${from}" ; sp:endDate "${to}" ; sp:problemName [ a sp:CodedValue ; dcterms:title "${name}" ] .`;
    const reader =
      read(`<encounters/a> a sp:Encounter ; sp:startDate "2023-03-20T08:00:00Z" ; sp:endDate "2023-03-24" ;
        sp:encounterType [ a sp:CodedValue ; dcterms:title "Inpatient encounter" ; sp:code <${type}> ] .
      ${problem('a', 'Pregnancy', '2022-07-05', '2023-03-22')} ${problem('b', 'Tear', '2023-03-22', '2023-03-24')}
      ${problem('c', 'Cough', '2023-03-01', '2023-04-02')}`);
    const [stay, pregnancy, tear, cough] = reader.statements(
      ['encounters/a', 'problems/a', 'problems/b', 'problems/c'].map((path) => `${record}/${path}`),
    ) as [ShownStatement, ShownStatement, ShownStatement, ShownStatement];
    expect(historyText([tear, stay], [], [pregnancy, tear, cough])).toBe(
      '2 Apr 2023 Problems ended Cough 1 Mar 2023 to 2 Apr 2023 | ' +
        '20 Mar 2023 · Hospital stay until 24 Mar 2023 Problem Tear 22 Mar 2023 to 24 Mar 2023 ' +
        'Problems ended Pregnancy 5 Jul 2022 to 22 Mar 2023',
    );
  });

  it('has of the tests of a stay first what is not normal, then the latest of each in its place, and says how many more', () => {
    const named = (id: string, code: string, title: string, value: string): string =>
      lab(id, `2024-01-2${id.slice(1)}`, value, normal)
        .replace('4548-4', code)
        .replace('Hemoglobin A1c', title);
    const reader = read(
      [
        named('z8', '1-1', 'Zinc', '5'),
        named('k8', '2823-3', 'Potassium', '5'),
        named('s8', '2951-2', 'Sodium', '5'),
        named('i8', '6301-6', 'INR', '5'),
        named('t8', '89579-7', 'Troponin I', '5'),
        named('k7', '2823-3', 'Potassium', '5'),
        named('c7', '1988-5', 'CRP', '9'),
      ].join('\n'),
    );
    const iris = ['z8', 'k8', 's8', 'i8', 't8', 'k7', 'c7'].map((id) => `${record}/lab_results/${id}`);
    const text = (linesByKind(reader.statements(iris), () => undefined, '2024-01-28') || html``).text;
    expect(
      text.replaceAll(/<[^>]*>/g, ' ').match(/CRP|Potassium|Sodium|INR|Troponin I|Zinc|\d+ more.*/gu),
    ).toEqual(['CRP', 'Potassium', 'Sodium', 'INR', '3 more lab results', 'Troponin I', 'Zinc', 'Potassium']);
  });

  it('stands on the page of a stay by time, each with its day and time', () => {
    const set = (id: string, date: string, value: string): string =>
      `<vital_sign_sets/${id}> a sp:VitalSignSet ; dcterms:date "${date}" ; sp:${id.startsWith('h') ? 'heartRate' : 'temperature'} [ a sp:VitalSign ; sp:value "${value}" ; sp:unit "1" ] .`;
    const reader = read(
      set('h4', '2021-04-04T02:22:00Z', '4') +
        set('t5', '2021-04-05T02:22:00Z', '5') +
        set('h5', '2021-04-05T02:22:00Z', '6') +
        set('h6', '2021-04-06', '7'),
    );
    const iris = ['h4', 't5', 'h6', 'h5'].map((id) => `${record}/vital_sign_sets/${id}`);
    const { text } = linesByKind(reader.statements(iris), () => undefined) || html``;
    expect(
      text
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ).toBe(
      'Vital signs 6 Apr 2021 Heart rate: 7 5 Apr 2021, 02:22 UTC Heart rate: 6 Temperature: 5 ' +
        '4 Apr 2021, 02:22 UTC Heart rate: 4',
    );
  });

  it('has of a whole stay what is alike once, with its days, and counts what is measured', () => {
    const type = 'http://smartplatforms.org/terms/codes/EncounterType#inpatient';
    const drug = (id: string, date: string): string =>
      `<medications/${id}> a sp:Medication ; sp:startDate "${date}" ; sp:drugName [ a sp:CodedValue ; dcterms:title "Norepinephrine" ] .`;
    const days = ['08', '07', '06', '05', '04'];
    const reader = read(
      days.map((day) => drug(`m${day}`, `2021-04-${day}`) + lab(`l${day}`, `2021-04-${day}`, '7')).join('') +
        `<encounters/a> a sp:Encounter ; sp:startDate "2021-04-04T02:00:00Z" ; sp:endDate "2021-04-08T09:00:00Z" ;
        sp:encounterType [ a sp:CodedValue ; dcterms:title "Inpatient encounter" ; sp:code <${type}> ] .`,
    );
    const all = reader.statements([
      ...days.flatMap((day) => [`${record}/medications/m${day}`, `${record}/lab_results/l${day}`]),
      `${record}/encounters/a`,
    ]);
    const model = all[1]?.model as ShownStatement['model'];
    const left = new Map([[`${record}/encounters/a`, [{ model, count: 274 }]]]);
    const textOf = (limit?: string): string =>
      historyByDay({ statements: all, left, limit }, () => undefined)
        .map(({ text }) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '))
        .join('|');
    expect(textOf()).toContain('Norepinephrine 5 entries, started 4 to 8 Apr 2021');
    expect(textOf()).toContain('Lab results 279 lab results of this stay');
    expect(textOf()).not.toContain('is listed here');
    expect(textOf('2021-04-08')).toContain('Only 4 to 8 Apr 2021 is listed here.');
  });

  it('is said once where it is the same each day', () => {
    const days = ['2020-03-04', '2020-03-03', '2020-03-02', '2020-03-01', '2020-02-29', '2020-02-20'];
    const care = (name: string, date: string): string =>
      `<procedures/p${date}> a sp:Procedure ; dcterms:date "${date}" ; sp:procedureName [ a sp:CodedValue ; dcterms:title "${name}" ] .`;
    const reader = read(days.map((date, at) => care(at === 0 ? 'Biopsy' : 'Hospice care', date)).join('\n'));
    const all = reader.statements(days.map((date) => `${record}/procedures/p${date}`));
    expect(historyText(all)).toBe(
      '4 Mar 2020 Procedure Biopsy | ' +
        '3 Mar 2020 Procedure Hospice care each day from 29 Feb to 3 Mar 2020 | ' +
        '20 Feb 2020 Procedure Hospice care',
    );
    expect(historyText(all.slice(3, 5))).toBe(
      '1 Mar 2020 Procedure Hospice care | 29 Feb 2020 Procedure Hospice care',
    );
  });

  it('ends where nodes lead back to themselves', () => {
    const reader = read('<problems/a> a sp:Problem ; sp:notes _:a . _:a sp:notes _:b . _:b sp:notes _:a .');
    expect(reader.properties(`${record}/problems/a`)).toHaveLength(1);
  });

  it.each([
    ['en-US', 'English (United States)'],
    ['sv', 'Swedish'],
    ['English (United States)', 'English (United States)'],
    ['en-XY', 'en-XY'],
    ['Klingonish', 'Klingonish'],
  ])('names the language %s', (tag, name) => {
    const reader = read(`<demographics> a sp:Demographics ; sp:preferredLanguage "${tag}" .`);
    const texts = reader
      .properties(`${record}/demographics`)
      .flatMap(({ values }) => values.map(({ text }) => text));
    expect(texts).toEqual([name]);
  });
});

describe('what every page shows', () => {
  const snomed = 'http://purl.bioontology.org/ontology/SNOMEDCT/';
  const allergy = (id: string, title: string, severity: string, name: string): string =>
    `<allergies/${id}> a sp:Allergy ; sp:otherAllergen [ a sp:CodedValue ; dcterms:title "${title}" ] ;
      sp:category [ a sp:CodedValue ; dcterms:title "Food allergy" ; sp:code <${snomed}414285001> ] ;
      sp:severity [ a sp:CodedValue ; dcterms:title "${name}" ; sp:code <${snomed}${severity}> ] .`;
  const excluded = (code: string): string =>
    `<allergies/none> a sp:AllergyExclusion ; sp:allergyExclusionName [ a sp:CodedValue ; dcterms:title "None" ; sp:code <${snomed}${code}> ] .`;
  const ids = ['none', 'mild', 'fatal'];
  const shown = (code: string) =>
    read(
      excluded(code) +
        allergy('mild', 'Dust', '255604002', 'Mild') +
        allergy('fatal', 'Nuts', '399166001', 'Fatal'),
    ).statements(ids.map((id) => `${record}/allergies/${id}`));

  it('has what is most severe first and marked, and what is excluded last', () => {
    const sorted = bySeverity(ontology, shown('160244002')).map(({ title, flag }) => [title, flag?.text]);
    expect(sorted).toEqual([
      ['Nuts', 'Fatal'],
      ['Dust', undefined],
      ['None', undefined],
    ]);
  });

  it('has drugs first among what is equally severe, and what names no substance last', () => {
    const of = (id: string, kind: string, title: string, code: string): string =>
      allergy(id, title, '255604002', 'Mild')
        .replace('414285001', kind)
        .replace(`dcterms:title "${title}"`, `dcterms:title "${title}" ; sp:code <${snomed}${code}>`);
    const statements = read(
      of('a', '416098002', 'Allergy to substance (finding)', '419199007') +
        of('b', '426232007', 'Animal dander (substance)', '264287008') +
        of('c', '414285001', 'Shellfish (substance)', '735029006') +
        of('d', '416098002', 'Lisinopril', '386873009') +
        allergy('e', 'Dust', '24484000', 'Severe'),
    ).statements(['a', 'b', 'c', 'd', 'e'].map((id) => `${record}/allergies/${id}`));
    expect(statements.slice(0, 2).map((each) => each.summary())).toEqual([
      ['Food allergy', 'Mild'],
      ['Mild'],
    ]);
    expect(bySeverity(ontology, statements).map(({ title }) => title)).toEqual([
      'Dust',
      'Lisinopril',
      'Shellfish',
      'Animal dander',
      'Substance not recorded',
    ]);
  });

  it('has a risk in its words, and the mark before what the substance does', () => {
    const reader = read(allergy('risk', 'Nuts', '24484000', 'High risk'));
    const [nuts] = reader.statements([`${record}/allergies/risk`]) as [ShownStatement];
    expect(nuts.flag?.text).toBe('High risk');
    const kind = { model: {}, call: {} } as Alerts['kind'];
    const statements = [{ ...nuts, summary: () => ['Hives'] }];
    const { text } = alertStrip(
      ontology,
      [{ kind, path: '', past: 0, total: 1, statements }],
      () => undefined,
    );
    expect(text).toMatch(
      /<b>Nuts<\/b>\s*<span class="outside"\s*>High risk<\/span\s*>\s*<span class="small">Hives/u,
    );
  });

  it('has what is excluded apart from what the patient has, and not as an alert', () => {
    const kind = { model: {}, call: {} } as Alerts['kind'];
    const strip = (statements: readonly ShownStatement[]): string =>
      alertStrip(ontology, [{ kind, path: '', past: 0, total: 3, statements }], () => undefined).text;
    const [none, mild] = shown('409137002') as [ShownStatement, ShownStatement];
    expect(strip([mild, none])).toMatch(/<li>\s*<b>Dust<\/b>.*<\/ul>\s*<p class="small">\s*None/s);
    expect(strip([none])).toMatch(/strip calm.*<\/a>\s*None\s*<\/p>/s);
  });

  it.each([
    ['160244002', ['“None” is recorded, and so is Dust, Nuts.']],
    ['429625007', ['“None” is recorded, and so is Dust, Nuts.']],
    ['409137002', []],
  ])('names what contradicts the exclusion %s', (code, expected) => {
    expect(contradictions(ontology, shown(code))).toEqual(expected);
  });
});

describe('trends', () => {
  const steps = (turtle: string, birthday?: string) => {
    const reader = read(turtle);
    const iris = [...turtle.matchAll(/<((?:lab_results|vital_sign_sets)\/\w+)> a /g)].map(
      ([, path]) => `${record}/${path}`,
    );
    const measured = iris.flatMap((iri) => {
      const statement = reader.statement(iri);
      return statement ? [{ statement, quantities: reader.quantities(iri) }] : [];
    });
    return trendsOf(measured, birthday);
  };
  const trends = (turtle: string, birthday?: string) => atOnce(steps(turtle, birthday));

  it('are made in steps, one for each statement', () => {
    expect([...steps(lab('b', '2024-01-23', '7.1') + lab('a', '2014', '8.6'))]).toHaveLength(2);
  });

  it('draw a line for each code in the order of time, with the normal range of the latest value', () => {
    const [trend, ...others] = trends(lab('b', '2024-01-23', '7.1', normal) + lab('a', '2014', '8.6'));
    expect(others).toEqual([]);
    expect(trend).toMatchObject({
      title: 'Hemoglobin A1c',
      unit: '%',
      normal: { low: 4, high: 5.7 },
      againstAge: false,
    });
    expect(trend?.lines.map(({ points }) => points.map(({ value }) => value))).toEqual([[8.6, 7.1]]);
  });

  it('have the values as they are written, and no band of another unit', () => {
    const [trend] = trends(
      lab('a', '2014', '8.0') + lab('b', '2024', '7.10', normal.replaceAll('"%"', '"mmol/mol"')),
    );
    expect(trend?.lines.map(({ points }) => points.map(({ text }) => text))).toEqual([['8.0', '7.10']]);
    expect(trend).toMatchObject({ normal: undefined });
    expect(trend && inWords(trend)).toBe(
      'Hemoglobin A1c. latest 7.10% on 2024, 2 values since 2014, from 7.10 to 8.0.',
    );
  });

  it('leave out what is no number or has no date', () => {
    expect(trends(lab('a', '2024', 'high') + lab('b', 'once', '7') + lab('c', '2024', ''))).toEqual([]);
  });

  const weight = (id: string, date: string, kilograms: string): string =>
    `<vital_sign_sets/${id}> a sp:VitalSignSet ; dcterms:date "${date}" ; sp:weight [ a sp:VitalSign ; sp:value "${kilograms}" ; sp:unit "kg" ] .`;

  it.each([
    ['2015-06-02', true],
    ['1958-03-14', false],
    [undefined, false],
  ])('draw weight against age as long as somebody grows: born %s', (birthday, againstAge) => {
    expect(trends(weight('a', '2016-06-02', '9.8') + weight('b', '2020', '18'), birthday)).toMatchObject([
      { title: 'Weight', againstAge },
    ]);
  });

  it('are drawn of laboratory tests and measurements, and of no doses', () => {
    expect(
      kindsOf(ontology)
        .filter(({ hasTrends }) => hasTrends)
        .map(({ model }) => model.name),
    ).toEqual(['VitalSignSet', 'LabResult']);
  });
});

it('of nodes that lead to each other in many ways no more is read than a page can show', () => {
  const nodes = Array.from({ length: 30 }, (_, index) => index);
  const links = nodes.flatMap((from) => nodes.map((to) => `_:n${from} sp:notes _:n${to} .`)).join('\n');
  const reader = read(
    `<problems/a> a sp:Problem ; sp:notes ${nodes.map((node) => `_:n${node}`).join(' , ')} . ${links}`,
  );
  const count = (properties: ReturnType<StatementReader['properties']>): number =>
    properties.reduce(
      (sum, { values }) => sum + values.reduce((inner, { parts = [] }) => inner + 1 + count([...parts]), 0),
      0,
    );
  expect(count(reader.properties(`${record}/problems/a`))).toBeLessThanOrEqual(10_000);
});
