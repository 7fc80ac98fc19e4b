import { createSecretKey } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { literal, namedNode, quad, type Quad } from '../../src/rdf/terms.js';
import { cg, dcterms, prefixes, rdf, rdfs, sp, vcard } from '../../src/rdf/vocabulary.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { deidentifier } from '../../src/analysts/deidentify/view.js';
import { pseudonymUrn } from '../../src/analysts/deidentify/pseudonyms.js';
import { patient } from '../records/support.js';
import { analystStore, type Row } from './analyst-store.js';
import { heldBy, identifiersOf } from './identifiers.js';
import {
  base,
  inventedGraphs,
  key,
  ontology,
  sampleIds,
  sampleGraphs,
  seedGraphs,
  seenOf,
  viewOf,
} from './containers.js';

/** Each text and IRI of some quads, once. */
const textsOf = (quads: readonly Quad[]): string[] => [
  ...new Set(
    quads.flatMap(({ subject, predicate, object, graph }) =>
      [subject, predicate, object, graph].map((term) => term.value),
    ),
  ),
];

/** Which identifiers are seen, and where. */
function leaksOf(graphs: readonly NamedGraph[]): string[] {
  const texts = textsOf(seenOf(graphs));
  return heldBy(texts.join('\n'), identifiersOf(graphs)).flatMap((part) =>
    texts.filter((text) => heldBy(text, [part]).length > 0).map((text) => `${part} in ${text}`),
  );
}

/** How many resources and parts there are of each class. */
function countsByClass(quads: readonly Quad[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { predicate, object } of quads)
    if (predicate.value === rdf.type) counts.set(object.value, (counts.get(object.value) ?? 0) + 1);
  return counts;
}

let seed: readonly NamedGraph[];
beforeAll(async () => {
  seed = await seedGraphs();
});

describe('what analysts see of people', () => {
  it('holds no direct identifier of anybody in the seed', () => {
    expect(identifiersOf(seed).length).toBeGreaterThan(300);
    expect(leaksOf(seed)).toEqual([]);
  });

  it('holds no direct identifier of 80 invented patients', () => {
    const graphs = inventedGraphs(80);
    expect(identifiersOf(graphs).length).toBeGreaterThan(1000);
    expect(leaksOf(graphs)).toEqual([]);
  });
});

describe.skipIf(sampleIds.length === 0)(
  'what analysts see of the sample patients (skipped where they are not beside the project)',
  () => {
    it.each(sampleIds)('holds no direct identifier of %s', async (id) => {
      const graphs = await sampleGraphs(id);
      expect(identifiersOf(graphs).length).toBeGreaterThan(10);
      expect(leaksOf(graphs)).toEqual([]);
    });
  },
);

