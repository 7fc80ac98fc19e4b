import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../setup/runs.js';
import { startTestContainer, type TestContainer } from './container.js';
import { writeRecord } from './chart.js';
import { readRdfXml, subjectsOf } from './rdfxml.js';

let container: TestContainer;

beforeAll(async () => {
  container = await startTestContainer();
  for (const [id, [given, family, more]] of Object.entries(people)) {
    await writeRecord(container, id, { demographics: demographics(given, family, more) });
  }
});
afterAll(() => container.stop());

const demographics = (given: string, family: string, more = ''): string =>
  `<> a sp:Demographics ; v:n [ a v:Name ; v:given-name "${given}" ; v:family-name "${family}" ] ; ${more}` +
  `sp:encounterOf [ v:n [ v:family-name "Zzyzx" ] ] .`;

const people: Record<string, [given: string, family: string, more?: string]> = {
  turk: ['İbrahim', 'Işık'],
  german: ['Jürgen', 'Weißmüller'],
  composed: ['Zoë', 'Ångström'],
  apart: ['Zoe\u0308', 'A\u030Angstro\u0308m'],
  greek: ['Ὀδυσσεύς', 'Παπαδόπουλος'],
  han: ['小明', '王'],
  short: ['X', 'Q'],
  quoted: ['Mary \\"Mo\\"', "O'Brien\\\\x"],
  two: ['Ada', 'Qvist', 'v:n [ v:family-name "Qarlsson" ] ; '],
  typed: [
    'Typ',
    'Ed',
    'v:bday "1958-03-14"^^xsd:date ; foaf:gender "male"@en ; v:adr [ v:postal-code 4711 ] , [ v:postal-code "A 1" ] ; ' +
      'sp:medicalRecordNumber [ dcterms:identifier "007"^^xsd:integer ] , [ dcterms:identifier "m-8" ] ; ',
  ],
};

async function search(query: Record<string, string>, call = 'records'): Promise<string[]> {
  const response = await container.request(`/${call}/search?${new URLSearchParams(query)}`);
  expect(response.status).toBe(200);
  const quads = await readRdfXml(await response.text());
  const found = subjectsOf(quads, call === 'records' ? 'Demographics' : 'User');
  return found.map((iri) => iri.slice(container.url.length + 1).split('/')[1] ?? '');
}

