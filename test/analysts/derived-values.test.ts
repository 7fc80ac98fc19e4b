import { describe, expect, it } from 'vitest';
import { canonicalQuantity } from '../../src/analysts/canonical-units.js';
import { dateTriples } from '../../src/analysts/date-nodes.js';
import { identified } from '../../src/analysts/levels.js';
import { literal, namedNode, quad, type Term } from '../../src/rdf/terms.js';
import { cg, dcterms, prefixes, rdf, sp } from '../../src/rdf/vocabulary.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { analystStore } from './analyst-store.js';
import { base, viewOf } from './containers.js';

const PREFIX = `PREFIX sp: <${prefixes.sp}> PREFIX cg: <${prefixes.cg}> PREFIX dcterms: <${prefixes.dcterms}> PREFIX rdf: <${prefixes.rdf}>`;
const LOINC = 'http://purl.bioontology.org/ontology/LNC/';

let made = 0;
/** A graph of a record with statements about its resource and its inner nodes. */
function graphOf(
  segment: string,
  statements: (node: (inner?: string) => Term) => [Term, string, Term][],
): NamedGraph {
  const name = `${base}/records/5000001/${segment}/d${made++}`;
  const node = (inner = ''): Term => namedNode(inner === '' ? name : `${name}#_b${inner}`);
  return { name, quads: statements(node).map(([s, p, o]) => quad(s as never, namedNode(p), o as never)) };
}

const result = (value: string, unit: string, title = 'Glucose', code = `${LOINC}2345-7x`): NamedGraph =>
  graphOf('lab_results', (node) => [
    [node(), rdf.type, namedNode(sp.LabResult)],
    [node(), sp.belongsTo, namedNode(`${base}/records/5000001`)],
    [node(), dcterms.date, literal('2010-03-01')],
    [node(), sp.labName, node('0')],
    [node('0'), rdf.type, namedNode(sp.CodedValue)],
    [node('0'), dcterms.title, literal(title)],
    [node('0'), sp.code, namedNode(code)],
    [namedNode(code), rdf.type, namedNode(sp.Code)],
    [namedNode(code), dcterms.title, literal(title)],
    [node(), sp.quantitativeResult, node('1')],
    [node('1'), rdf.type, namedNode(sp.QuantitativeResult)],
    [node('1'), sp.valueAndUnit, node('2')],
    [node('2'), rdf.type, namedNode(sp.ValueAndUnit)],
    [node('2'), sp.value, literal(value)],
    [node('2'), sp.unit, literal(unit)],
  ]);

const taken = (more: (node: (inner?: string) => Term) => [Term, string, Term][]): NamedGraph =>
  graphOf('medications', (node) => [
    [node(), rdf.type, namedNode(sp.Medication)],
    [node(), sp.belongsTo, namedNode(`${base}/records/5000001`)],
    [node(), sp.startDate, literal('2010-03-01')],
    ...more(node),
  ]);

describe('canonical quantities', () => {
  it.each([
    [126, 'mg/dL', 1260, 'g.m-3'],
    [1.26, 'g/L', 1260, 'g.m-3'],
    [5, '10*3/uL', 5e12, 'm-3'],
    [98.6, '[degF]', 310.15, 'K'],
    [37, 'Cel', 310.15, 'K'],
    [7.1, '%', 0.071, '1'],
    [120, 'mm[Hg]', 15998640, 'g.m-1.s-2'],
  ])('of %s %s are %s %s', (value, unit, canonical, base) => {
    expect(canonicalQuantity(value, unit)).toEqual({ value: canonical, unit: base });
  });

  it.each([
    'MG/DL',
    'mEq/L',
    'm[IU]/L',
    'mm Hg',
    'gram',
    'pounds',
    '',
    '__proto__',
    'constructor',
    'm'.repeat(65),
  ])('are not guessed for %j, and nothing is written to the log', (unit) => {
    const write = console.log;
    const logged: unknown[] = [];
    console.log = (...parts: unknown[]) => void logged.push(parts);
    try {
      expect(canonicalQuantity(1, unit)).toBeUndefined();
    } finally {
      console.log = write;
    }
    expect(logged).toEqual([]);
  });
});