describe('what analysts see of things', () => {
  it('is as many things of each class as there are', () => {
    for (const graphs of [seed, inventedGraphs(40)]) {
      const known = graphs.filter(({ name }) => !name.includes('/apps/'));
      const before = countsByClass(known.flatMap(({ quads }) => quads));
      const after = countsByClass(seenOf(known));
      // What is left out with the link that leads to it: record numbers, contents of documents, results in words.
      const left = ['Resource', 'Content', 'Hash', 'NarrativeResult', 'Code'].map(
        (name) => prefixes.sp + name,
      );
      for (const [name, count] of before)
        if (!left.includes(name)) expect([name, after.get(name)]).toEqual([name, count]);
    }
  });

  it('is of what is kept in words its class, its date and why, and no words', () => {
    const quads = seenOf(seed);
    const isKept = ({ object }: Quad): boolean => object.value.startsWith(`${prefixes.cg}Unmapped`);
    const kept = new Set(quads.filter(isKept).map(({ subject }) => subject.value));
    const about = quads.filter(({ subject }) => kept.has(subject.value));
    expect(kept.size).toBe(16);
    expect([...new Set(about.map(({ predicate }) => predicate.value))].sort()).toEqual(
      [cg.whyUnmapped, dcterms.date, rdf.type, sp.belongsTo].sort(),
    );
  });

  it('links each statement to its record, each fulfillment to its medication and each panel to its results', () => {
    const linked = (quads: readonly Quad[], property: string): number => {
      const things = new Set(
        quads.filter(({ predicate }) => predicate.value === rdf.type).map((q) => q.subject.value),
      );
      return quads.filter(({ predicate, object }) => predicate.value === property && things.has(object.value))
        .length;
    };
    const before = seed.flatMap(({ quads }) => quads);
    const after = seenOf(seed);
    for (const property of [
      sp.belongsTo,
      sp.medication,
      sp.fulfillment,
      sp.labResult,
      sp.encounter,
      sp.encounters,
    ]) {
      expect(linked(before, property)).toBeGreaterThan(3);
      expect([property, linked(after, property)]).toEqual([property, linked(before, property)]);
    }
  });

  it('has pseudonyms for every record, statement, user and app, and for nothing that all share', () => {
    const iris = textsOf(seenOf(seed)).filter((text) => text.startsWith(base));
    expect(iris).toEqual([]);
    const codes = textsOf(seenOf(seed)).filter((text) =>
      text.startsWith('http://purl.bioontology.org/ontology/SNOMEDCT/'),
    );
    expect(codes.length).toBeGreaterThan(50);
  });

  it('has the same names under another base, and others with another key', () => {
    const [graph] = seed;
    expect(viewOf(seed).nameOf(graph?.name ?? '')).toMatch(new RegExp(`^${pseudonymUrn}[0-9a-f]{32}$`));
    const moved = deidentifier({ ontology, base: 'https://other.example', key, readGraph: () => [] });
    expect(moved.nameOf((graph?.name ?? '').replace(base, 'https://other.example'))).toBe(
      viewOf(seed).nameOf(graph?.name ?? ''),
    );
    const other = deidentifier({
      ontology,
      base,
      key: createSecretKey(Buffer.alloc(32, 8)),
      readGraph: () => [],
    });
    expect(other.nameOf(graph?.name ?? '')).not.toBe(viewOf(seed).nameOf(graph?.name ?? ''));
  });
});

describe('dates', () => {
  const DAY = 86_400_000;
  const dated = [`${prefixes.dcterms}date`, `${prefixes.sp}startDate`, `${prefixes.sp}endDate`];

  it('of one record are shifted by the same days, between 1 and 365, of two records by others', () => {
    const view = viewOf(seed);
    const shifts = new Map<string, Set<number>>();
    for (const { name, quads } of seed) {
      const record = name.slice(base.length).split('/')[2] ?? '';
      const seen = view.quadsOf(name, quads);
      for (const property of dated) {
        const at = (some: readonly Quad[], subject: string): string[] =>
          some
            .filter((q) => q.predicate.value === property && q.subject.value === subject)
            .map((q) => q.object.value);
        const [was] = at(quads, name);
        const [is] = at(seen, view.nameOf(name));
        if (was === undefined || !/^\d{4}-\d\d-\d\d/.test(was)) continue;
        const days = (Date.parse(was.slice(0, 10)) - Date.parse((is ?? '').slice(0, 10))) / DAY;
        expect(is).toHaveLength(10);
        shifts.set(record, (shifts.get(record) ?? new Set()).add(days));
      }
    }
    expect(shifts.size).toBeGreaterThanOrEqual(8);
    for (const days of shifts.values()) expect(days.size).toBe(1);
    const all = [...shifts.values()].flatMap((days) => [...days]);
    expect(all.every((days) => Number.isInteger(days) && days >= 1 && days <= 365)).toBe(true);
    expect(new Set(all).size).toBeGreaterThan(6);
  });

  it('of birth are years, and who is older than 89 is in one group', () => {
    const born = seenOf([...seed, ...inventedGraphs(100)])
      .filter(({ predicate }) => predicate.value === vcard.bday)
      .map(({ object }) => object.value);
    expect(born.length).toBeGreaterThan(100);
    expect(born.every((text) => /^\d{4}$/.test(text))).toBe(true);
    expect(born.every((text) => Number(text) >= 1937)).toBe(true);
    expect(born.filter((text) => text === '1937').length).toBeGreaterThan(3);
  });
});

