import { describe, expect, test } from 'vitest';
import type { RecordedEntry } from '../../../src/access/log/access-entry.js';
import { entryQuads } from '../../../src/access/log/entry-graph.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { accessPrefixes, prefixes } from '../../../src/rdf/vocabulary.js';
import { writeRdf } from '../../../src/rdf/write.js';

const base = 'http://localhost:7000';
const entry: RecordedEntry = {
  number: 12,
  time: '2026-01-31T08:00:00.000Z',
  action: 'read',
  outcome: 'done',
  user: 'clinician',
  app: 'demo-ui@apps.example.org',
  call: 'urn:call',
  resource: '/records/1000001/medications/',
  record: '1000001',
  purpose: 'care "now"\n',
  status: 200,
  revision: 7,
};

const turtle = (some: RecordedEntry): Promise<string> =>
  writeRdf(entryQuads(some, base), 'turtle', { prefixes: { ...prefixes, ...accessPrefixes } });

describe('an entry as RDF', () => {
  test('is an activity with its agents, the call as their plan, and what it used', async () => {
    const text = await turtle(entry);
    expect(text).toContain('<urn:chartgraph:access:12> a prov:Activity');
    for (const part of [
      'prov:used <http://localhost:7000/records/1000001/medications/>',
      'prov:wasAssociatedWith <http://localhost:7000/apps/demo-ui@apps.example.org>, <http://localhost:7000/users/clinician>',
      'prov:startedAtTime "2026-01-31T08:00:00.000Z"^^xsd:dateTime',
      'prov:hadPlan <urn:call>',
      'prov:hadActivity <urn:chartgraph:access:12>',
      'access:record <http://localhost:7000/records/1000001>',
    ])
      expect(text).toContain(part);
  });

  test('a write generates, a removal invalidates, and what was refused does neither', async () => {
    expect(await turtle({ ...entry, action: 'write' })).toContain('prov:generated <');
    expect(await turtle({ ...entry, action: 'remove' })).toContain('prov:invalidated <');
    expect(await turtle({ ...entry, action: 'remove', outcome: 'refused' })).toContain('prov:used <');
  });

  test('text that no IRI may hold still gives Turtle that parses to the same statements', async () => {
    const hostile = 'a<b> "c"\\ {d}|^`\u0001\ud800/../?x#y%zz';
    const odd = {
      ...entry,
      user: hostile,
      account: hostile,
      onBehalfOf: hostile,
      resource: `/records/${hostile}`,
      record: hostile,
      purpose: '"""\\\u0001\r\n',
    };
    const quads = entryQuads(odd, base);
    const read = await parseRdf(await turtle(odd), { format: 'turtle' });
    expect(read).toHaveLength(quads.length);
  });
});