describe("in analysts' data", () => {
  it.each([
    ['identified', identified],
    ['de-identified', undefined],
  ])('quantities have numbers, at the %s level', async (_, view) => {
    const graphs = [
      result('126', 'mg/dL'),
      result('1.26', 'g/L'),
      result('<5', 'mg/dL'),
      result('7', 'units'),
    ];
    const ask = await analystStore(graphs, view ?? viewOf(graphs));
    const rows = ask(
      `${PREFIX} SELECT ?value ?number ?canonical ?unit { ?q sp:value ?value OPTIONAL { ?q cg:number ?number } OPTIONAL { ?q cg:canonicalValue ?canonical ; cg:canonicalUnit ?unit } ?r sp:valueAndUnit ?q } ORDER BY ?value`,
    );
    expect(rows).toEqual([
      { value: '1.26', number: '1.26', canonical: '1260', unit: 'g.m-3' },
      { value: '126', number: '126', canonical: '1260', unit: 'g.m-3' },
      { value: '7', number: '7' },
      { value: '<5' },
    ]);
  });

  it('a result counts once, whatever its code is called elsewhere', async () => {
    const graphs = ['Glucose', 'GLUCOSE', 'Glucose [Mass/volume]'].map((title) => result('1', 'g/L', title));
    const ask = await analystStore(graphs, identified);
    const path = `${PREFIX} SELECT ?s ?t { ?s a sp:LabResult ; sp:labName/sp:code/dcterms:title ?t }`;
    expect(ask(path).map(({ t }) => t)).toEqual(['Glucose', 'Glucose', 'Glucose']);
    expect(ask(`${PREFIX} SELECT ?t { GRAPH ?g { ?c a sp:Code ; dcterms:title ?t } }`).length).toBe(3);
  });

  it('a medication says whether its end is stated, by a date or a status', async () => {
    const status = (code: string) =>
      taken((node) => [
        [node(), `${prefixes.cg}medicationStatus`, node('0')],
        [node('0'), rdf.type, namedNode(sp.CodedValue)],
        [node('0'), sp.code, namedNode(`${prefixes.cg.replace('#', '/codes/')}MedicationStatus#${code}`)],
      ]);
    const graphs = [
      taken(() => []),
      taken((node) => [[node(), sp.endDate, literal('2011')]]),
      status('stopped'),
      status('onHold'),
    ];
    const ask = await analystStore(graphs, viewOf(graphs));
    const rows = ask(
      `${PREFIX} SELECT ?over (COUNT(*) AS ?n) { ?m cg:endStated ?over } GROUP BY ?over ORDER BY ?over`,
    );
    expect(rows).toEqual([
      { over: 'false', n: '2' },
      { over: 'true', n: '2' },
    ]);
  });

  it('days are numbers, from the moved date at the de-identified level', async () => {
    const graphs = [taken((node) => [[node(), sp.endDate, literal('2010-03-15')]])];
    const days = `${PREFIX} SELECT ?from ?days ?date { ?m sp:startDate ?date ; sp:startDate/^rdf:value/cg:firstDay ?from ; sp:endDate/^rdf:value/cg:firstDay ?to BIND (?to - ?from AS ?days) }`;
    const [known] = (await analystStore(graphs, identified))(days);
    const [moved] = (await analystStore(graphs, viewOf(graphs)))(days);
    expect(known).toEqual({ from: '14669', days: '14', date: '2010-03-01' });
    expect(moved?.['days']).toBe('14');
    expect(Number(moved?.['from'])).toBe(Date.parse(moved?.['date'] ?? '') / 86_400_000);
    expect(Number(moved?.['from'])).toBeLessThan(14669);
  });

  it('a month has its first day and its last', () => {
    const text = dateTriples(literal('1970-02')).join('\n');
    expect(text).toContain(`<${cg.firstDay}> "31"`);
    expect(text).toContain(`<${cg.lastDay}> "58"`);
  });
});