describe('what nobody decided about', () => {
  const graph = `${base}/records/7/problems/1`;
  const about = (property: string, object: Quad['object'], more: readonly Quad[] = []): Quad[] => [
    quad(namedNode(graph), namedNode(rdf.type), namedNode(`${prefixes.sp}Problem`)),
    quad(namedNode(graph), namedNode(property), object),
    ...more,
  ];
  const seen = (quads: readonly Quad[], others: readonly NamedGraph[] = []): string[] =>
    viewOf(others)
      .quadsOf(graph, quads)
      .filter(({ predicate }) => predicate.value !== rdf.type)
      .map(({ object }) => object.value);
  const unit = `${prefixes.sp}unit`;
  const typed = (name: string): Quad['object'] => literal('1', namedNode(prefixes.xsd + name));

  it.each([
    ['a property that nobody declared', 'http://example.org/nickname', literal('Janie')],
    ['an annotation', `${prefixes.cg}sha256`, literal('ab12')],
    ['a literal where a link belongs', `${prefixes.sp}problemName`, literal('Jane')],
    ['a link where an address belongs', vcard.email, namedNode('mailto:jane@example.org')],
    ['a date that is none', `${prefixes.sp}startDate`, literal('last week')],
    ['a place that is no postal code', vcard.locality, literal('Springfield')],
  ])('is not shown: %s', (_, property, object) => {
    expect(seen(about(property, object))).toEqual([]);
  });

  it.each([
    ['a datatype that nobody knows', literal('mg', namedNode('http://example.org/type'))],
    ['bytes', literal('SmFuZQ==', namedNode(`${prefixes.xsd}base64Binary`))],
    ['a text with an address in it', literal('write to jane@example.org')],
    ['a text with an IRI of the container in it', literal(`see ${base}/records/7`)],
    ['a very long text', literal('x'.repeat(1001))],
    ['words', literal('Tablette von Jane')],
    ['words in the braces of a unit', literal('{Zwyssig}/min')],
    ['a telephone number, which UCUM takes for a factor', literal('800.555.1212')],
    ['a year', literal('/1934')],
  ])('is withheld, and its row stays: %s', (_, object) => {
    expect(seen(about(unit, object))).toEqual(['Withheld']);
  });

  it.each([
    'mg/dL',
    '10*3/uL',
    '{tablet}',
    'mL/min/1.73m2',
    '%{HemoglobinSaturation}',
    '[IU]/mL',
    '{#}',
    'inch',
  ])('is shown where it was decided: the unit %s', (text) => {
    expect(seen(about(unit, literal(text)))).toEqual([text]);
  });

  it('is shown where it was decided: numbers, common values, links under pseudonyms', () => {
    expect(seen(about(unit, typed('integer')))).toEqual(['1']);
    expect(seen(about(`${prefixes.sp}race`, literal('white', 'en')))).toEqual(['White']);
    expect(seen(about(`${prefixes.sp}race`, literal('Tokelauan')))).toEqual(['other']);
    expect(seen(about(`${prefixes.sp}preferredLanguage`, literal('rm-CH')))).toEqual(['other']);
    const [iri] = seen(
      about(`${prefixes.sp}encounters`, namedNode('http://hospital.example/patients/jane-roe')),
    );
    expect(iri).toMatch(new RegExp(`^${pseudonymUrn}[0-9a-f]{32}$`));
  });

  it('takes a day for a day whatever property it stands under', () => {
    const [day] = seen(about(unit, literal('2010-06-15')));
    expect(day).toMatch(/^20(09|10)-\d\d-\d\d$/);
    expect(day).not.toBe('2010-06-15');
  });

  it('shows three digits of a postal code, and zeros where few people live', () => {
    const code = (text: string): string[] => seen(about(vcard['postal-code'], literal(text)));
    expect(['02139', '02139-4307', '03601', '82190', 'SW1A 1AA', '2139'].map(code)).toEqual([
      ['021'],
      ['021'],
      ['000'],
      ['000'],
      [],
      [],
    ]);
  });

  it('shows nothing of a node that only a link leads to which tells who somebody is', () => {
    const number = namedNode('http://hospital.example/mrn/1234567');
    const more = [
      quad(number, namedNode(rdf.type), namedNode(sp.Code)),
      quad(number, namedNode(`${prefixes.dcterms}identifier`), literal('1234567')),
      quad(number, namedNode(`${prefixes.dcterms}title`), literal('Jane')),
    ];
    expect(seen(about(sp.medicalRecordNumber, number, more))).toEqual([]);
  });

  it('shows nothing that is not reachable from the resource of the graph, and nothing of the graphs of nobody', () => {
    const other = namedNode(`${base}/records/8/problems/2`);
    expect(seen(about(unit, literal('mg'), [quad(other, namedNode(unit), literal('g'))]))).toEqual(['mg']);
    const quads = [quad(other, namedNode(unit), literal('g'))];
    for (const name of [
      'urn:chartgraph:endpoint:1',
      `${base}/manifest`,
      'http://elsewhere.example/records/7',
    ])
      expect(viewOf([]).quadsOf(name, quads)).toEqual([]);
  });
});

