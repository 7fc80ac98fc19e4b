import { describe, expect, it } from 'vitest';
import { blobGraph } from '../../src/records/blobs/blob-graph.js';
import { removeRecord } from '../../src/records/remove-record.js';
import { allKnown, enterOrigin } from '../../src/records/statement-origins.js';
import { sp } from '../../src/rdf/vocabulary.js';
import { base, place, problem, record, type Place } from './support.js';

const SCRATCHPAD = `${record}/apps/a@apps.example.org/scratchpad`;

async function withScratchpad(): Promise<Place> {
  const here = await place();
  await here.load('p7.ttl', `_:a ${problem('Asthma', '2009')}`);
  await here.load('p8.ttl', `_:a ${problem('Flu', '2010')}`);
  const kept = blobGraph(SCRATCHPAD, sp.ScratchpadData, { text: 'kept', mediaType: 'text/plain' });
  await here.primary.write({ replace: [kept], isUnkept: true });
  return here;
}

const keysOf = ({ directory }: Place, table: 'history' | 'revisions'): string[] =>
  directory.read((tx) => Array.from(tx.range(table), ({ key }) => String(key)));

describe('a record that is removed', () => {
  it('has a history but for what apps kept with it, which never had one', async () => {
    const here = await withScratchpad();
    await removeRecord(here.primary, base, '7');
    const kept = keysOf(here, 'history');
    expect(kept.some((key) => key.startsWith('/records/7/problems/'))).toBe(true);
    expect(kept.filter((key) => key.includes('/apps/'))).toEqual([]);
  });

  it('is no home of resources of FHIR any more when it is purged', async () => {
    const here = await withScratchpad();
    await here.directory.transact((tx) => {
      tx.put('fhirHomes', 'Condition/a', [['7', 'problems', true]]);
      tx.put('fhirHomes', 'Condition/b', [
        ['7', 'problems', true],
        ['8', 'problems', true],
      ]);
      tx.put('fhirHomes', 'Condition/c', [['77', 'problems', true]]);
    });
    await removeRecord(here.primary, base, '7', true);
    const left = here.directory.read((tx) => [...allKnown(tx)]);
    const home = (recordId: string) => [{ recordId, hasPatientId: true, made: ['problems'] }];
    expect(left).toEqual([
      ['Condition/b', home('8')],
      ['Condition/c', home('77')],
    ]);
  });

  it('leaves nothing of the resources of FHIR that its statements were made of', async () => {
    const here = await withScratchpad();
    const paths = ['/records/7/social_history', '/records/77/social_history'];
    await here.directory.transact((tx) => {
      for (const path of paths) enterOrigin(tx, path, 'Observation/s1');
    });
    await removeRecord(here.primary, base, '7');
    const left = here.directory.read((tx) => Array.from(tx.range('fhirOrigins'), ({ key }) => key));
    expect(left).toEqual([paths[1]]);
  });

  it('leaves no name of what was in it when its history is purged', async () => {
    const here = await withScratchpad();
    const before = here.primary.revision('/records/7');
    await removeRecord(here.primary, base, '7');
    expect(keysOf(here, 'revisions').some((key) => key.startsWith('/records/7/problems/'))).toBe(true);
    await removeRecord(here.primary, base, '7', true);
    const own = keysOf(here, 'revisions').filter((key) => key.startsWith('/records/7'));
    expect(own).toEqual(['/records/7/']);
    expect(keysOf(here, 'revisions').some((key) => key.startsWith('/records/8/problems/'))).toBe(true);
    // Its own goes on, so that no tag of before is taken for one of the next record of this id.
    expect(here.primary.revision('/records/7')).toBeGreaterThan(before);
  });
});
