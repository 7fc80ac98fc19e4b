import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { readListAnswer, writeRecord, type ReadList } from './chart.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

let container: TestContainer;
const tokens = new Map<string, Credentials>();

beforeAll(async () => {
  container = await startTestContainer();
});
afterAll(() => container.stop());

async function get(record: string, path: string): Promise<Response> {
  const token = tokens.get(record) ?? (await container.token(record));
  tokens.set(record, token);
  return container.request(`/records/${record}/${path}`, { as: token });
}

async function list(record: string, path: string): Promise<ReadList> {
  const response = await get(record, path);
  expect(response.status, path).toBe(200);
  return readListAnswer(response);
}

const problem = (dates: readonly string[], code = 'none'): string =>
  `<> a sp:Problem ; sp:problemName [ a sp:CodedValue ; dcterms:title "x" ; sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/${code}> ] . ` +
  dates.map((date) => `<> sp:startDate "${date}" . `).join('');

const problems = (all: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).map(([id, text]) => [`problems/${id}`, text]));

// For each stored date and each value of a filter, who keeps it: f = date_from and date_from_including,
// F = date_from_excluding, t = date_to and date_to_including, T = date_to_excluding.
const values = ['2010', '2010-06', '2010-06-15', '2010-06-15T10:30:00Z'];
const primary: Record<string, [string, string, string, string]> = {
  //                       2010    2010-06  2010-06-15  …T10:30:00Z
  '2009': /*            */ ['··tT', '··tT', '··tT', '··tT'],
  '2010': /*            */ ['f·t·', 'fFtT', 'fFtT', 'fFtT'],
  '2010-05': /*         */ ['f·t·', '··tT', '··tT', '··tT'],
  '2010-06': /*         */ ['f·t·', 'f·t·', 'fFtT', 'fFtT'],
  '2010-06-14': /*      */ ['f·t·', 'f·t·', '··tT', '··tT'],
  '2010-06-15': /*      */ ['f·t·', 'f·t·', 'f·t·', 'fFtT'],
  '2010-06-15T00:00:00Z': ['f·t·', 'f·t·', 'f·t·', '··tT'],
  '2010-06-15T10:30:00Z': ['f·t·', 'f·t·', 'f·t·', 'f·t·'],
  '2010-06-15T23:59:59Z': ['f·t·', 'f·t·', 'f·t·', 'fF··'],
  '2010-06-16': /*      */ ['f·t·', 'f·t·', 'fF··', 'fF··'],
  '2010-07': /*         */ ['f·t·', 'fF··', 'fF··', 'fF··'],
  '2011': /*            */ ['fF··', 'fF··', 'fF··', 'fF··'],
};
const storedDates = Object.keys(primary);

describe('date filters', () => {
  beforeAll(async () => {
    const dated = Object.fromEntries(storedDates.map((date, index) => [`d${index}`, problem([date])]));
    await writeRecord(container, 'primary', problems({ ...dated, none: problem([]) }));
  });

  it.each(values.map((value, column) => [value, column] as const))(
    'keep what the truth table says for the value %s',
    async (value, column) => {
      const letters = {
        date_from: 'f',
        date_from_including: 'f',
        date_from_excluding: 'F',
        date_to: 't',
        date_to_including: 't',
        date_to_excluding: 'T',
      };
      for (const [filter, letter] of Object.entries(letters)) {
        const { order, total } = await list('primary', `problems/?${filter}=${value}`);
        const kept = order.map((id) => storedDates[Number(id.slice(1))]).sort();
        const expected = storedDates.filter((date) => primary[date]?.[column]?.includes(letter)).sort();
        expect(kept, `${filter}=${value}`).toEqual(expected);
        expect(total).toBe(expected.length);
      }
    },
  );

  // Each filter is tested on its own, so a stored period may pass two that no single day of it would.
  it.each([
    ['2010', 'date_from=2010-08&date_to=2010-03'],
    ['2010-06-15', 'date_from=2010-06-15&date_to=2010-06-15'],
    ['2010-06-15', 'date_from_excluding=2010-06-14&date_to_excluding=2010-06-16'],
    ['2010-06', 'date_from=2010-06-20&date_to=2010-06-25'],
  ])('combined keep %s for %s', async (stored, query) => {
    const { order } = await list('primary', `problems/?${query}`);
    expect(order).toContain(`d${storedDates.indexOf(stored)}`);
  });

  it.each([
    // stored, filter, kept
    ['2010-06-15T00:30:00+02:00', 'date_to=2010-06-14', true],
    ['2010-06-15T00:30:00+02:00', 'date_from=2010-06-15', false],
    ['2010-06-14T23:30:00-05:00', 'date_from=2010-06-15', true],
    ['2010-06-14T23:30:00-05:00', 'date_to=2010-06-14', false],
    ['2010-06-15T10:30Z', 'date_from=2010-06-15T10:30:00Z', true],
    ['2010-06-15T10:30Z', 'date_to=2010-06-15T10:30:00Z', true],
    ['2010-06-15T10:30:00.000Z', 'date_from=2010-06-15T10:30:00Z', true],
    ['2010-06-15T10:30:00.000Z', 'date_to=2010-06-15T10:30:00Z', true],
    ['2010-06-15T10:30:00', 'date_to=2010-06-15T10:30:00Z', true],
    ['2010-06-15T10:30:00Z', 'date_from_excluding=2010-06-15T12:29:59%2B02:00', true],
    ['2010-06-15T10:30:00Z', 'date_from_excluding=2010-06-15T12:30:00%2B02:00', false],
    ['junk', 'date_from=2010', false],
    ['junk', 'date_to=2010', false],
  ])('compare instants: %s under %s', async (stored, query, kept) => {
    await writeRecord(container, 'offsets', problems({ only: problem([stored]) }));
    expect((await list('offsets', `problems/?${query}`)).order).toEqual(kept ? ['only'] : []);
  });
});

