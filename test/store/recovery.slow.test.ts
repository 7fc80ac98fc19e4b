import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import {
  openEmbeddedStore,
  type EmbeddedStore,
  type EmbeddedStoreOptions,
} from '../../src/store/embedded-store.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { temporaryFolder } from './disk/temporary.js';
import { BASE, everythingIn, note, TEXTS } from './samples.js';

async function directory(): Promise<DataDirectory> {
  const opened = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => opened.close());
  return opened;
}

async function store(options: Partial<EmbeddedStoreOptions> = {}): Promise<EmbeddedStore> {
  const opened = await openEmbeddedStore({ directory: await directory(), base: BASE, ...options });
  onTestFinished(() => opened.close());
  return opened;
}

const count = async (opened: EmbeddedStore) => (await opened.select(TEXTS)).length;

/** Notes of about 3.6 kB each. */
const notes = (from: number, number: number, text = 'x') =>
  Array.from({ length: number }, (_, index) => note(`/records/1/notes/${from + index}`, text.repeat(3400)));

const deep = `ASK { ${'{'.repeat(20_000)} ?s ?p ?o ${'}'.repeat(20_000)} }`;

describe('a working set that breaks', () => {
  test('a query that makes the engine panic fails, and the next one is answered as before', async () => {
    const opened = await store();
    await opened.write({ replace: [note('/records/1/notes/a', 'x')] });
    for (let time = 0; time < 3; time++) {
      await expect(opened.ask(deep)).rejects.toThrow('The in-memory store failed');
      expect(await opened.construct(everythingIn('/records/1/notes/a'))).toHaveLength(3);
    }
  });

  test('a query that always makes it panic fails while everything is still being loaded, too', async () => {
    const files = await directory();
    await openPrimaryStore(files, BASE).write({ replace: notes(0, 1000) });
    const opened = await openEmbeddedStore({ directory: files, base: BASE, fillsAhead: true });
    onTestFinished(() => opened.close());
    await expect(opened.ask(deep, [])).rejects.toThrow('The in-memory store failed');
    expect(await count(opened)).toBe(1000);
  });

  test('queries that wait while the engine is replaced are all answered', async () => {
    const opened = await store();
    await opened.write({ replace: notes(0, 1000) });
    const broken = opened.ask(deep).catch(() => 'failed');
    const counts = await Promise.all(Array.from({ length: 20 }, () => count(opened)));
    expect(new Set(counts)).toEqual(new Set([1000]));
    expect(await broken).toBe('failed');
  });

  test('a graph on disk that is cut short takes nothing of another one with it', async () => {
    const opened = await store();
    // The memory in which a graph is put together has held many others before.
    await opened.write({
      replace: Array.from({ length: 300 }, (_, index) => note(`/records/1/notes/${index}`, 'x')),
    });
    expect(await count(opened)).toBe(300);
    for (let round = 0; round < 50; round++) {
      const files = await directory();
      const other = openPrimaryStore(files, BASE);
      await other.write({ replace: [note('/records/1/notes/a', 'x')] });
      await files.transact((tx) => tx.put('graphs', '/records/1/notes/a', '<'.padEnd(1 + (round % 40), 'd')));
      const opening = openEmbeddedStore({ directory: files, base: BASE });
      await expect(opening).rejects.toThrow('What is stored of a graph is damaged.');
    }
  });

  test('a graph on disk that cannot be read fails every query until it is written anew', async () => {
    const opened = await store();
    await opened.write({ replace: [note('/records/1/notes/a', 'x')] });
    await opened.primary.directory.transact((tx) => {
      tx.put('graphs', '/records/1/notes/a', '<damaged');
      tx.put('changes', 2, { paths: ['/records/1/notes/a'], dropped: 0 });
      tx.put('meta', 'sequence', 2);
    });
    await expect(count(opened)).rejects.toThrow();
    await expect(count(opened)).rejects.toThrow();
    await opened.write({ replace: [note('/records/1/notes/a', 'y')] });
    expect(await count(opened)).toBe(1);
  });
});

describe('filling', () => {
  test('leaves the event loop free between pieces, and misses nothing that is written meanwhile', async () => {
    const files = await directory();
    const primary = openPrimaryStore(files, BASE);
    await primary.write({ replace: notes(0, 2000) });
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const filling = openEmbeddedStore({ directory: files, base: BASE });
    const writing = (async () => {
      for (let number = 0; number < 20; number++) {
        await primary.write({
          replace: notes(1990 + number, 1, 'new'),
          remove: [`${BASE}/records/1/notes/${number}`],
        });
      }
    })();
    const [opened] = await Promise.all([filling, writing]);
    clearInterval(timer);
    onTestFinished(() => opened.close());
    expect(turns).toBeGreaterThan(2);
    expect(await count(opened)).toBe(1990);
    const rows = await opened.select(TEXTS);
    expect(rows.filter((row) => row.text?.value.startsWith('new'))).toHaveLength(20);
  });

  test('starts over when more was missed than the log remembers', async () => {
    const opened = await store();
    await opened.write({ replace: notes(0, 10) });
    await opened.primary.write({ remove: [`${BASE}/records/1/notes/3`] }, (tx) => tx.clear('changes'));
    expect(await count(opened)).toBe(9);
  });
});

describe('memory that the engine does not give back', () => {
  test('is left behind by filling another working set, while queries go on being answered', async () => {
    let renewals = 0;
    const limit = (): number => {
      renewals++;
      return 500;
    };
    const opened = await store({ garbageLimit: limit });
    await opened.write({ replace: notes(0, 300) });
    for (let round = 0; round < 30; round++) {
      await opened.write({ replace: notes(0, 30, `${round}-`) });
      expect(await count(opened)).toBe(300);
    }
    expect(renewals).toBeGreaterThan(0);
    await wait(50);
    expect(await count(opened)).toBe(300);
    const texts = (await opened.select(TEXTS)).filter((row) => row.text?.value.startsWith('29-'));
    expect(texts).toHaveLength(30);
  });
});

describe('derived statements', () => {
  const index = `SELECT ?note ?length WHERE { GRAPH ?g { ?note <urn:length> ?length } }`;
  const derive = (name: string, ntriples: string) =>
    `<${name}> <urn:length> "${ntriples.split('\n').length - 1}" .\n`;

  test('follow their graph, and never reach the primary store', async () => {
    const opened = await store({ derive });
    await opened.write({ replace: [note('/records/1/notes/a', 'x'), note('/records/1/notes/b', 'x')] });
    expect((await opened.select(index)).map((row) => row.length?.value)).toEqual(['3', '3']);
    await opened.write({ remove: [BASE + '/records/1/notes/a'] });
    expect((await opened.select(index)).map((row) => row.note?.value)).toEqual([BASE + '/records/1/notes/b']);
    expect(opened.primary.names()).toEqual([BASE + '/records/1/notes/b']);
    const again = await openEmbeddedStore({ directory: opened.primary.directory, base: BASE, derive });
    onTestFinished(() => again.close());
    expect(await again.select(index)).toHaveLength(1);
  });
});