describe('the search for records', () => {
  it.each([
    ['family_name', 'i', 'turk'],
    ['family_name', 'IŞIK', 'turk'],
    ['family_name', 'ISIK', undefined],
    ['given_name', 'ibra', 'turk'],
    ['given_name', 'İBRAHİM', 'turk'],
    ['family_name', 'WEISSMÜ', 'german'],
    ['family_name', 'weiß', 'german'],
    ['family_name', 'weissmu\u0308ller', 'german'],
    ['family_name', 'weissmuller', undefined],
    ['family_name', 'ångst', 'composed'],
    ['family_name', 'ångst', 'apart'],
    ['given_name', 'ZOË', 'composed'],
    ['given_name', 'zoe\u0308', 'apart'],
    ['given_name', 'ὈΔΥΣΣΕΎΣ', 'greek'],
    ['family_name', 'παπαδόπουλοσ', 'greek'],
    ['family_name', '王', 'han'],
    ['given_name', '小', 'han'],
    ['family_name', 'q', 'short'],
    ['family_name', 'qq', undefined],
    ['given_name', 'mary "mo"', 'quoted'],
    ['family_name', "o'brien\\x", 'quoted'],
    ['family_name', 'qvi', 'two'],
    ['family_name', 'qarlss', 'two'],
    ['family_name', 'zzyzx', undefined],
    ['family_name', '?', undefined],
    ['family_name', '.*', undefined],
  ])('by %s %s finds %s', async (name, value, expected) => {
    const found = await search({ [name]: value });
    if (expected === undefined) expect(found).toEqual([]);
    else expect(found).toContain(expected);
  });

  it.each([
    ['medical_record_number', '007', ['typed']],
    ['medical_record_number', '7', []],
    ['medical_record_number', 'm-8', ['typed']],
    ['medical_record_number', 'M-8', []],
    ['zipcode', '4711', ['typed']],
    ['zipcode', 'A 1', ['typed']],
    ['zipcode', 'A', []],
    ['date_of_birth', '1958-03-14', ['1000001', 'typed']],
    ['date_of_birth', '1958-03', []],
  ])('by the whole %s %s finds %j, whatever its datatype', async (name, value, expected) => {
    expect(await search({ [name]: value })).toEqual(expected);
  });

  it('holds all terms together', async () => {
    const all = {
      family_name: 'e',
      given_name: 'TY',
      gender: 'male',
      zipcode: '4711',
      date_of_birth: '1958-03-14',
      medical_record_number: '007',
    };
    expect(await search(all)).toEqual(['typed']);
    expect(await search({ ...all, gender: 'female' })).toEqual([]);
    expect(await search({ ...all, given_name: 'tz' })).toEqual([]);
  });

  it('has no summary, and pages by names from A to Z that see everybody once', async () => {
    const everybody = await search({});
    expect(everybody).toEqual(expect.arrayContaining(Object.keys(people)));
    const seen: string[] = [];
    let path: string | undefined = '/records/search?limit=1';
    while (path !== undefined) {
      const response: Response = await container.request(path);
      const quads = await readRdfXml(await response.text());
      expect(quads.filter(({ object }) => object.value.endsWith('ResponseSummary'))).toEqual([]);
      const page = subjectsOf(quads, 'Demographics');
      expect(page).toHaveLength(1);
      seen.push(...page.map((iri) => iri.split('/').at(-2) ?? ''));
      const next = /^<(.*)>; rel="next"$/.exec(response.headers.get('Link') ?? '')?.[1];
      path = next?.slice(container.url.length);
    }
    expect([...seen].sort()).toEqual([...everybody].sort());
    // Of two family names the first in order counts; the same name, however composed, is a tie.
    const order = ['typed', 'turk', 'quoted', 'short', 'two', 'german', 'apart', 'composed', 'greek', 'han'];
    expect(seen.filter((id) => id in people)).toEqual(order);
  });

  it('finds by random beginnings what a naive comparison finds', async () => {
    const part = fc.constantFrom('Al', 'an', 'ba', 'BA', 'él', 'o', 'ß', 'ÿ');
    const word = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 6 }),
        word,
        fc.nat({ max: 8 }),
        async (names, base, length) => {
          const beginning = base.slice(0, Math.max(1, length));
          for (let at = 0; at < 6; at++) {
            const own = names[at] === undefined ? {} : { demographics: demographics('Rnd', names[at] ?? '') };
            await writeRecord(container, `random${at}`, own as Record<string, string>);
          }
          const found = await search({ given_name: 'rnd', family_name: beginning });
          const same = (text: string): string => text.replaceAll('ß', 'ss').toUpperCase();
          const expected = names.flatMap((name, at) =>
            same(name).startsWith(same(beginning)) ? [`random${at}`] : [],
          );
          expect(found).toEqual(expected.sort());
        },
      ),
      { numRuns: runs(25) },
    );
  });
});

describe('the search for users', () => {
  it.each([
    [{}, ['admin', 'analyst', 'clinician', 'person']],
    [{ name: '' }, ['admin', 'analyst', 'clinician', 'person']],
    [{ name: 'a' }, ['clinician']],
    [{ name: 'oxen' }, ['clinician']],
    [{ name: 'oxendales' }, []],
    [{ given_name: 'COR' }, ['admin']],
    [{ family_name: 'cor' }, []],
    [{ name: 'p', given_name: 'rosa' }, ['analyst']],
    [{ name: 'd', family_name: 'dell' }, ['person']],
  ])('by %j finds %j', async (query, expected) => {
    expect(await search(query as Record<string, string>, 'users')).toEqual(expected);
  });
});
