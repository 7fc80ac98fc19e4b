import { expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { literal, quad } from '../../src/rdf/terms.js';
import { pastStores } from '../../src/store/past-store.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { WorkingSet } from '../../src/store/working-set.js';
import { temporaryFolder } from './disk/temporary.js';
import { BASE, iri, note, term } from './samples.js';

test('stores of more earlier states than are held answer each with its own, whoever asks at once', async () => {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  const primary = openPrimaryStore(directory, BASE);
  const records = Array.from({ length: 9 }, (_, number) => `/records/${number + 1}`);
  const revision = await primary.write({ replace: records.map((path) => note(path, `of ${path}`)) });
  await primary.write({ replace: records.map((path) => note(path, 'later')) });
  const past = pastStores(primary, undefined);
  const ask = async (path: string): Promise<string[]> => {
    const store = past(path, revision);
    const found: string[] = [];
    for (let again = 0; again < 3; again++) {
      const rows = await store.select('SELECT ?o WHERE { GRAPH ?g { ?s ?p ?o FILTER isLiteral(?o) } }');
      found.push(...rows.map(({ o }) => o?.value ?? ''));
    }
    return found;
  };
  const asked = [...records, ...records, ...[...records].reverse()];
  expect(await Promise.all(asked.map(ask))).toEqual(
    asked.map((path) => Array.from({ length: 3 }, () => `of ${path}`)),
  );
  for (const path of asked) expect(new Set(await ask(path))).toEqual(new Set([`of ${path}`]));
});

test('earlier states of ever larger records are answered, up to one that is filled in many pieces', async () => {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  const primary = openPrimaryStore(directory, BASE);
  const past = pastStores(primary, undefined);
  const asked: number[] = [];
  // The engine of the first is there again for the sixth.
  const sizes = [1, 1, 1, 1, 1, 100, 1000, 12_000];
  for (const [at, statements] of sizes.entries()) {
    const path = `/records/${at + 1}`;
    const quads = Array.from({ length: statements }, (_, number) =>
      quad(iri(path), term(`p${number % 7}`), literal(`${number} ${'of a text '.repeat(9)}`)),
    );
    const graphs = Array.from({ length: Math.ceil(statements / 1000) }, (_, part) => ({
      name: `${BASE}${path}${part === 0 ? '' : `/notes/${part}`}`,
      quads: quads.slice(part * 1000, (part + 1) * 1000),
    }));
    const revision = await primary.write({ replace: graphs });
    const [row] = await past(path, revision).select(
      'SELECT (COUNT(*) AS ?count) WHERE { GRAPH ?g { ?s ?p ?o } }',
    );
    asked.push(Number(row?.['count']?.value));
  }
  expect(asked).toEqual(sizes);
});

test('an engine that is filled again and again grows no more', () => {
  const lines = (round: number): string =>
    Array.from({ length: 2000 }, (_, i) => `<urn:s${i}> <urn:p> "${round} ${i}" <urn:g${round}> .\n`).join(
      '',
    );
  let workingSet = new WorkingSet();
  const grown: number[] = [];
  for (let round = 0; round < 60; round++) {
    workingSet.load(lines(round));
    expect(
      workingSet.construct(`CONSTRUCT { ?s ?p ?o } WHERE { GRAPH <urn:g${round}> { ?s ?p ?o } }`).length,
    ).toBeGreaterThan(0);
    const emptied = workingSet.emptied();
    if (!emptied) throw new Error('The engine is broken.');
    workingSet = emptied;
    expect(workingSet.ask('ASK { GRAPH ?g { ?s ?p ?o } }')).toBe(false);
    grown.push(workingSet.bytes);
  }
  expect(grown.at(-1)).toBe(grown[20]);
});
