import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { blankNode, literal, namedNode, quad, type Quad } from '../../src/rdf/terms.js';
import { InvalidGraph } from '../../src/store/graph-store.js';
import { openEmbeddedStore, type EmbeddedStore } from '../../src/store/embedded-store.js';

const base = 'http://localhost:7000';
const name = 'urn:chartgraph:endpoint:e1';
const value = namedNode('urn:value');
const quads = (text: string): Quad[] => {
  const inner = blankNode();
  return [quad(namedNode(name), namedNode('urn:has'), inner), quad(inner, value, literal(text))];
};

let folder: string;
let directory: DataDirectory;
let store: EmbeddedStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartgraph-urns-'));
  directory = await openDataDirectory(folder, { create: true });
  store = await openEmbeddedStore({ directory, base });
});
afterEach(async () => {
  await store.close();
  await directory.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a graph that is named by a URN of ours', () => {
  test('is stored, asked, found by its name and taken away like any other', async () => {
    await store.write({
      replace: [
        { name, quads: quads('x') },
        { name: `${base}/users/u`, quads: quads('y') },
      ],
    });
    const rows = await store.select(`SELECT ?v { GRAPH <${name}> { ?s ?p ?o . ?o <urn:value> ?v } }`);
    expect(rows.map(({ v }) => v?.value)).toEqual(['x']);
    expect(await store.has(name)).toBe(true);
    expect(store.primary.names()).toEqual([`${base}/users/u`, name]);
    expect(store.primary.names('urn:chartgraph:endpoint:')).toEqual([name]);
    expect(store.primary.names(`${base}/users/`)).toEqual([`${base}/users/u`]);
    await store.write({ replace: [{ name, quads: quads('z') }] });
    expect(await store.ask(`ASK { GRAPH <${name}> { ?o <urn:value> "x" } }`)).toBe(false);
    await store.write({ remove: [name] });
    expect([await store.has(name), await store.ask(`ASK { GRAPH <${name}> { ?s ?p ?o } }`)]).toEqual([
      false,
      false,
    ]);
  });

  test('has blank nodes that are blank for those who read it', async () => {
    await store.write({ replace: [{ name, quads: quads('x') }] });
    expect(store.primary.graph(name)?.map(({ object }) => object.termType)).toContain('BlankNode');
    const answer = await store.construct(`CONSTRUCT { ?s ?p ?o } { GRAPH <${name}> { ?s ?p ?o } }`);
    expect(answer.filter(({ subject }) => subject.termType === 'BlankNode')).toHaveLength(1);
    const forged = quad(namedNode(`${name}#_b0`), value, literal('x'));
    await expect(store.write({ replace: [{ name: `${base}/users/u`, quads: [forged] }] })).rejects.toThrow(
      InvalidGraph,
    );
  });

  test('advances its revision and that of everything', async () => {
    const before = await store.revision('');
    await store.write({ replace: [{ name, quads: quads('x') }] });
    expect(await store.revision(name)).toBe(before + 1);
    expect(await store.revision('')).toBe(before + 1);
    await store.write({ replace: [{ name, quads: quads('x') }] });
    expect(await store.revision('')).toBe(before + 1);
  });

  test('has the same name and content under every base', async () => {
    await store.write({ replace: [{ name, quads: quads('x') }] });
    const other = await openEmbeddedStore({ directory, base: 'https://records.example/x' });
    expect(await other.ask(`ASK { GRAPH <${name}> { <${name}> <urn:has> ?o . ?o <urn:value> "x" } }`)).toBe(
      true,
    );
    expect(other.primary.names()).toEqual([name]);
    await other.close();
  });

  test.each([
    'urn:chartgraph:',
    'urn:chartgraph:a/b',
    'urn:chartgraph:a#b',
    'urn:chartgraph:a b',
    'urn:other:a',
  ])('cannot be named %s', async (bad) => {
    await expect(store.write({ replace: [{ name: bad, quads: quads('x') }] })).rejects.toThrow(InvalidGraph);
  });
});
