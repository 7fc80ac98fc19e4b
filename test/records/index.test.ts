import { describe, expect, it } from 'vitest';
import { instantProperty } from '../../src/query/date-index.js';
import { nameProperty } from '../../src/query/name-index.js';
import { readTriples, writeTriples } from '../../src/rdf/ntriples.js';
import { dcterms, sp, vcard } from '../../src/rdf/vocabulary.js';
import { deriveIndex } from '../../src/records/index.js';
import { ontology, patient, problem, record } from './support.js';

const derive = deriveIndex(ontology);

describe('the index of a replica', () => {
  it('holds the instants of the dates that lists are filtered and sorted by', async () => {
    const { graphs } = await patient(`_:a ${problem('Gout', '2010-06')}`);
    const { name, quads } = graphs[1] ?? { name: '', quads: [] };
    const entries = readTriples(derive(name, writeTriples(quads)));
    expect(
      entries.map(({ subject, predicate, object }) => [subject.value, predicate.value, object.value]),
    ).toEqual([
      [name, instantProperty('low', sp.startDate), '2010-06-01T00:00:00.000Z'],
      [name, instantProperty('high', sp.startDate), '2010-06-30T23:59:59.999Z'],
    ]);
  });

  it('leaves out dates of inner nodes and dates that are none', () => {
    const name = `${record}/lab_results/1`;
    const text = `<${name}> <${dcterms.date}> "soon" .\n<${name}#_b0> <${dcterms.date}> "2010" .\n`;
    expect(derive(name, text)).toBe('');
  });

  it('holds the folded name of a person with its beginnings, and not the names of others in the graph', () => {
    const name = `${record}/demographics`;
    const text =
      `<${name}> <${vcard.n}> <${name}#_b0> .\n<${name}#_b0> <${vcard['family-name']}> "ÅngSTRÖM" .\n` +
      `<${name}#_b1> <${vcard['family-name']}> "Provider" .\n`;
    const entries = readTriples(derive(name, text)).map(({ predicate, object }) => [
      predicate.value,
      object.value,
    ]);
    const property = vcard['family-name'];
    expect(entries).toEqual([
      [nameProperty('folded', property), 'ångström'],
      [nameProperty('beginning', property), 'å'],
      [nameProperty('beginning', property), 'ån'],
      [nameProperty('beginning', property), 'ång'],
    ]);
  });

  it('is empty for a graph with nothing to index', () => {
    expect(derive(record, `<${record}> <http://p.example/p> "x" .\n`)).toBe('');
  });
});
