import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { literal, namedNode, quad } from '../../src/rdf/terms.js';
import { openEmbeddedStore } from '../../src/store/embedded-store.js';
import { StaleRevision } from '../../src/store/graph-store.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { temporaryFolder } from './disk/temporary.js';
import { BASE, everythingIn, iri, note, shown, term } from './samples.js';

async function primary(base = BASE): Promise<PrimaryStore> {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  return openPrimaryStore(directory, base);
}

describe('the primary store', () => {
  test('gives graphs back with their original lexical forms and blank blank nodes', async () => {
    const kept = await primary();
    const integer = namedNode('http://www.w3.org/2001/XMLSchema#integer');
    const graph = note('/records/1/notes/a', '<b>');
    const quads = [...graph.quads, quad(iri('/records/1'), term('n'), literal('007', integer))];
    await kept.write({ replace: [{ ...graph, quads }] });
    const read = kept.graph(graph.name) ?? [];
    expect(isomorphic(read, quads)).toBe(true);
    expect(read.map(shown).filter((line) => line.endsWith(' 007'))).toHaveLength(1);
    expect(kept.graph(BASE + '/records/1')).toBeUndefined();
    expect(kept.graph('urn:elsewhere')).toBeUndefined();
  });

  test('blank nodes of two graphs stay apart when their quads are put together', async () => {
    const kept = await primary();
    const graphs = [note('/records/1/notes/a', 'x'), note('/records/1/notes/b', 'x')];
    await kept.write({ replace: graphs });
    const together = graphs.flatMap(({ name }) => kept.graph(name) ?? []);
    expect(
      isomorphic(
        together,
        graphs.flatMap(({ quads }) => [...quads]),
      ),
    ).toBe(true);
  });

  test('lists names by prefix, in order', async () => {
    const kept = await primary();
    const paths = ['/records/1', '/records/10', '/records/1/notes/a', '/users/u'];
    await kept.write({ replace: paths.map((path) => note(path, 'x')) });
    expect(kept.names()).toEqual([...paths].sort().map((path) => BASE + path));
    expect(kept.names(BASE + '/records/1/')).toEqual([BASE + '/records/1/notes/a']);
    expect(kept.names(BASE + '/records/')).toHaveLength(3);
    expect(kept.names('urn:')).toEqual([]);
  });

  test('writes what goes along in the same transaction, or neither', async () => {
    const kept = await primary();
    const secret = () => kept.directory.read((tx) => tx.get('tokens', 't'));
    const failing = kept.write({ replace: [note('/users/u', 'x')] }, (tx) => {
      tx.put('tokens', 't', 1);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect([kept.has(BASE + '/users/u'), secret()]).toEqual([false, undefined]);
    await kept.write({ replace: [note('/users/u', 'x')] }, (tx) => tx.put('tokens', 't', 1));
    expect([kept.has(BASE + '/users/u'), secret()]).toEqual([true, 1]);
    await kept.write({ replace: [note('/users/u', 'x')] }, (tx) => tx.put('tokens', 't', 2));
    expect(secret()).toBe(2);
    const stale = kept.write({ expect: [{ path: '/users', revision: 99 }] }, (tx) =>
      tx.put('tokens', 't', 3),
    );
    await expect(stale).rejects.toThrow(StaleRevision);
    expect(secret()).toBe(2);
  });

  test('says what changed since a revision', async () => {
    const kept = await primary();
    await kept.write({ replace: [note('/a', 'x'), note('/b', 'x')] });
    const seen = await kept.write({ replace: [note('/c', 'x')] });
    await kept.write({ remove: [BASE + '/a'], replace: [note('/c', 'y')] });
    const changes = kept.changesSince(seen);
    expect(changes).toMatchObject({ revision: 3, complete: true, dropped: 6 });
    expect([...changes.paths].sort()).toEqual(['/a', '/c']);
    expect(kept.changesSince(3).paths.size).toBe(0);
  });
});

describe('one directory under several bases', () => {
  const bases = [BASE, 'https://charts.example.org/x/chart', 'http://[::1]:8080'];

  test.each(bases)('what was written under one is answered under %s', async (base) => {
    const written = await primary();
    const graph = note('/records/1/notes/a', `see </records/2> and <${BASE}/x>`);
    const outside = quad(iri('/records/1'), term('see'), namedNode('http://localhost:70001/records/1'));
    await written.write({ replace: [{ ...graph, quads: [...graph.quads, outside] }] });
    const store = await openEmbeddedStore({ directory: written.directory, base });
    onTestFinished(() => store.close());
    const read = await store.construct(everythingIn('/records/1/notes/a', base));
    const there = note('/records/1/notes/a', `see </records/2> and <${BASE}/x>`, base).quads;
    const kept = quad(iri('/records/1', base), term('see'), namedNode('http://localhost:70001/records/1'));
    expect(isomorphic(read, [...there, kept])).toBe(true);
    await store.write({ replace: [note('/records/1/notes/a', 'new', base)] });
    expect(written.graph(graph.name)).toHaveLength(3);
  });
});
