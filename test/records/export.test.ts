import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { formatNames, formats, type RdfFormat } from '../../src/rdf/formats.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { sp } from '../../src/rdf/vocabulary.js';
import { exportChanges, exportRdf } from '../../src/records/export-data.js';
import { removeRecord } from '../../src/records/remove-record.js';
import { keepHistory } from '../../src/store/history.js';
import { graphsAfter, type Graphs } from '../../src/store/past-graphs.js';
import { numberedCanonical } from './canonical.js';
import { base, ontology, place, problem, record, type Place } from './support.js';

const content =
  `_:a ${problem('Asthma', '2009', '; sp:encounters _:e')} _:b ${problem('Flu', '2010')}` +
  '_:e a sp:Encounter ; sp:startDate "2009" ; sp:encounterType [ a sp:CodedValue ; dcterms:title "Ambulatory" ; sp:code <http://smartplatforms.org/terms/codes/EncounterType#ambulatory> ] ; sp:provider [ a sp:Provider ; v:n [ a v:Name ; v:given-name "Ö" ; v:family-name "Å" ] ] .\n' +
  '<http://smartplatforms.org/terms/codes/EncounterType#ambulatory> a sp:Code, spcode:EncounterType ; dcterms:title "x" ; sp:system "http://smartplatforms.org/terms/codes/EncounterType#" ; dcterms:identifier "ambulatory" .';

async function exported(
  { primary }: { readonly primary: Graphs },
  format: RdfFormat,
  recordId?: string,
): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of exportRdf({ primary, ontology, base, format, recordId })) pieces.push(piece);
  return pieces.join('');
}

function stored({ primary }: Place): Record<string, string[]> {
  return numberedCanonical([...primary.names()].map((name) => ({ name, quads: primary.graph(name) ?? [] })));
}

describe('an export', () => {
  it.each(formatNames)('of a record as %s can be loaded back as it was', async (format) => {
    const here = await place();
    await here.load('p7.ttl', content);
    const text = await exported(here, format, '7');
    const there = await place();
    const report = await there.load(`back7.${formats[format].extensions[0]}`.replace('.ttl', '.trig'), text);
    expect(report.errors).toEqual([]);
    expect(stored(there)).toEqual(stored(here));
    // Loaded over itself it is no change.
    expect(
      (await here.load(`back7.${formats[format].extensions[0]}`.replace('.ttl', '.trig'), text)).status,
    ).toBe('unchanged');
  });

  it.each(['nquads', 'trig'] as const)(
    'of everything as %s brings all records back from one file',
    async (format) => {
      const here = await place();
      await here.load('p7.ttl', content);
      await here.load('p8.ttl', `_:a ${problem('ASTHMA', '2009')}`);
      const text = await exported(here, format);
      const there = await place();
      const report = await there.load(`all.${formats[format].extensions[0]}`, text);
      expect(report).toMatchObject({
        record_id: null,
        records: ['7', '8'],
        statements: 4,
        errors: [],
        warnings: [],
      });
      expect(stored(there)).toEqual(stored(here));
    },
  );

  it('leaves users and manifests to backup and says so when it is loaded', async () => {
    const here = await place();
    await here.load('p7.ttl', content);
    await here.primary.write({
      replace: [{ name: `${base}/users/u`, quads: here.primary.graph(record) ?? [] }],
    });
    const there = await place();
    const report = await there.load('all.nq', await exported(here, 'nquads'), { strict: true });
    expect(report.status).toBe('loaded');
    expect(report.warnings[0]?.reason).toContain(`${base}/users/u`);
  });

  it('is the same text every time and links the record to its statements', async () => {
    const here = await place();
    await here.load('p7.ttl', content);
    for (const format of formatNames) expect(await exported(here, format)).toBe(await exported(here, format));
    const quads = await parseRdf(await exported(here, 'ntriples', '7'), { format: 'ntriples' });
    expect(quads.filter(({ predicate }) => predicate.value === sp.hasStatement)).toHaveLength(3);
  });

  it('of a record that is not there is refused', async () => {
    await expect(exported(await place(), 'turtle', '7')).rejects.toThrow('There is no record 7.');
  });

  it('of nothing is an empty document in every format', async () => {
    const here = await place();
    for (const format of formatNames) {
      expect(await parseRdf(await exported(here, format), { format, baseIRI: `${base}/` })).toEqual([]);
    }
  });
});

