import { describe, expect, it } from 'vitest';
import { instantProperty } from '../../src/model/query/index/date-index.js';
import { indexProperty } from '../../src/model/query/index/index-property.js';
import { readTriples, writeTriples } from '../../src/rdf/ntriples.js';
import { dcterms, rdf, sp, vcard, xsd } from '../../src/rdf/vocabulary.js';
import { deriveIndex } from '../../src/records/search-index.js';
import { ontology, patient, problem, record } from './support.js';

const derive = deriveIndex(ontology);

describe('the index of a working set', () => {
  it('holds the instants of the dates that lists are filtered by, and the place in the list of the record', async () => {
    const { graphs } = await patient(`_:a ${problem('Gout', '2010-06')}`);
    const { name, quads } = graphs[1] ?? { name: '', quads: [] };
    const entries = readTriples(derive(name, writeTriples(quads)));
    const newest = `${record}#_newest/${[sp.Problem, sp.startDate].map(encodeURIComponent).join('/')}`;
    expect(
      entries.map(({ subject, predicate, object }) => [subject.value, predicate.value, object.value]),
    ).toEqual([
      [name, instantProperty('low', sp.startDate), '2010-06-01T00:00:00.000Z'],
      [name, instantProperty('high', sp.startDate), '2010-06-30T23:59:59.999Z'],
      [name, newest, String(10 ** 14 + Date.UTC(2010, 5))],
    ]);
  });

  it('holds the place in the list of the record for a class that is searched by texts of its parts, too', async () => {
    const calls = ontology.calls.map((call) => {
      const [term] = ontology.callByName.get('search_records')?.parameters ?? [];
      const paths = [[sp.problemName, dcterms.title]];
      return call.name === 'get_problems' && term
        ? { ...call, parameters: [{ ...term, operator: 'equals' as const, paths }] }
        : call;
    });
    const { graphs } = await patient(`_:a ${problem('Gout', '2010-06')}`);
    const { name, quads } = graphs[1] ?? { name: '', quads: [] };
    const entries = readTriples(deriveIndex({ ...ontology, calls })(name, writeTriples(quads)));
    const found = new Map(entries.map(({ predicate, object }) => [predicate.value, object.value]));
    expect(found.get(indexProperty('text', [[sp.problemName, dcterms.title]]))).toBe('Gout');
    const newest = `${record}#_newest/${[sp.Problem, sp.startDate].map(encodeURIComponent).join('/')}`;
    expect(found.get(newest)).toBe(String(10 ** 14 + Date.UTC(2010, 5)));
  });

  it('leaves out dates of blank nodes and dates that are none', () => {
    const name = `${record}/lab_results/1`;
    const text = `<${name}> <${dcterms.date}> "soon" .\n<${name}#_b0> <${dcterms.date}> "2010" .\n`;
    expect(derive(name, text)).toBe('');
  });

  const demographics = `${record}/demographics`;
  const entriesOf = (triples: string): [string, string][] => {
    const text = `<${demographics}> <${rdf.type}> <${sp.Demographics}> .\n${triples}`;
    return readTriples(derive(demographics, text)).map(({ predicate, object }) => [
      predicate.value,
      object.value,
    ]);
  };

  it('holds the folded name of a person with its beginnings and its place in the order, and not the names of others', () => {
    const entries = entriesOf(
      `<${demographics}> <${vcard.n}> <${demographics}#_b0> .\n` +
        `<${demographics}#_b0> <${vcard['family-name']}> "ÅngSTRÖM" .\n` +
        `<${demographics}#_b1> <${vcard['family-name']}> "Provider" .\n`,
    );
    const family = [[vcard.n, vcard['family-name']]];
    const given = [vcard.n, vcard['given-name']];
    expect(new Set(entries)).toEqual(
      new Set([
        [indexProperty('folded', family), 'ångström'],
        [indexProperty('beginning', family), 'å'],
        [indexProperty('beginning', family), 'ån'],
        [indexProperty('beginning', family), 'ång'],
        [indexProperty('beginning', family), 'ångs'],
        [indexProperty('beginning', family), 'ångst'],
        [indexProperty('order', [...family, given]), 'ångström\t'],
      ]),
    );
  });

  it('holds the texts that searches compare as plain literals, whatever their datatype', () => {
    const entries = entriesOf(
      `<${demographics}> <${vcard.bday}> "1958-03-14"^^<${xsd.date}> .\n` +
        `<${demographics}> <${sp.medicalRecordNumber}> <${demographics}#_b0> .\n` +
        `<${demographics}#_b0> <${dcterms.identifier}> "007"^^<${xsd.integer}> .\n`,
    );
    expect(entries).toEqual([
      [indexProperty('text', [[sp.medicalRecordNumber, dcterms.identifier]]), '007'],
      [indexProperty('text', [[vcard.bday]]), '1958-03-14'],
    ]);
  });

  it('leaves out names of what no call searches for', () => {
    const text = `<${demographics}> <${vcard.bday}> "1958" .\n`;
    expect(derive(demographics, text)).toBe('');
  });

  it('is empty for a graph with nothing to index', () => {
    expect(derive(record, `<${record}> <http://p.example/p> "x" .\n`)).toBe('');
  });
});
