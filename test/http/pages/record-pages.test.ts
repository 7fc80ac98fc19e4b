import { Parser } from 'n3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { entriesOf } from '../../access/log/opened-log.js';
import type { RecordedEntry } from '../../../src/access/log/access-entry.js';
import { namedNode, quad, type Quad } from '../../../src/rdf/terms.js';
import { prefixes, rdf, sp } from '../../../src/rdf/vocabulary.js';
import { openPrimaryStore } from '../../../src/store/primary-store.js';
import { style } from '../../../src/http/html/style.js';
import { startFlowContainer, UI_APP, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainBrowser, PlainPage } from '../oauth/plain-browser.js';

let container: FlowContainer;
const browsers: Record<string, PlainBrowser> = {};

beforeAll(async () => {
  container = await startFlowContainer();
  for (const user of ['person', 'clinician', 'admin', 'analyst'])
    browsers[user] = await container.browser(user);
  browsers['nobody'] = await container.browser();
});
afterAll(() => container.stop());

const as = (user: string): PlainBrowser => browsers[user] as PlainBrowser;

async function entries(record: string): Promise<RecordedEntry[]> {
  const log = await openAccessLog(container.data);
  try {
    return await entriesOf(log, { record, newestFirst: true });
  } finally {
    await log.close();
  }
}

const users = ['nobody', 'person', 'clinician', 'admin', 'analyst'] as const;

describe('who sees which page of a record', () => {
  it.each([
    //                                                nobody person clinician admin analyst
    ['/account/records/1000001', /*                */ [302, 200, 200, 403, 404]],
    ['/account/records/1000002', /*                */ [302, 404, 200, 403, 404]],
    ['/account/records/9999999', /*                */ [302, 404, 404, 403, 404]],
    ['/account/records/%22%3E', /*                 */ [302, 404, 404, 404, 404]],
    ['/account/records/%zz', /*                    */ [302, 404, 404, 404, 404]],
    ['/account/trends/1000001', /*                 */ [302, 200, 200, 403, 404]],
    ['/account/trends/1000002', /*                 */ [302, 404, 200, 403, 404]],
    ['/account/notes/1000002', /*                  */ [302, 404, 200, 403, 404]],
    ['/account/exports/1000002', /*                */ [302, 404, 200, 403, 404]],
    ['/account/accesses/1000001', /*               */ [302, 200, 403, 200, 404]],
    ['/account/accesses/1000002', /*               */ [302, 404, 403, 200, 404]],
    ['/account/records/1000001/problems', /*       */ [302, 200, 200, 403, 404]],
    ['/account/records/1000002/problems', /*       */ [302, 404, 200, 403, 404]],
    ['/account/records/1000001/problems/none', /*  */ [302, 404, 404, 403, 404]],
    ['/account/records/1000001/problems/%3E', /*   */ [302, 404, 404, 403, 404]],
    ['/account/records/1000001/demographics', /*   */ [302, 200, 200, 403, 404]],
    ['/account/records/1000001/photograph', /*     */ [302, 200, 200, 403, 404]],
    ['/account/records/1000001/photograph?format=raw', [302, 200, 200, 403, 404]],
  ])('%s', async (path, expected) => {
    const statuses = [];
    for (const user of users) {
      const page = await as(user).open(path);
      statuses.push(page.status);
      if (page.status !== 200 || path.endsWith('raw')) continue;
      expect(page.headers.get('Cache-Control')).toBe('no-store');
    }
    expect(statuses).toEqual(expected);
  });

  it.each([
    [
      'clinician',
      '/account/accesses/1000001',
      'Who looked at a record is shown to the person whose record it is',
    ],
    ['admin', '/account/records/1000001', 'Administrators do not open records'],
    ['admin', '/account/records/1000001/problems', 'Administrators do not open records'],
  ])('tells the %s at %s why not, and not that there is no record', async (user, path, sentence) => {
    const { html } = await as(user).open(path);
    expect(html).toContain(sentence);
    expect(html).not.toContain('There is no such');
    // It is the same of a record that is not there: refused is refused before anything is read.
    expect((await as(user).open(path.replace('1000001', '9999999'))).html).toBe(html);
  });

  it('says whose record it is to a person of another name, and to no clinician', async () => {
    const said = 'You are looking at Harriet Maud Lindqvale’s record.';
    const shown = async (user: string) =>
      (await as(user).open('/account/records/1000001')).html.includes(said);
    expect([await shown('person'), await shown('clinician')]).toEqual([true, false]);
  });

  it.each(['person', 'analyst'])('tells the %s of a record that is not theirs as of none', async (user) => {
    for (const kind of ['records', 'accesses', 'trends', 'notes', 'exports']) {
      const [there, none] = [
        await as(user).open(`/account/${kind}/1000002`),
        await as(user).open(`/account/${kind}/9999999`),
      ];
      expect(there.html).toContain('No such record.');
      expect([there.status, there.html]).toEqual([none.status, none.html]);
    }
  });

  it('lets nobody without the session post a note, nor with a form of somebody else', async () => {
    const form = await as('clinician').open('/account/notes/1000001');
    const fields = { title: 'a', text: 'b' };
    const [foreign, none] = [
      await as('person').submit(form, fields),
      await as('nobody').submit(form, fields),
    ];
    expect([foreign.status, none.status]).toEqual([403, 303]);
    expect((await as('clinician').submit(form, { ...fields, csrf: undefined })).status).toBe(403);
    const other = await as('clinician').open('/account/notes/1000002');
    const moved = { ...other, html: other.html.replace(/notes\/1000002/g, 'notes/1000003') };
    expect((await as('person').submit(moved, fields)).status).toBe(404);
  });
});