describe('code filters', () => {
  beforeAll(async () => {
    await writeRecord(container, 'codes', {
      ...problems({ a: problem(['2001'], '1'), b: problem(['2002'], '2'), c: problem(['2003'], '3') }),
      'vital_sign_sets/v': '<> a sp:VitalSignSet ; dcterms:date "2001" ; sp:encounter <../encounters/e> .',
      'vital_sign_sets/w': '<> a sp:VitalSignSet ; dcterms:date "2002" ; sp:encounter <../encounters/f> .',
      'encounters/e': encounter('ambulatory'),
      'encounters/f': encounter('home'),
    });
  });
  const encounter = (type: string): string =>
    `<> a sp:Encounter ; sp:startDate "2001" ; sp:encounterType [ a sp:CodedValue ; dcterms:title "${type}" ; ` +
    `sp:code <http://smartplatforms.org/terms/codes/EncounterType#${type}> ] .`;

  it.each([
    ['problems/?snomed=1', ['a']],
    ['problems/?snomed=1|3', ['c', 'a']],
    ['problems/?snomed=1%7C3', ['c', 'a']],
    ['problems/?snomed=4', []],
    [`problems/?snomed=${Array.from({ length: 200 }, (_, code) => code).join('|')}`, ['c', 'b', 'a']],
    ['problems/?snomed=1|2|3&date_from=2002', ['c', 'b']],
    ['problems/?snomed=1|2|3&date_from=2002&date_to=2002', ['b']],
    ['problems/?snomed=1&date_from=2002', []],
    ['vital_sign_sets/?encounter_type=ambulatory', ['v']],
    ['vital_sign_sets/?encounter_type=home', ['w']],
    ['vital_sign_sets/?encounter_type=home|ambulatory', ['w', 'v']],
    ['vital_sign_sets/?encounter_type=emergency', []],
  ])('%s finds %j', async (path, expected) => {
    const { order, total, returned } = await list('codes', path);
    expect(order).toEqual(expected);
    expect([total, returned]).toEqual([expected.length, expected.length]);
  });
});