describe('a text that should tell nothing', () => {
  const title = (text: string, name = 'Jane Maud'): Promise<string[]> => titlesOf(text, name, 'Roe');
  const titlesOf = async (text: string, given: string, family: string): Promise<string[]> => {
    const { graphs } = await patient(`
      <../7/demographics> a sp:Demographics ; v:n [ a v:Name ; v:given-name "${given}" ; v:family-name "${family}" ] ;
        v:bday "1970-02-03" ; v:tel [ a v:Tel ; rdf:value "(800) 555-1212" ] ;
        sp:medicalRecordNumber [ a sp:Code ; dcterms:title "MRN" ; dcterms:identifier "A-1234567" ] .
      <problems/1> a sp:Problem ; sp:startDate "2010-06-15" ;
        sp:problemName [ a sp:CodedValue ; dcterms:title "${text}" ; sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/90000007> ] .
      <http://purl.bioontology.org/ontology/SNOMEDCT/90000007> a sp:Code ; dcterms:title "${text}" .`);
    const view = viewOf(graphs);
    const own = graphs.find(({ name }) => name.includes('/problems/'));
    return view
      .quadsOf(own?.name ?? '', own?.quads ?? [])
      .filter(({ predicate }) => predicate.value === `${prefixes.dcterms}title`)
      .map(({ object }) => object.value);
  };

  it.each([
    'Note of Jane Roe',
    'ROE, JANE',
    'jane maud roe',
    'call 800.555.1212',
    'chart A1234567',
    'born 1970-02-03',
  ])('is left out with two names of the person, or a number of theirs, in it: %s', async (text) => {
    expect(await title(text)).toEqual(['90000007', '90000007']);
  });

  it.each(['8005551212', 'A-1234567', 'Jane.Roe', '19700203', '555-0142', 'Zephyrine.Zwyssig', '9005551213'])(
    'is left out of codes, and the code is still counted: %s',
    async (code) => {
      const iri = `http://purl.bioontology.org/ontology/SNOMEDCT/${code}`;
      const { graphs } = await patient(`
        <../7/demographics> a sp:Demographics ; v:n [ a v:Name ; v:given-name "Jane" ; v:family-name "Roe" ] ;
          v:bday "1970-02-03" ; v:tel [ a v:Tel ; rdf:value "(800) 555-1212" ] ;
          sp:medicalRecordNumber [ a sp:Code ; dcterms:title "MRN" ; dcterms:identifier "A-1234567" ] .
        <problems/1> a sp:Problem ; sp:startDate "2010" ;
          sp:problemName [ a sp:CodedValue ; dcterms:title "x" ; sp:code <${iri}> ] .
        <${iri}> a sp:Code ; dcterms:title "y" ; dcterms:identifier "${code}" .`);
      const own = graphs.find(({ name }) => name.includes('/problems/'));
      const seen = viewOf(graphs).quadsOf(own?.name ?? '', own?.quads ?? []);
      expect(textsOf(seen).filter((text) => text.includes(code))).toEqual([]);
      const titles = seen.filter(({ predicate }) => predicate.value === dcterms.title);
      expect(titles.map(({ object }) => object.value)).toEqual(['Withheld', 'Withheld']);
    },
  );

  it('is shown with a single name in it, since that it is missing would tell the name', async () => {
    const count = 'White blood cell count';
    expect(await titlesOf(count, 'Anna', 'White')).toEqual([count, count]);
    expect(await title('Essential hypertension')).toEqual([
      'Essential hypertension',
      'Essential hypertension',
    ]);
  });
});