const textOf = (html: string): string =>
  html.replaceAll(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

/** Sends a note, and files it where the page asks to. */
async function file(
  user: string,
  form: PlainPage,
  fields: Readonly<Record<string, string>>,
): Promise<PlainPage> {
  const asked = await as(user).submit(form, fields);
  return asked.html.includes('File the note') ? as(user).submit(asked) : asked;
}

/** Stores statements, in Turtle, by their paths below a record. */
async function write(record: string, statements: Readonly<Record<string, string>>): Promise<void> {
  const baseIRI = `${container.url}/records/${record}/`;
  const heading = Object.entries(prefixes).map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .`);
  const replace = Object.entries(statements).map(([path, turtle]) => {
    const text = `${heading.join('\n')} <${path}> sp:belongsTo <${baseIRI.slice(0, -1)}> ; ${turtle} .`;
    return { name: baseIRI + path, quads: new Parser({ baseIRI }).parse(text) as unknown as Quad[] };
  });
  await openPrimaryStore(container.directory, container.url).write({ replace });
}

describe('what a reader looks for', () => {
  it('is there of each test, however often others were done since', async () => {
    const lab = (name: string, date: string, value: string): string =>
      `a sp:LabResult ; dcterms:date "${date}" ; sp:labName [ a sp:CodedValue ; dcterms:title "${name}" ] ;
        sp:quantitativeResult [ a sp:QuantitativeResult ; sp:valueAndUnit [ a sp:ValueAndUnit ; sp:value "${value}" ; sp:unit "g" ] ;
          sp:normalRange [ a sp:ValueRange ; sp:minimum [ a sp:ValueAndUnit ; sp:value "5" ; sp:unit "g" ] ] ]`;
    const often = Array.from({ length: 40 }, (_, at) => [
      `lab_results/t${at}`,
      lab('Often', '2031-05-05', '6'),
    ]);
    await write('1000006', {
      ...(Object.fromEntries(often) as Record<string, string>),
      'lab_results/u1': lab('Seldom', '2030-01-01', '3'),
      'lab_results/u2': lab('Seldom', '2029-01-01', '4.5'),
    });
    const text = textOf((await as('clinician').open('/account/records/1000006')).html);
    expect(text).toMatch(/Seldom 3 g L Low .{0,80}was 4\.5 L Low on 1 Jan 2029 .*Often 6 g/);
  });
});

describe('a list of more results than a call answers at once', () => {
  it('finds the oldest by their names', async () => {
    const lab = (name: string, date: string): string =>
      `a sp:LabResult ; dcterms:date "${date}" ; sp:labName [ a sp:CodedValue ; dcterms:title "${name}" ;
          sp:code <http://purl.bioontology.org/ontology/LNC/${name.length}-0> ] ;
        sp:quantitativeResult [ a sp:QuantitativeResult ; sp:valueAndUnit [ a sp:ValueAndUnit ; sp:value "6" ; sp:unit "g" ] ]`;
    const often = Array.from({ length: 1010 }, (_, at) => [
      `lab_results/o${at}`,
      lab('Often', new Date(at * 86_400_000).toISOString().slice(0, 10)),
    ]);
    await write('1000005', {
      ...(Object.fromEntries(often) as Record<string, string>),
      'lab_results/old': lab('Rarest', '1931-01-01'),
      'lab_results/older': lab('Rarest', '1930-01-01'),
    });
    const list = (await as('clinician').open('/account/records/1000005/lab_results?q=rarest')).html;
    expect(textOf(list)).toMatch(/2 of \d+ results match “rarest”\..* Rarest/);
    const all = textOf((await as('clinician').open('/account/records/1000005/lab_results')).html);
    expect(all).toContain('1009 earlier');
    await write('1000005', {
      'encounters/long': 'a sp:Encounter ; sp:startDate "1969-12-01" ; sp:endDate "1973-12-31"',
    });
    const stay = textOf((await as('clinician').open('/account/records/1000005/encounters/long')).html);
    expect(stay).toMatch(
      /Lab results 6 Oct 1972 Often 6 g 999 more lab results .*10 more entries of these days are not listed/,
    );
  });

  describe('has trends of one test that', () => {
    const lab = (specimen: string, code: string, date: string, value: string, unit = 'mg/dL'): string =>
      `a sp:LabResult ; dcterms:date "${date}" ; sp:labName [ a sp:CodedValue ; dcterms:title "Creatinine [Mass/volume] in ${specimen}" ;
          sp:code <http://purl.bioontology.org/ontology/LNC/${code}> ] ;
        sp:quantitativeResult [ a sp:QuantitativeResult ; sp:valueAndUnit [ a sp:ValueAndUnit ; sp:value "${value}" ; sp:unit "${unit}" ] ;
          sp:normalRange [ a sp:ValueRange ; sp:maximum [ a sp:ValueAndUnit ; sp:value "400" ; sp:unit "${unit}" ] ] ]`;
    const open = async (query: string) =>
      (await as('clinician').open(`/account/trends/1000005?of=Creatinine+in+${query}`)).html;
    const headings = (html: string) =>
      [...html.matchAll(/<h2[^>]*>\s*([^<]*?)\s*<\/h2>/gu)].map(([, heading]) => heading);
    const ticks = (html: string) =>
      [...html.matchAll(/<line class="tick"[\s\S]*?<\/svg>/gu)].map(([part]) =>
        [...part.matchAll(/class="tick" x1="([\d.]+)"[\s\S]*?<text[^>]*>([^<]*)</gu)].map(
          ([, x, text]) => `${text} ${x}`,
        ),
      );

    beforeAll(() =>
      write('1000005', {
        'lab_results/serum1': lab('Serum or Plasma', '2160-0', '2021-01-12', '2.4'),
        'lab_results/serum2': lab('Serum or Plasma', '2160-0', '2022-06-12', '3.0'),
        'lab_results/blood1': lab('Blood', '38483-4', '2010-03-03', '0.98'),
        'lab_results/blood2': lab('Blood', '38483-4', '2015-03-03', '1.05'),
        'lab_results/plasma': lab('Plasma', '00001-8', '2017-03-03', '101', 'umol/L'),
      }),
    );

    it('have those of the same substance in other specimens below them, over the same time', async () => {
      const html = await open('Serum+or+Plasma');
      const [serum, blood] = ['Creatinine in Serum or Plasma', 'Creatinine in Blood'];
      expect(headings(html)).toEqual(['In each specimen', serum, blood, 'Measured once']);
      expect(textOf(html)).toMatch(
        /Creatinine in Blood 1\.05 mg\/dL 3 Mar 2015 .{0,20}2 values since 3 Mar 2010, from 0\.98 to 1\.05; normal below 400 mg\/dL/,
      );
      expect(textOf(html)).toContain('Results from different specimens are not of the same test');
      expect(html).toMatch(/<a href="[^"]*\?of=Creatinine\+in\+Blood">Creatinine in Blood<\/a>/);
      const [first, second, ...others] = ticks(html);
      expect(first?.length).toBeGreaterThan(2);
      expect([second, others]).toEqual([first, []]);
      expect(headings(await open('Blood'))).toEqual(['In each specimen', blood, serum, 'Measured once']);
    });

    it('tell of other specimens and units whatever time is chosen, back from the latest of them', async () => {
      const all = await open('Serum+or+Plasma');
      expect(textOf(all)).toContain('Back from 12 Jun 2022: 10 years');
      const [, year = ''] = /href="[^"]*&amp;(from=[\d-]+)"[^>]*>1 year</u.exec(all) ?? [];
      expect(year).toBe('from=2021-06-01');
      const html = await open(`Serum+or+Plasma&${year}`);
      expect(headings(html)).toEqual(['In each specimen', 'Measured once in this period']);
      expect(textOf(html)).toMatch(/Creatinine in Blood 1\.05 mg\/dL 3 Mar 2015 [^.]* not in this period/);
      expect(textOf(html)).toMatch(/Creatinine in Plasma 101 µmol\/L 3 Mar 2017 [^.]* not in this period/);
      expect(textOf(html)).toMatch(
        /Measured once in this period .*Creatinine in Serum or Plasma 3\.0 mg\/dL/,
      );
      const blood = await open('Serum+or+Plasma&to=2015-12-31');
      expect(headings(blood)).toEqual(['In each specimen', 'Creatinine in Blood']);
    });
  });

  it('has for trends of one test only times to choose that are shorter than it, also months if it was measured often', async () => {
    const lab = (name: string, date: string): string =>
      `a sp:LabResult ; dcterms:date "${date}" ; sp:labName [ a sp:CodedValue ; dcterms:title "${name}" ] ;
        sp:quantitativeResult [ a sp:QuantitativeResult ; sp:valueAndUnit [ a sp:ValueAndUnit ; sp:value "3" ; sp:unit "g" ] ]`;
    const days = ['2020-12-31', '2021-02-27', '2021-03-01', '2021-03-30', '2021-03-31'];
    await write('1000005', {
      ...Object.fromEntries(days.map((day) => [`lab_results/brief${day}`, lab('Brief', day)])),
      ...Object.fromEntries(
        ['2019-01-01', '2021-03-31'].map((day) => [`lab_results/rare${day}`, lab('Rare', day)]),
      ),
    });
    const times = async (query: string) => {
      const { html } = await as('clinician').open(`/account/trends/1000005?of=${query}`);
      const [, nav = ''] = /<nav class="views small" aria-label="Time">([\s\S]*?)<\/nav>/u.exec(html) ?? [];
      return [...nav.matchAll(/<a\s+href="([^"]*)"[^>]*>([^<]*)/gu)].map(([, href = '', text]) =>
        href.includes('from') ? `${href.slice(-10)} ${text}` : text,
      );
    };
    for (const query of ['Brief', 'Brief&from=2021-02-28'])
      expect(await times(query)).toEqual(['All', '2021-02-28 1 month']);
    expect(await times('Rare')).toEqual(['All', '2019-03-01 2 years', '2020-03-01 1 year']);
  });

  it('has trends of one test that are whole, and says of all trends that they are not', async () => {
    const trends = async (query: string) =>
      textOf((await as('clinician').open(`/account/trends/1000005${query}`)).html);
    const one = await trends('?of=Rarest');
    expect(one).toMatch(/Rarest .*1 Jan 1931 6 1 Jan 1930 6/);
    expect(one).not.toContain('Only the latest');
    expect(await trends('')).toContain('Only the latest 1000 lab results are drawn. Choose dates');
  });
});

describe('a record of very many prescriptions', () => {
  it('has the oldest that is still taken among those that are current', async () => {
    const drug = (title: string, start: string, end = ''): string =>
      `a sp:Medication ; sp:drugName [ a sp:CodedValue ; dcterms:title "${title}" ] ; sp:startDate "${start}"${end && ` ; sp:endDate "${end}"`}`;
    const over = Array.from({ length: 1010 }, (_, at) => {
      const day = new Date(Date.UTC(2010, 0, 1 + at)).toISOString().slice(0, 10);
      return [`medications/over${at}`, drug('Over', day, day)] as const;
    });
    await write('1000002', {
      ...Object.fromEntries(over),
      'medications/old': drug('Taken for long', '2001-02-03'),
    });
    const text = textOf((await as('clinician').open('/account/records/1000002')).html);
    expect(text).toMatch(/Medications .*Taken for long .*Latest/);
    expect(text).not.toContain('Only the latest');
    const list = textOf((await as('clinician').open('/account/records/1000002/medications')).html);
    expect(list).toMatch(/Taken for long .*Past .*Over/);
  });
});

describe('the day of a visit', () => {
  it('has all that is clinical first, and social findings below a heading of their own', async () => {
    const problem = (title: string, code: string, date: string): string =>
      `a sp:Problem ; sp:startDate "${date}" ; sp:problemName [ a sp:CodedValue ; dcterms:title "${title}" ;
        sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/${code}> ]`;
    await write('1000007', {
      'problems/job': problem('Full-time employment (finding)', '160903007', '2031-05-05'),
      'problems/review': problem('Medication review due (situation)', '314529007', '2031-05-06'),
      'problems/pain': problem('Chronic pain (finding)', '82423001', '2030-01-02'),
      'problems/ill': problem('Kidney stone (disorder)', '95570007', '2030-01-01'),
      'allergies/x': `a sp:Allergy ; sp:otherAllergen [ a sp:CodedValue ; dcterms:title "Allergy to substance (finding)" ;
        sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/419199007> ]`,
    });
    for (const path of ['', '/problems/']) {
      const text = textOf((await as('clinician').open(`/account/records/1000007${path}`)).html);
      expect(text).toMatch(
        /Problems .*Chronic pain .*Kidney stone .*Social and other findings .*Full-time employment/,
      );
    }
    const allergies = textOf((await as('clinician').open('/account/records/1000007/allergies/')).html);
    expect(allergies).toContain('Substance not recorded');
    expect(allergies).not.toContain('Social and other findings');
  });

  it('can be found in a long list, which has headings of years', async () => {
    const note = (title: string, date: string): string =>
      `a sp:ClinicalNote ; dcterms:title "${title}" ; dcterms:date "${date}"`;
    const often = Array.from({ length: 60 }, (_, at) => [
      `clinical_notes/n${at}`,
      note('Often', '2001-05-05'),
    ]);
    await write('1000007', {
      ...(Object.fromEntries(often) as Record<string, string>),
      'clinical_notes/old': note('Seldom', '2000-01-01'),
    });
    const list = async (query: string) =>
      (await as('clinician').open(`/account/records/1000007/clinical_notes/${query}`)).html;
    expect(await list('')).toMatch(/<h2>2001<\/h2>/);
    expect(await list('')).not.toContain('Seldom');
    const found = textOf(await list('?q=seld'));
    expect(found).toMatch(/1 of 6\d contain “seld”.*Seldom/);
    expect(found).not.toContain('Often');
  });

  it('tells what was started, what ended and what is kept in words, on the page of the visit and in the history', async () => {
    const named = (property: string, name: string): string =>
      `${property} [ a sp:CodedValue ; dcterms:title "${name}" ]`;
    await write('1000003', {
      'encounters/v':
        'a sp:Encounter ; sp:startDate "2020-05-05T09:00:00Z" ; sp:endDate "2020-05-05T10:00:00Z"',
      'medications/v': `a sp:Medication ; sp:startDate "2020-05-05" ; ${named('sp:drugName', 'Newdrug')}`,
      'clinical_notes/v': 'a sp:ClinicalNote ; dcterms:date "2020-05-05T09:30:00Z" ; dcterms:title "Halfway"',
      'medications/w': `a sp:Medication ; sp:startDate "2020-05-06" ; ${named('sp:drugName', 'Laterdrug')}`,
      'problems/v': `a sp:Problem ; sp:startDate "2019-08-01" ; sp:endDate "2020-05-05" ; ${named('sp:problemName', 'Oldill')}`,
      'problems/w': `a sp:Problem ; sp:startDate "2019-08-01" ; sp:endDate "2020-05-07" ; ${named('sp:problemName', 'Laterill')}`,
      'unmapped/problems/v':
        'a <https://chartgraph.example.org/terms#UnmappedProblem> ; dcterms:date "2020-05-05" ; dcterms:title "Wordy"',
      'unmapped/problems/w':
        'a <https://chartgraph.example.org/terms#UnmappedProblem> ; dcterms:date "2020-05-06" ; dcterms:title "Late"',
    });
    const visit = textOf((await as('clinician').open('/account/records/1000003/encounters/v')).html);
    const day = visit.slice(visit.indexOf('On the same day'), visit.indexOf('Source data'));
    expect(day).toContain('Medications started Newdrug');
    expect(day).not.toContain('Halfway');
    expect(visit).toMatch(/During this visit .*Halfway .*On the same day/);
    expect(visit).toMatch(/On the same day .*About this visit Start date 5 May 2020/);
    expect(day).toContain('Other problems Wordy');
    expect(day).toContain('Problems ended Oldill 1 Aug 2019 to 5 May 2020');
    expect(day).not.toMatch(/Laterdrug|Late/);
    const history = textOf((await as('clinician').open('/account/records/1000003?before=2020-05-06')).html);
    expect(history).toMatch(
      /5 May 2020 .{0,80}Medications started Newdrug .*Problems ended Oldill 1 Aug 2019 to 5 May 2020 3 Mar/,
    );
    const all = textOf((await as('clinician').open('/account/records/1000003')).html);
    expect(all.slice(all.indexOf('All entries'))).toMatch(/Medications \d/);
  });
});

describe('stays that overlap', () => {
  it('have each what links to them, not what links to the other', async () => {
    const stay = (from: string, to: string): string =>
      `a sp:Encounter ; sp:startDate "${from}" ; sp:endDate "${to}"`;
    await write('1000003', {
      'encounters/first': stay('2019-03-01T10:00:00Z', '2019-03-10T02:00:00Z'),
      'encounters/second': stay('2019-03-09T01:30:00Z', '2019-03-14T10:00:00Z'),
      'encounters/visit': stay('2019-03-10T08:00:00Z', '2019-03-10T09:00:00Z'),
      'problems/shock': `a sp:Problem ; sp:startDate "2019-03-10" ; sp:problemName [ a sp:CodedValue ; dcterms:title "Shock" ] ;
        sp:encounters <${container.url}/records/1000003/encounters/second>`,
    });
    const open = async (stay: string) =>
      textOf((await as('clinician').open(`/account/records/1000003/encounters/${stay}`)).html);
    expect(await open('second')).toContain('Shock');
    expect(await open('visit')).not.toContain('Shock');
    expect(await open('first')).not.toContain('Shock');
  });
});

describe('the history on the overview', () => {
  it('has below its latest part a line for each of the next visits, and for the latest stay', async () => {
    const stay = 'a sp:Encounter ; sp:startDate "1999-05-05" ; sp:endDate "1999-05-09"';
    const visit = (day: number): string => `a sp:Encounter ; sp:startDate "2026-06-0${day}"`;
    const days = [1, 2, 3, 4, 5, 6, 7];
    await write('1000009', {
      'encounters/stay': stay,
      ...Object.fromEntries(days.map((day) => [`encounters/d${day}`, visit(day)])),
    });
    const text = textOf((await as('clinician').open('/account/records/1000009')).html);
    const [, lines = ''] = /Before that (.*?) Earlier/u.exec(text) ?? [];
    expect(lines.match(/\d+ \w{3} \d{4}/gu)?.length).toBe(7);
    expect(lines).toMatch(
      /\d+ more visits Latest stay of two nights or more 5 May 1999 \S+ until 9 May 1999$/u,
    );
  });
});

describe('a list of lab panels', () => {
  it('is by the days of their results, the newest first', async () => {
    const { html } = await as('clinician').open('/account/records/1000001/lab_panels');
    const days = [...textOf(html).matchAll(/\b\d{1,2} \w{3} (\d{4})/gu)].map(([, year]) => year);
    expect(days.slice(-2)).toEqual(['2024', '2018']);
  });
});

describe('what is kept in words', () => {
  it.each([
    ['1000009', /Allergies Nonsteroidal .* Other allergies Wasp stings .* Problems Gout/],
    ['1000010', /Problems None current\. See 1 past Recorded as text only: none current\. See \d+ past/],
    ['1000010/procedures', /None, except as text\. Recorded as text only: Ear check with tympanogram/],
    ['1000009/lab_results', /Recorded as text only: House test for strep negative/],
    ['1000010/unmapped/immunizations', /Other vaccinations .* Not given: Flu shot/],
  ])('stands beside its list on the page of %s', async (path, text) => {
    const { status, html } = await as('clinician').open(`/account/records/${path}`);
    expect([status, textOf(html)]).toEqual([200, expect.stringMatching(text)]);
    expect(textOf(html)).not.toContain('None recorded.');
  });
});

describe('the apps with access to records', () => {
  it('are listed for an administrator with the numbers of the records, and nothing more of them', async () => {
    await container.accounts.issueToken({ app: UI_APP, user: 'person', record: '1000001' });
    const [own, all] = [await as('person').open('/account/apps'), await as('admin').open('/account/apps')];
    expect(own.html).toContain('<strong>Harriet Maud Lindqvale</strong>');
    expect(own.html).toContain('born ');
    expect(all.html).toContain('<strong>Record 1000001</strong>');
    expect(all.html).toContain('to record 1000001"');
    expect(all.html).not.toMatch(/Lindqvale|born |male/);
  });
});

describe('the address of a record for apps', () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const linkIn = (html: string): string | undefined =>
    /<p class="small"><a href="([^"]*)">See this record as a page</.exec(html)?.[1];

  it.each([
    ['/records/1000001', '/account/records/1000001'],
    ['/records/1000001/medications/', '/account/records/1000001/medications/'],
    ['/records/1000001/problems/none', '/account/records/1000001/problems/none'],
    ['/records/1000001/demographics', '/account/records/1000001/demographics'],
    // What only apps read has no page.
    [`/records/1000001/apps/${UI_APP}/scratchpad`, '/account/records/1000001'],
    ['/records/%22%3E/problems/', undefined],
    [`/users/person/apps/${UI_APP}/preferences`, undefined],
  ])('leads a browser that opens %s to %s', async (path, page) => {
    const refused = await fetch(container.url + path, { headers: { Accept: accept } });
    expect([refused.status, linkIn(await refused.text())]).toEqual([401, page]);
    if (page === undefined || page.endsWith('none')) return;
    expect((await as('person').open(page)).status).toBe(200);
  });

  it('is no more than before to programs', async () => {
    const refused = await fetch(`${container.url}/records/1000001`);
    expect([refused.status, refused.headers.get('Content-Type')]).toEqual([401, 'application/problem+json']);
    expect(await refused.text()).not.toContain('/account');
  });
});

describe('the access log of pages', () => {
  it('has an entry for each page of a record, shown or refused, with the user and the call', async () => {
    const path = '/account/records/1000004/medications';
    await as('person').open(path);
    await as('analyst').open('/account/trends/1000004');
    await as('nobody').open('/account/records/1000004');
    const [refused, shown, ...others] = await entries('1000004');
    expect(shown).toMatchObject({
      action: 'read',
      outcome: 'done',
      user: 'person',
      record: '1000004',
      resource: path,
      call: 'http://smartplatforms.org/terms/api/calls#get_medications',
    });
    expect(refused).toMatchObject({
      outcome: 'refused',
      user: 'analyst',
      resource: '/account/trends/1000004',
    });
    expect(others).toEqual([]);
    // Who is not signed in is shown nothing, and sent to sign in.
  });

  it('says in words who looked, and holds no formula in its table', async () => {
    const token = await container.token('1000004', UI_APP, 'person');
    await container.request('/records/1000004/allergies/', { as: token });
    await container.requestToken(UI_APP, '1000004');
    const list = await as('person').open('/account/records/1000004/encounters');
    const [, visit = ''] = /<a href="([^"]*\/encounters\/[^"]*)"/.exec(list.html) ?? [];
    for (const path of [visit, '/account/records/1000004/demographics']) await as('person').open(path);
    const page = await as('person').open('/account/accesses/1000004');
    expect(page.html).toContain('Niamh Dellacroft with the app Medication check');
    expect(page.html).toContain('The app Medication check');
    expect(page.html).toMatch(/<details >\s*<summary>\s*Niamh Dellacroft \(you\)\s*<span[^>]*>person · \d/u);
    expect(page.html).toContain('Saw: Allergies');
    for (const seen of ['Visits', 'Visits, one entry', 'Personal details'])
      expect(page.html).toMatch(new RegExp(`Saw: ${seen.replaceAll(/[()]/g, '[$&]')}\\s*<`, 'u'));
    expect(page.html).toContain('refused');
    const table = await as('person').open('/account/accesses/1000004?format=csv');
    expect(table.headers.get('Content-Type')).toContain('text/csv');
    expect(table.html).toMatch(/^time,who,what,why,outcome,times,role\n/);
    expect(table.html).toContain(
      'Niamh Dellacroft with the app Medication check,Saw: Allergies,,done,1,person',
    );
    const others = await as('person').open('/account/accesses/1000004?show=others');
    expect(others.html).toContain('Saw: Allergies');
    expect(others.html).not.toContain('Saw: Visits');
    expect((await as('person').open('/account/accesses/1000004?show=refused')).html).not.toContain('Saw: ');
  });

  it('says of what was refused that it was asked for, not that it was done', async () => {
    const foreign = await container.token('1000001', UI_APP, 'person');
    const text = `/records/1000003/apps/${UI_APP}/scratchpad`;
    for (const [method, path] of [
      ['GET', '/records/1000003/problems/'],
      ['PUT', text],
      ['DELETE', text],
    ] as const)
      expect((await container.request(path, { method, as: foreign })).status).toBe(403);
    await as('analyst').open('/account/trends/1000003');
    const { html } = await as('admin').open('/account/accesses/1000003');
    for (const asked of [
      'Asked for: Problems',
      'Tried to add or change: ',
      'Tried to remove: ',
      'Asked for: Trends',
    ])
      expect(html).toContain(asked);
    expect(html).not.toMatch(/(?:Saw|Added or changed|Removed): [^<]*<span class="outside">refused/u);
    const table = (await as('admin').open('/account/accesses/1000003?format=csv')).html;
    expect(table).toContain('Asked for: Problems,,refused,1');
  });

  it('says of an export, a load or a word to an app that failed that it was tried, not that it was done', async () => {
    const log = await openAccessLog(container.data);
    for (const action of ['export', 'load', 'notify'])
      for (const outcome of ['done', 'failed'] as const)
        await log.record({ action, outcome, record: '1000005', account: 'root' });
    await log.close();
    const { html } = await as('admin').open('/account/accesses/1000005');
    for (const words of ['Tried to write out', 'Tried to load', 'Tried to tell the app'])
      expect(html).toMatch(new RegExp(`${words} [^<]*<span class="outside">refused`, 'u'));
    expect(html).not.toMatch(/(?:Wrote|Loaded|Told) [^<]*<span class="outside">refused/u);
    for (const words of ['Wrote out the record', 'Loaded data', 'Told the app'])
      expect(html).toContain(words);
  });

  it('names the search of a clinician as the call that apps make', async () => {
    const log = await openAccessLog(container.data);
    await as('clinician').open('/account?family_name=lind');
    const found: RecordedEntry[] = [];
    for await (const entry of log.read({ user: 'clinician', newestFirst: true, limit: 1 })) found.push(entry);
    await log.close();
    expect(found).toMatchObject([{ call: 'http://smartplatforms.org/terms/api/calls#search_records' }]);
    expect(JSON.stringify(found)).not.toContain('lind');
  });
});

describe('a page that was drawn before', () => {
  const own = (html: string): string | undefined => /name="csrf" value="([^"]*)"/.exec(html)?.[1];
  const content = (html: string): string =>
    html
      .slice(html.indexOf('<main'), html.indexOf('</main>'))
      .replace(/<p class="small">You are looking at [^<]*<\/p>/u, '')
      .replace(/<p class="[\w ]*why[^<]*<\/p>/u, '')
      .replace(/<nav class="views"[\s\S]*?<\/nav>/, '')
      .trimEnd();

  it.each(['/account/records/1000001', '/account/trends/1000001', '/account/records/1000001/lab_results'])(
    'shows each reader the same content with their own name, token and views: %s',
    async (path) => {
      const [person, clinician] = [await as('person').open(path), await as('clinician').open(path)];
      expect(content(clinician.html)).toBe(content(person.html));
      expect([person, clinician].map(({ html }) => /Sign out ([^<]*)</.exec(html)?.[1])).toEqual([
        'Niamh Dellacroft',
        'Amara Oxendale',
      ]);
      expect(own(person.html)).not.toBe(own(clinician.html));
      expect([person, clinician].map(({ html }) => html.includes('>Who looked</a>'))).toEqual([true, false]);
      const again = await as('person').open(path);
      expect(again.html).toBe(person.html);
    },
  );

  it('shows what was written since', async () => {
    const path = '/account/records/1000007';
    expect((await as('clinician').open(path)).html).not.toContain('Written since');
    const form = await as('clinician').open('/account/notes/1000007');
    await file('clinician', form, { title: 'Written since', text: 'a' });
    expect((await as('clinician').open(path)).html).toContain('Written since');
  });

  it('is an access each time', async () => {
    const path = '/account/records/1000008';
    for (let times = 0; times < 3; times++) await as('clinician').open(path);
    expect((await entries('1000008')).map(({ user, outcome }) => [user, outcome])).toEqual(
      Array.from({ length: 3 }, () => ['clinician', 'done']),
    );
  });

  it('is shown to nobody who may not open the record', async () => {
    const path = '/account/records/1000007';
    await as('clinician').open(path);
    expect([(await as('person').open(path)).status, (await as('admin').open(path)).status]).toEqual([
      404, 403,
    ]);
  });
});

describe('a note from a form', () => {
  it('is stored as an app’s note is, once however often the form is sent, and apps read it', async () => {
    const form = await as('clinician').open('/account/notes/1000005');
    const fields = { title: 'Blood <test>', text: 'First\r\nSecond' };
    const posted = await file('clinician', form, fields);
    const again = await file('clinician', form, fields);
    const there = posted.headers.get('Location') ?? '';
    expect([posted.status, again.status, again.headers.get('Location')]).toEqual([303, 303, there]);
    expect(there).toMatch(/^\/account\/records\/1000005\/clinical_notes\/[\w-]+\?added=1$/);
    const page = await as('clinician').open(there);
    expect(page.html).toContain('<h1>Blood &lt;test&gt;</h1>');
    expect(page.html).toContain('First\nSecond');
    expect(page.html).toMatch(/role="status"><p>Note added\. Nobody is told about a note\.<\/p>/u);
    expect(page.html).toContain('Amara Oxendale');
    for (const { html } of [form, page]) expect(textOf(html)).toMatch(/write another one that says so/iu);
    const read = await container.request(there.slice('/account'.length, there.indexOf('?')), {
      as: await container.token('1000005'),
      headers: { Accept: 'application/n-triples' },
    });
    expect(await read.text()).toContain('"First\\nSecond"');
    expect((await entries('1000005')).filter(({ action }) => action === 'write')).toMatchObject([
      {
        user: 'clinician',
        call: 'http://smartplatforms.org/terms/api/calls#post_clinical_note',
        status: 303,
      },
      { user: 'clinician', status: 303 },
    ]);
  });

  it('is shown before it is filed, and goes back to its form with nothing lost', async () => {
    const form = await as('clinician').open('/account/notes/1000006');
    const fields = { title: 'Plan "A" <b>', text: ' One\r\n\r\n  - two & "three"' };
    const before = (await entries('1000006')).length;
    const asked = await as('clinician').submit(form, fields);
    expect(asked.status).toBe(200);
    expect(textOf(asked.html)).toMatch(
      /The note is not filed yet\..*Nobody is told about a note\. .* From Amara Oxendale .*the patient included.* File the note Go back and change it/u,
    );
    expect(asked.html).toContain('<div class="text">One\n\n  - two &amp; &quot;three&quot;</div>');
    const hidden = Array.from(
      asked.html.matchAll(/name="(csrf|key)" value="([^"]*)"/gu),
      ([, name = '', value = '']): [string, string] => [name, value],
    );
    const body = new URLSearchParams([...hidden.slice(-2), ...Object.entries({ ...fields, step: 'change' })]);
    const back = await as('clinician').open('/account/notes/1000006/check', { method: 'POST', body });
    expect(back.html).toContain('value="Plan &quot;A&quot; &lt;b&gt;"');
    expect(back.html).toContain('\nOne\n\n  - two &amp; &quot;three&quot;</textarea>');
    const log = await entries('1000006');
    expect(log.slice(0, log.length - before).map(({ action }) => action)).toEqual(['read', 'read']);
    const { html } = await as('clinician').open('/account/records/1000006/clinical_notes/');
    expect(html).not.toContain('Plan');
  });

  it('names a clinician as its provider, and nobody else', async () => {
    const asApp = { as: await container.token('1000004'), headers: { Accept: 'application/n-triples' } };
    const written = async (user: string): Promise<{ form: string; page: string; graph: string }> => {
      const form = await as(user).open('/account/notes/1000004');
      const posted = await file(user, form, { title: `By ${user}`, text: 'a' });
      const there = (posted.headers.get('Location') ?? '').replace('?added=1', '');
      const { html } = await as('clinician').open(there);
      const page = html.slice(html.indexOf('<main'));
      const graph = await (await container.request(there.slice('/account'.length), asApp)).text();
      expect([page.includes(`By ${user}`), graph.includes(`"By ${user}"`)]).toEqual([true, true]);
      return { form: form.html, page, graph };
    };
    const [clinician, person] = [await written('clinician'), await written('person')];
    expect(clinician.form).toContain('under your name');
    expect(clinician.page).toMatch(/clinician/i);
    expect(clinician.page).toContain('Amara Oxendale');
    expect(clinician.graph).toContain(`<${sp.provider}>`);
    expect(person.form).not.toContain('under your name');
    expect(person.page).toContain('Written by the patient');
    const { html: list } = await as('clinician').open('/account/records/1000004/clinical_notes/');
    expect(list.match(/Not written by a clinician/gu)).toHaveLength(1);
    const overview = textOf((await as('clinician').open('/account/records/1000004')).html);
    expect(overview).toMatch(/By person Not written by a clinician/u);
    expect(overview.match(/Not written by a clinician/gu)).toHaveLength(1);
    expect(person.graph).not.toContain(`<${sp.provider}>`);
    expect(person.graph).not.toContain('Dellacroft');
    // Who wrote it is not lost.
    const [, written1] = (await entries('1000004')).filter(({ action }) => action === 'write').reverse();
    expect(written1).toMatchObject({ user: 'person', outcome: 'done' });
  });

  it('tells a patient that nobody is told about it, and that they can read it', async () => {
    const urgent = 'Nobody is told about a note. If it is urgent, call your clinic.';
    const form = await as('person').open('/account/notes/1000004');
    const asked = await as('person').submit(form, { title: 'a', text: 'b' });
    for (const { html } of [form, asked]) expect(textOf(html)).toContain(urgent);
    expect(textOf(asked.html)).toContain('can read it, you included,');
  });

  it.each([
    ['nothing', { title: ' ', text: '' }, 'Write a title and a note.'],
    ['too much', { title: 'a', text: 'x'.repeat(20_001) }, 'a note 20,000'],
    ['what RDF/XML cannot carry', { title: 'a', text: 'a\u0001b' }, 'characters that cannot be stored'],
  ])('says what is wrong with %s, and keeps what was written', async (_, fields, sentence) => {
    const form = await as('clinician').open('/account/notes/1000006');
    const answer = await file('clinician', form, fields);
    expect([answer.status, answer.html.includes(sentence)]).toEqual([400, true]);
    expect(answer.html).toContain(fields.text.slice(0, 100));
  });

  it('takes a long one in any script', async () => {
    const form = await as('clinician').open('/account/notes/1000006');
    const fields = { title: 'a', text: '\u{1f600}'.repeat(9_000) };
    expect((await file('clinician', form, fields)).status).toBe(303);
  });
});

describe('content', () => {
  it('of a document is shown on its page, and its file is the one that apps get, which nothing can run', async () => {
    const list = await as('person').open('/account/records/1000001/documents');
    const [, path = ''] = /<a href="(\/account\/records\/1000001\/documents\/\w+)"/.exec(list.html) ?? [];
    const page = await as('person').open(path);
    expect(page.html).toContain(`href="${path}?format=raw"`);
    expect(page.html).toContain('To Dr. Amara Oxendale, Alderwick Family Practice');
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'; style-src 'sha256-");
    const file = await as('person').open(`${path}?format=raw`);
    const forApp = await container.request(`${path.slice('/account'.length)}?format=raw`, {
      as: await container.token('1000001'),
    });
    expect(file.html).toBe(await forApp.text());
    expect(file.headers.get('Content-Security-Policy')).toBe("sandbox; default-src 'none'");
    // Where the bytes are kept is nobody's business.
    expect(page.html).not.toContain('byteSize');
  });

  it('of a photograph is shown where there is a file, and no picture is where there is none', async () => {
    const pictures = async (record: string): Promise<number> => {
      const { html } = await as('clinician').open(`/account/records/${record}`);
      return [...html.matchAll(/<img src="[^"]*\/photograph\?format=raw"/g)].length;
    };
    expect(await pictures('1000001')).toBe(1);
    expect(await pictures('1000005')).toBe(0);
    const name = `${container.url}/records/1000005/photograph`;
    const says = (property: string, object: string) =>
      quad(namedNode(name), namedNode(property), namedNode(object));
    const quads = [says(rdf.type, sp.Photograph), says(sp.belongsTo, `${container.url}/records/1000005`)];
    await openPrimaryStore(container.directory, container.url).write({ replace: [{ name, quads }] });
    const page = await as('clinician').open('/account/records/1000005/photograph');
    expect([page.status, await pictures('1000005')]).toEqual([200, 0]);
  });

  it('of a record can be taken along as Turtle', async () => {
    const file = await as('person').open('/account/exports/1000001');
    expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="record-1000001.ttl"');
    expect(file.html).toContain('Essential hypertension');
    expect(file.html).not.toContain('/records/1000002');
  });

  it('marks how long ago the latest value of a trend was', async () => {
    const { html } = await as('person').open('/account/trends/1000001?to=2019-12-31');
    expect(html).toMatch(/<p class="latest">[^]*?<span class="tag">\d+ years ago<\/span>/u);
  });

  it('has a list of results whose rows take two lines on a phone, with no labels', async () => {
    const { html } = await as('person').open('/account/records/1000001/lab_results');
    expect(html).toMatch(/<table class="stacked results">[^]*<td data-column="Normal range">/u);
    // An empty cell has no space in it, which would get it its separator.
    expect(html).not.toMatch(/<td data-column="[^"]*">\s+<\/td>/u);
    expect(style).toContain('.results td:nth-child(n + 2), .results details { display: inline; }');
  });

  it('says how a date of trends is typed', async () => {
    const page = await as('person').open('/account/trends/1000001?from=1/2/1990');
    expect([page.status, page.html.includes('Type the date with the month as a word')]).toEqual([400, true]);
    const read = await as('person').open('/account/trends/1000001?from=March+14,+1975&to=14.3.1990');
    expect(read.status).toBe(200);
    expect(read.html).toContain('value="1975-03-14"');
    expect(read.html).toContain('value="1990-03-14"');
  });

  it('of somebody who died says when, at which age, and not how old they would be', async () => {
    const { html } = await as('clinician').open('/account/records/1000008/problems');
    expect(html).toMatch(
      /<strong>Died 6 Nov 2023 at 86 years<\/strong>[\s\S]{0,60}born 25 Jul 1937 · female/,
    );
    const living = await as('clinician').open('/account/records/1000001/problems');
    expect(living.html).toMatch(/born [^·]+ \(\d+ years\) · /);
  });

  it('of trends is what lies in the time that is chosen', async () => {
    const rows = async (query: string): Promise<number> => {
      const { html } = await as('person').open(`/account/trends/1000001${query}`);
      const [table = ''] = /<caption>\s*Blood pressure[\s\S]*?<\/table>/.exec(html) ?? [];
      return [...table.matchAll(/<tr>/g)].length - 1;
    };
    expect([await rows(''), await rows('?from=2018-01-01'), await rows('?to=2018-12-31')]).toEqual([4, 3, 2]);
  });

  it('of trends has times to choose that count back from the latest measurement of the record', async () => {
    const { html } = await as('clinician').open('/account/trends/1000008?to=1990-01-01');
    const [, day] = /Back from (\d+ \w+ \d{4}):/u.exec(textOf(html)) ?? [];
    const [, query = ''] = /href="[^"]*(\?from=[\d-]+)"[^>]*>1 year</u.exec(html) ?? [];
    const chosen = textOf((await as('clinician').open(`/account/trends/1000008${query}`)).html);
    expect(day).toMatch(/20\d\d$/u);
    expect(chosen).toContain(`Back from ${day}:`);
    expect(chosen).not.toContain('No measurements');
  });

  it('has legends of trends that show each line as it is drawn, not a colour alone', async () => {
    const { html } = await as('person').open('/account/trends/1000001');
    const samples = [
      ...html.matchAll(/class="line (line\d)"><polyline [^>]*><\/polyline><\/g>\s*<\/svg\s*>\s*(\w+)\s*</g),
    ];
    expect(samples.map(([, line, label]) => [line, label])).toEqual([
      ['line0', 'Systolic'],
      ['line1', 'Diastolic'],
    ]);
    const dashes = [1, 2, 3].map(
      (line) => new RegExp(`\\.line${line} polyline \\{ ([^}]*)\\}`).exec(style)?.[1],
    );
    expect(new Set([...dashes, undefined]).size).toBe(4);
  });

  it('draws what grows with a child against age', async () => {
    const { html } = await as('clinician').open('/account/trends/1000002');
    const captions = [...html.matchAll(/<caption>\s*([^<]*?)\s*<\/caption>[\s\S]*?<\/thead>/g)].map(
      ([head, caption]) => [caption, head.includes('>Age<')],
    );
    expect(captions).toEqual([
      ['Weight in kg', true],
      ['Height in cm', true],
      ['Body mass index in kg/m²', true],
    ]);
  });

  it('of the history before a day has nothing of that day or later', async () => {
    const { html } = await as('person').open('/account/records/1000001?before=2018-09-11');
    const days = [...html.matchAll(/<h3>\s*(\d+ \w+ \d{4})/g)].map(([, day]) => day);
    expect(days).toEqual(['6 Mar 2017', '3 Mar 2014', '24 Feb 2014', '10 Feb 2014', '16 May 2011']);
  });
});

describe('a container that answers no queries of analysts', () => {
  it('says so to them, and leads to nothing that is not there', async () => {
    const page = await as('analyst').open('/account');
    expect(page.html).toContain('queries over all of them are turned off here');
    const links = [...page.html.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(2);
    const statuses = await Promise.all(links.map(async (path) => (await as('analyst').open(path)).status));
    expect(statuses).toEqual(links.map(() => 200));
    const others = ['/account/query-tokens', '/analyses/', '/workbench'];
    expect(await Promise.all(others.map(async (path) => (await as('analyst').open(path)).status))).toEqual(
      others.map(() => 404),
    );
  });
});