describe('codes with all below them', () => {
  beforeAll(async () => {
    const codes = {
      two: '44054006',
      any: '73211009',
      gestational: '11687002',
      infarct: '22298006',
      own: 'x',
    };
    await writeRecord(container, 'below', {
      ...problems(
        Object.fromEntries(Object.entries(codes).map(([id, code]) => [id, problem(['2001'], code)])),
      ),
      ...problems({ later: problem(['2009'], '44054006') }),
    });
    // The same code in another record is another patient's.
    await writeRecord(container, 'beside', problems({ other: problem(['2001'], '44054006') }));
  });

  it.each([
    ['snomed=73211009', ['any']],
    ['snomed=73211009&descendants=false', ['any']],
    ['snomed=73211009&descendants=true', ['any', 'gestational', 'later', 'two']],
    ['snomed=44054006&descendants=true', ['later', 'two']],
    ['snomed=56265001&descendants=true', ['infarct']],
    ['snomed=56265001|73211009&descendants=true', ['any', 'gestational', 'infarct', 'later', 'two']],
    ['snomed=73211009&descendants=true&date_from=2005', ['later']],
    ['snomed=x&descendants=true', ['own']],
    ['snomed=50043002&descendants=true', []],
    ['descendants=false', ['any', 'gestational', 'infarct', 'later', 'own', 'two']],
  ])('problems/?%s finds %j', async (query, expected) => {
    const { order, total } = await list('below', `problems/?${query}`);
    expect(order.sort()).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  it('are asked for page by page', async () => {
    const pages = [0, 1, 2, 3, 4].map((offset) =>
      list('below', `problems/?snomed=73211009&descendants=true&limit=1&offset=${offset}`),
    );
    const all = (await Promise.all(pages)).flatMap(({ order }) => order);
    expect(all.sort()).toEqual(['any', 'gestational', 'later', 'two']);
  });

  it('may stand in the graph of another statement', async () => {
    const path = 'vital_sign_sets/?encounter_type=ambulatory';
    const plain = await list('1000001', path);
    expect(plain.total).toBeGreaterThan(0);
    expect((await list('1000001', `${path}&descendants=true`)).order).toEqual(plain.order);
  });
});

describe('order and pages', () => {
  it('puts the newest first, ties by IRI, what has no date last, and a statement with two dates once', async () => {
    await writeRecord(
      container,
      'order',
      problems({
        b: problem(['2010-01-01']),
        a: problem(['2010-01-01T00:00:00Z']),
        c: problem(['2009-12-31T23:30:00-05:00']),
        d: problem([]),
        e: problem(['soon']),
        f: problem(['2001', '2015']),
      }),
    );
    const expected = ['f', 'c', 'a', 'b', 'd', 'e'];
    const whole = await list('order', 'problems/');
    expect(whole.order).toEqual(expected);
    expect([whole.total, whole.returned, whole.next]).toEqual([6, 6, undefined]);
    const pages = await Promise.all([0, 2, 4].map((at) => list('order', `problems/?limit=2&offset=${at}`)));
    expect(pages.flatMap(({ order }) => order)).toEqual(expected);
  });

  it('sorts and filters allergies and exclusions by their own dates, with one summary', async () => {
    await writeRecord(container, 'allergies', {
      'allergies/a': '<> a sp:Allergy ; sp:startDate "2010-06-01" .',
      'allergies/b': '<> a sp:Allergy ; sp:startDate "2012" .',
      'allergies/x': '<> a sp:AllergyExclusion ; dcterms:date "2011-03" .',
    });
    expect((await list('allergies', 'allergies/')).order).toEqual(['b', 'x', 'a']);
    expect((await list('allergies', 'allergies/?date_to=2011')).order).toEqual(['x', 'a']);
    expect((await list('allergies', 'allergies/?limit=1&offset=1')).order).toEqual(['x']);
  });

  it('answers an empty list with an empty summary', async () => {
    await writeRecord(container, 'empty', {});
    for (const path of [
      'problems/',
      'allergies/',
      'lab_panels/',
      'medications/?limit=3',
      'problems/?offset=4',
      'problems/?offset=4294967296',
      `problems/?limit=3&offset=${Number.MAX_SAFE_INTEGER}`,
    ]) {
      expect(await list('empty', path)).toMatchObject({ order: [], total: 0, returned: 0, next: undefined });
    }
  });

  it('says the next page in the summary and the Link header, without protocol parameters', async () => {
    const three = { a: problem(['2001'], '1'), b: problem(['2002'], '2'), c: problem(['2003'], '1') };
    await writeRecord(container, 'next', problems(three));
    const path = '/records/next/problems/?limit=1&snomed=1%7C2&_format=rdfxml';
    const token = await container.token('next');
    const header = signRequest({ method: 'GET', url: container.url + path, ...token });
    // RFC 5849 §3.5.3: the same protocol parameters in the query.
    const protocol = [...header.matchAll(/(oauth_\w+)="([^"]*)"/g)].map(
      ([, name, value]) => `&${name}=${value}`,
    );
    const response = await container.request(path + protocol.join(''));
    expect(response.status).toBe(200);
    const { next, total, order } = await readListAnswer(response.clone());
    expect(order).toEqual(['c']);
    expect(total).toBe(3);
    expect(next).toBe(`${container.url}/records/next/problems/?snomed=1%7C2&_format=rdfxml&limit=1&offset=1`);
    expect(response.headers.get('Link')).toBe(`<${next}>; rel="next"`);
    expect(response.headers.get('Server-Timing')).toMatch(/^total;dur=\d+\.\d+$/);
    const last = await get('next', 'problems/?limit=1&offset=2');
    expect(last.headers.get('Link')).toBeNull();
    expect(await readListAnswer(last)).toMatchObject({ order: ['a'], total: 3, next: undefined });
    expect(await list('next', 'problems/?limit=2&offset=7')).toMatchObject({
      order: [],
      total: 3,
      returned: 0,
    });
  });

  it.each([
    ['date_from=junk', 'date_from'],
    ['date_to=2010-13', 'date_to'],
    ['date_to_excluding=', 'date_to_excluding'],
    ['date_from=2010&date_from=2011', 'date_from'],
    ['date_from=2010-06-15T10:30:00+02:00', 'date_from'],
    ['snomed=1;2', 'snomed'],
    ['snomed=', 'snomed'],
    ['snomed=1||2', 'snomed'],
    ['snomed=%3E%20%7D', 'snomed'],
    [`snomed=${Array.from({ length: 201 }, (_, code) => code).join('|')}`, 'snomed'],
    ['descendants=true', 'descendants'],
    ['descendants=true&date_from=2010', 'descendants'],
    ['descendants=yes&snomed=1', 'descendants'],
    ['descendants=true&descendants=true&snomed=1', 'descendants'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1e2', 'limit'],
    ['offset=x', 'offset'],
    ['offset=-1', 'offset'],
    ['rxnorm=1', 'rxnorm'],
    ['page=2', 'page'],
    ['DATE_FROM=2010', 'DATE_FROM'],
  ])('problems/?%s is refused, naming the parameter', async (query, parameter) => {
    const response = await get('next', `problems/?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ parameter });
  });
});