describe('the title of what is coded', () => {
  const snomed = 'http://purl.bioontology.org/ontology/SNOMEDCT/';
  /** A record of problems that are called so, asked as analysts do. */
  const asked = async (...names: readonly string[]): Promise<(sparql: string) => Row[]> => {
    const { graphs } = await patient(
      names
        .map((name, at) => `<problems/${at}> a sp:Problem ; sp:startDate "2010" ; sp:problemName ${name}`)
        .join('\n'),
    );
    return analystStore(graphs, viewOf(graphs));
  };
  const value = (text: string, code: string): string =>
    `[ a sp:CodedValue ; dcterms:title "${text}" ; sp:code <${code}> ] .`;
  const coded = (text: string, code: string, display: string): string =>
    `${value(text, code)} <${code}> a sp:Code ; dcterms:title "${display}" .`;
  const COUNTS = `SELECT ?title (COUNT(?s) AS ?n) {
    ?s <${sp.problemName}>/<${dcterms.title}> ?title
  } GROUP BY ?title ORDER BY ?title`;
  const TITLES = `SELECT DISTINCT ?title {
    GRAPH ?g { ?s <${dcterms.title}> ?title }
    FILTER (STRSTARTS(STR(?g), "${pseudonymUrn}"))
  } ORDER BY ?title`;

  it.each([
    [
      'the one of the ontology, whatever the record calls it',
      coded('dob 02/03/1934', `${snomed}55561003`, 'up'),
      'Active',
    ],
    [
      'the one that the record states of the code',
      coded('Annabelle, nee Zwyssig', `${snomed}90000007`, 'Hypertension'),
      'Hypertension',
    ],
    ['the identifier, where the record states none', value('call 555-0142', `${snomed}90000007`), '90000007'],
    [
      'withheld of a code that nobody else knows',
      coded('A. Zwyssig', 'http://clinic.example/codes/9', 'Zwyssig'),
      'Withheld',
    ],
    ['withheld without a code', '[ a sp:CodedValue ; dcterms:title "mother of senator Roe" ] .', 'Withheld'],
  ])('is %s', async (_, name, title) => {
    expect((await asked(name))(COUNTS)).toEqual([{ title, n: '1' }]);
  });

  it('is there for each that has one, so that counts by name count all', async () => {
    const names = [
      coded('Hypertension', `${snomed}90000007`, 'Hypertension'),
      coded('Hypertension since the divorce', `${snomed}90000007`, 'Hypertension'),
      value('what his father had', `${snomed}90000008`),
      '[ a sp:CodedValue ; dcterms:title "write to a@b.example" ] .',
    ];
    expect((await asked(...names))(COUNTS)).toEqual([
      { title: '90000008', n: '1' },
      { title: 'Hypertension', n: '2' },
      { title: 'Withheld', n: '1' },
    ]);
  });

  it('is the one of the ontology on every code of it, and no text of a record on a code of nobody', async () => {
    const texts = (
      await asked(
        coded('bad day', `${snomed}55561003`, 'worse'),
        coded('Annabelle', 'http://clinic.example/codes/9', 'Zwyssig'),
        '[ a sp:CodedValue ; dcterms:title "x" ; sp:provenance [ a sp:CodeProvenance ; dcterms:title "as aunt Zwyssig says" ] ] .',
      )
    )(TITLES);
    expect(texts).toEqual([{ title: 'Active' }, { title: 'Withheld' }]);
  });
});

describe('the ontology', () => {
  it('is seen as it is, without its examples', () => {
    const name = `${base}/ontology`;
    const term = namedNode(`${prefixes.sp}Problem`);
    const said = [
      quad(term, namedNode(rdfs.label), literal('Problem'), namedNode(name)),
      quad(term, namedNode(`${prefixes.api}example`), literal('<rdf:RDF/>'), namedNode(name)),
    ];
    expect(viewOf([]).nameOf(name)).toBe(name);
    expect(viewOf([]).quadsOf(name, said)).toEqual(said.slice(0, 1));
  });
});