describe('an export of an earlier state', () => {
  it('is what was exported then, also of a record that was removed since', async () => {
    const here = await place();
    await here.load('p7.ttl', content);
    const [all, one] = [await exported(here, 'nquads'), await exported(here, 'nquads', '7')];
    const { revision } = stateOf(here);
    await here.load('p8.ttl', `_:a ${problem('ASTHMA', '2009')}`);
    await removeRecord(here.primary, base, '7');
    const past = { ...here, primary: graphsAfter(here.primary, revision) };
    expect(await exported(past, 'nquads')).toBe(all);
    expect(await exported(past, 'nquads', '7')).toBe(one);
    await expect(exported(here, 'nquads', '7')).rejects.toThrow('There is no record 7.');
  });

  it('is gone when the history of the record is purged, and the others stay', async () => {
    const here = await place();
    await here.load('p7.ttl', content);
    await here.load('p8.ttl', `_:a ${problem('ASTHMA', '2009')}`);
    const { revision } = stateOf(here);
    const other = await exported(here, 'nquads', '8');
    expect(await removeRecord(here.primary, base, '7')).toMatchObject({ existed: true });
    expect(await removeRecord(here.primary, base, '7', true)).toMatchObject({ existed: true });
    expect(await removeRecord(here.primary, base, '7', true)).toMatchObject({ existed: false });
    const past = { ...here, primary: graphsAfter(here.primary, revision) };
    await expect(exported(past, 'nquads', '7')).rejects.toThrow('There is no record 7.');
    expect(await exported(past, 'nquads', '8')).toBe(other);
    const kept = here.directory.read((tx) =>
      JSON.stringify([...tx.range('history'), ...tx.range('moments')]),
    );
    expect(kept).not.toContain('/records/7');
    expect(kept).toContain('/records/8');
  });
});

describe('an export of changes', () => {
  const changed = changesOf;
  const graphs = (text: string): Set<string> =>
    new Set([...text.matchAll(/<([^>]*)> \.$/gm)].map(([, name = '']) => name));

  it('holds the graphs that have changed, and the names of those that were removed', async () => {
    const here = await place();
    await here.load('p7.ttl', content);
    const { revision } = stateOf(here);
    expect(await changed(here, revision)).toBe(`# revision ${revision}\n`);
    const [first = ''] = here.primary.names(`${record}/problems/`);
    await here.primary.write({ remove: [first] });
    await here.load('p8.ttl', `_:a ${problem('ASTHMA', '2009')}`);
    const text = await changed(here, revision);
    expect(text.startsWith(`# revision ${stateOf(here).revision}\n`)).toBe(true);
    expect(text.endsWith(`\n# removed <${first}>\n`)).toBe(true);
    expect(graphs(text)).toEqual(new Set(here.primary.names(`${base}/records/8`)));
    expect(graphs(await changed(here, revision, '7'))).toEqual(new Set());
    expect(await changed(here, revision, '8')).not.toContain('# removed');
    const there = await place();
    expect((await there.load('changes.nq', text)).errors).toEqual([]);
  });

  it('is refused where history does not reach back', async () => {
    const here = await place();
    await here.directory.transact((tx) => keepHistory(tx, 'off', 0));
    await here.load('p7.ttl', content);
    await expect(changed(here, 0)).rejects.toThrow('keeps no history');
    await here.directory.transact((tx) => keepHistory(tx, 'all', 0));
    await expect(changed(here, 0)).rejects.toThrow(
      'History is kept since revision 1; export everything once.',
    );
  });
});

it('an export of changes is refused after one that was lost when a backup was restored', async () => {
  const here = await place();
  await here.load('p7.ttl', content);
  const file = join(here.directory.dir, 'backup');
  await writeBackup(here.directory, file);
  const { revision: kept } = stateOf(here);
  await here.load('p8.ttl', `_:a ${problem('ASTHMA', '2009')}`);
  const { revision: lost } = stateOf(here);
  await restoreBackup(here.directory, file);
  const changed = (since: number): Promise<string> => changesOf(here, since);
  await expect(changed(lost)).rejects.toThrow(
    `Revision ${lost} was lost when a backup was restored; export everything once.`,
  );
  const { revision } = stateOf(here);
  expect(await changed(kept)).toBe(`# revision ${revision}\n`);
  expect(await changed(revision)).toBe(`# revision ${revision}\n`);
});

async function changesOf({ primary }: Place, since: number, recordId?: string): Promise<string> {
  const pieces: string[] = [];
  const options = { primary, ontology, base, format: 'nquads' as const, recordId, since };
  for await (const piece of exportChanges(options)) pieces.push(piece);
  return pieces.join('');
}

function stateOf({ primary }: Place): { readonly revision: number } {
  return { revision: primary.revision('') };
}
