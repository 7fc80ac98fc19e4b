import { describe, expect, onTestFinished, test } from 'vitest';
import { isomorphic } from 'rdf-isomorphic';
import { blankNode, literal, namedNode, quad } from '../../src/rdf/terms.js';
import { xsd } from '../../src/rdf/vocabulary.js';
import { InvalidGraph, StaleRevision, type GraphStore } from '../../src/store/graph-store.js';
import { BASE, everythingIn, iri, note, shown, term, TEXTS } from './samples.js';

/** How a test gets an empty store under `BASE`, and gets rid of it. */
export interface GraphStoreMaker {
  open(): Promise<{ store: GraphStore; dispose(): Promise<void> }>;
}

/** What every implementation of `GraphStore` has to do. */
export function runGraphStoreTests({ open }: GraphStoreMaker): void {
  async function emptyStore(): Promise<GraphStore> {
    const { store, dispose } = await open();
    onTestFinished(dispose);
    return store;
  }

  const texts = async (store: GraphStore) =>
    Object.fromEntries(
      (await store.select(TEXTS)).map((row) => [row.note?.value.slice(BASE.length), row.text?.value]),
    ) as Record<string, string>;

  describe('reading', () => {
    test('an empty store answers with nothing', async () => {
      const store = await emptyStore();
      expect(await store.construct(everythingIn('/records/1'))).toEqual([]);
      expect(await store.select(TEXTS)).toEqual([]);
      expect(await store.ask('ASK { GRAPH ?g { ?s ?p ?o } }')).toBe(false);
      expect(await store.has(BASE + '/records/1')).toBe(false);
      expect(await store.revision('')).toBe(0);
    });

    test('what was written can be queried at once, isomorphic and with blank blank nodes', async () => {
      const store = await emptyStore();
      const graph = note('/records/1/notes/a', 'first');
      await store.write({ replace: [graph] });
      const read = await store.construct(everythingIn('/records/1/notes/a'));
      expect(isomorphic(read, [...graph.quads])).toBe(true);
      expect(read.filter(({ object }) => object.termType === 'BlankNode')).toHaveLength(1);
      expect(await store.ask(`ASK { GRAPH <${graph.name}> { ?s ?p ?o } }`)).toBe(true);
    });

    test('a CONSTRUCT that yields a quad several times returns it once', async () => {
      const store = await emptyStore();
      await store.write({ replace: [note('/records/1/notes/a', 'x'), note('/records/1/notes/b', 'y')] });
      const read = await store.construct(
        `CONSTRUCT { <urn:s> <urn:p> <urn:o> } WHERE { GRAPH ?g { ?s ?p ?o } }`,
      );
      expect(read.map(shown)).toEqual(['urn:s urn:p urn:o']);
    });

    test('an blank node has the same label in every answer, and other graphs have other ones', async () => {
      const store = await emptyStore();
      await store.write({
        replace: [note('/records/1/notes/a', 'same'), note('/records/1/notes/b', 'same')],
      });
      const inner = async (path: string) =>
        (await store.construct(everythingIn(path))).find(({ object }) => object.termType === 'BlankNode')
          ?.object;
      expect(await inner('/records/1/notes/a')).toEqual(await inner('/records/1/notes/a'));
      expect(await inner('/records/1/notes/a')).not.toEqual(await inner('/records/1/notes/b'));
    });

    test('long texts are read as others are, together with them and when they have gone', async () => {
      const store = await emptyStore();
      const name = '/records/1/notes/a';
      const long = 'A "long" text,\n\ttwice \\ escaped, für jeden 😀. '.repeat(1000);
      const inner = blankNode();
      const quads = [
        quad(iri(name), term('plain'), literal(long)),
        quad(iri(name), term('plain'), literal(long + 'b')),
        quad(iri(name), term('tagged'), literal(long, 'fr')),
        quad(iri(name), term('typed'), literal(long, term('kind'))),
        quad(iri(name), term('short'), literal('5', term('kind'))),
        quad(iri(name), term('node'), inner),
        quad(inner, term('other'), term('thing')),
      ];
      const short = note('/records/1/notes/b', 'y');
      await store.write({ replace: [{ name: BASE + name, quads }, short] });
      const read = await store.construct(everythingIn(name));
      expect(read).toHaveLength(quads.length);
      expect(isomorphic(read, quads)).toBe(true);
      const both = `CONSTRUCT { ?s ?p ?o } WHERE {
        VALUES ?g { <${BASE}${name}> <${short.name}> } VALUES ?twice { 1 2 } GRAPH ?g { ?s ?p ?o } }`;
      const together = await store.construct(both);
      expect(together).toHaveLength(quads.length + short.quads.length);
      expect(isomorphic(together, [...quads, ...short.quads])).toBe(true);
      await store.write({ replace: [note(name, 'short')] });
      expect(isomorphic(await store.construct(everythingIn(name)), [...note(name, 'short').quads])).toBe(
        true,
      );
    });

    test('rows hold typed terms, blank blank nodes, and no unbound variables', async () => {
      const store = await emptyStore();
      const name = '/records/1/notes/a';
      await store.write({
        replace: [
          {
            name: BASE + name,
            quads: [
              quad(iri(name), term('plain'), literal('text')),
              quad(iri(name), term('tagged'), literal('texte', 'fr')),
              quad(iri(name), term('typed'), literal('5', term('kind'))),
              quad(iri(name), term('node'), blankNode()),
            ],
          },
        ],
      });
      const rows = await store.select(`SELECT ?value ?none WHERE { GRAPH ?g { ?s ?p ?value } } ORDER BY ?p`);
      expect(rows.map((row) => Object.keys(row))).toEqual([['value'], ['value'], ['value'], ['value']]);
      expect(rows[0]?.value?.termType).toBe('BlankNode');
      expect(rows[1]?.value?.equals(literal('text'))).toBe(true);
      expect(rows[2]?.value?.equals(literal('texte', 'fr'))).toBe(true);
      expect(rows[3]?.value?.equals(literal('5', term('kind')))).toBe(true);
    });

    test.each([
      ['5', xsd.integer],
      ['-5', xsd.integer],
      ['5.25', xsd.decimal],
      ['1.5', xsd.double],
      ['INF', xsd.double],
      ['true', xsd.boolean],
      ['2026-06-30', xsd.date],
      ['5', xsd.string],
      ['true', xsd.string],
      ['', xsd.string],
      ['_:b0', xsd.string],
      ['<urn:x>', xsd.string],
    ])('a row tells the value %j of datatype %s', async (value, datatype) => {
      const store = await emptyStore();
      const said = literal(value, namedNode(datatype));
      const name = '/records/1/notes/a';
      await store.write({ replace: [{ name: BASE + name, quads: [quad(iri(name), term('value'), said)] }] });
      const rows = await store.select('SELECT ?none ?value ?less WHERE { GRAPH ?g { ?s ?p ?value } }');
      expect(rows).toEqual([{ value: said }]);
    });

    test('a SELECT that is asked again sees what was written meanwhile', async () => {
      const store = await emptyStore();
      const again = async () =>
        (await store.select(TEXTS, undefined, 'cached')).map((row) => row.text?.value).sort();
      expect(await again()).toEqual([]);
      await store.write({ replace: [note('/records/1/notes/a', 'x')] });
      expect(await again()).toEqual(['x']);
      expect(await again()).toEqual(['x']);
      await store.write({ replace: [note('/records/1/notes/a', 'y'), note('/records/1/notes/b', 'z')] });
      expect(await again()).toEqual(['y', 'z']);
      await store.write({ remove: [BASE + '/records/1/notes/a'] });
      expect(await again()).toEqual(['z']);
    });

    test('a query with a syntax error rejects and harms nothing', async () => {
      const store = await emptyStore();
      await store.write({ replace: [note('/records/1/notes/a', 'x')] });
      await expect(store.construct('CONSTRUCT {')).rejects.toThrow();
      await expect(store.select('SELEKT')).rejects.toThrow();
      await expect(store.ask('')).rejects.toThrow();
      expect(await texts(store)).toEqual({ '/records/1/notes/a': 'x' });
    });
  });

  describe('writing', () => {
    test('a graph is replaced as a whole', async () => {
      const store = await emptyStore();
      await store.write({ replace: [note('/records/1/notes/a', 'first')] });
      await store.write({
        replace: [
          {
            name: BASE + '/records/1/notes/a',
            quads: [quad(iri('/records/1'), term('other'), literal('x'))],
          },
        ],
      });
      expect((await store.construct(everythingIn('/records/1/notes/a'))).map(shown)).toEqual([
        `${BASE}/records/1 https://example.org/terms#other x`,
      ]);
    });

    test('graphs are removed by name and by what they stand under, not by how their names begin', async () => {
      const store = await emptyStore();
      const paths = ['/records/1', '/records/1/notes/a', '/records/1/notes/b', '/records/10', '/users/u'];
      await store.write({ replace: paths.map((path) => note(path, 'x')) });
      await store.write({ remove: [BASE + '/users/u', BASE + '/users/nobody'] });
      expect(Object.keys(await texts(store)).sort()).toEqual(paths.slice(0, 4));
      await store.write({ removeUnder: [BASE + '/records/1'] });
      expect(Object.keys(await texts(store))).toEqual(['/records/10']);
      expect(await store.has(BASE + '/records/1')).toBe(false);
      expect(await store.has(BASE + '/records/10')).toBe(true);
    });

    test('one change can clear what is under a path and put new graphs there', async () => {
      const store = await emptyStore();
      await store.write({ replace: [note('/records/1/notes/a', 'old'), note('/records/1/notes/b', 'old')] });
      await store.write({
        removeUnder: [BASE + '/records/1'],
        replace: [note('/records/1/notes/b', 'new'), note('/records/1/notes/c', 'new')],
      });
      expect(await texts(store)).toEqual({ '/records/1/notes/b': 'new', '/records/1/notes/c': 'new' });
    });

    test('the same content in another order and with other labels changes nothing', async () => {
      const store = await emptyStore();
      const first = await store.write({ replace: [note('/records/1/notes/a', 'x')] });
      const again = note('/records/1/notes/a', 'x');
      const second = await store.write({
        replace: [{ name: again.name, quads: [...again.quads, ...again.quads].reverse() }],
      });
      expect(second).toBe(first);
      expect(await store.write({ remove: [BASE + '/records/2'] })).toBe(first);
    });

    const awkward = [
      '<a href="x">',
      '</records/1>',
      '\\u003C </x .\n',
      'line\r\n\tend .\n',
      '"quoted" \\',
      '𝄞 \u0085\u2028 é',
      '{ } # > ?g',
      '',
    ];
    test.each(awkward)('the literal %j comes back as it was', async (text) => {
      const store = await emptyStore();
      await store.write({ replace: [note('/records/1/notes/a', text)] });
      expect(await texts(store)).toEqual({ '/records/1/notes/a': text });
    });

    test('quads of the default graph and of named graphs of others are taken as content', async () => {
      const store = await emptyStore();
      await store.write({
        replace: [
          {
            name: BASE + '/records/1',
            quads: [quad(iri('/records/1'), term('p'), literal('x'), namedNode('urn:g'))],
          },
        ],
      });
      expect(await store.construct(everythingIn('/records/1'))).toHaveLength(1);
    });

    const noNames = [
      '',
      BASE,
      BASE + '/',
      BASE + '/a/',
      BASE + '//a',
      'http://localhost:70001/a',
      'urn:x',
      BASE + '/a?b',
      BASE + '/a#b',
      BASE + '/a#_b0',
      '_:b',
      BASE + '/a>b',
      BASE + '/a b',
    ];
    test.each(noNames)('%j cannot name a graph', async (name) => {
      const store = await emptyStore();
      const quads = [quad(iri('/a'), term('p'), literal('x'))];
      await expect(store.write({ replace: [{ name, quads }] })).rejects.toThrow(InvalidGraph);
      expect(await store.revision('')).toBe(0);
    });

    test('names that are kept for blank nodes cannot be brought in', async () => {
      const store = await emptyStore();
      const stolen = namedNode(BASE + '/records/2/notes/a#_b0');
      for (const quads of [
        [quad(stolen, term('p'), literal('x'))],
        [quad(iri('/a'), term('p'), stolen)],
        [quad(iri('/a'), stolen, literal('x'))],
        [quad(iri('/a'), term('p'), literal('x', stolen))],
      ]) {
        await expect(store.write({ replace: [{ name: BASE + '/a', quads }] })).rejects.toThrow(InvalidGraph);
      }
    });

    test.each(['http://x/ y', 'http://x/>y', 'http://x/"y', 'http://x/\ny'])(
      'the illegal IRI %j is refused and nothing of its change is written',
      async (bad) => {
        const store = await emptyStore();
        const graphs = [
          note('/records/1/notes/a', 'good'),
          { name: BASE + '/records/1/notes/b', quads: [quad(namedNode(bad), term('p'), literal('x'))] },
        ];
        await expect(store.write({ replace: graphs })).rejects.toThrow(InvalidGraph);
        expect(await store.has(BASE + '/records/1/notes/a')).toBe(false);
      },
    );
  });

  describe('revisions', () => {
    test('a write advances the revision of its path and of all above it, and of nothing beside it', async () => {
      const store = await emptyStore();
      await store.write({ replace: [note('/records/1/notes/a', 'x'), note('/records/2/notes/a', 'x')] });
      const before = await store.revision('');
      const after = await store.write({ replace: [note('/records/1/notes/a', 'y')] });
      expect(after).toBeGreaterThan(before);
      for (const path of ['', '/records', '/records/1', '/records/1/notes', '/records/1/notes/a']) {
        expect([path, await store.revision(path)]).toEqual([path, after]);
      }
      expect(await store.revision('/records/2')).toBe(before);
      expect(await store.revision('/records/1/notes/b')).toBe(0);
      expect(await store.revision('/users')).toBe(0);
    });

    test('a removal advances revisions as well', async () => {
      const store = await emptyStore();
      const before = await store.write({ replace: [note('/records/1/notes/a', 'x')] });
      await store.write({ remove: [BASE + '/records/1/notes/a'] });
      expect(await store.revision('/records/1/notes/a')).toBeGreaterThan(before);
    });

    test('a write that expects an old revision is refused and changes nothing', async () => {
      const store = await emptyStore();
      const path = '/records/1/notes/a';
      const seen = await store.write({ replace: [note(path, 'first')] });
      await store.write({ replace: [note(path, 'second')] });
      const late = store.write({ replace: [note(path, 'third')], expect: [{ path, revision: seen }] });
      await expect(late).rejects.toThrow(StaleRevision);
      expect(await texts(store)).toEqual({ [path]: 'second' });
    });

    test('of many writers that read the same revision exactly one succeeds', async () => {
      const store = await emptyStore();
      const path = '/records/1/notes/a';
      const writers = Array.from({ length: 30 }, (_, number) =>
        store.write({ replace: [note(path, `by ${number}`)], expect: [{ path, revision: 0 }] }),
      );
      const results = await Promise.allSettled(writers);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('writers that read, add and retry lose nothing', async () => {
      const store = await emptyStore();
      const path = '/records/1/notes/a';
      const add = async (): Promise<void> => {
        const revision = await store.revision(path);
        const value = Number((await texts(store))[path] ?? 0);
        try {
          await store.write({ replace: [note(path, String(value + 1))], expect: [{ path, revision }] });
        } catch (error) {
          if (!(error instanceof StaleRevision)) throw error;
          await add();
        }
      };
      await Promise.all(Array.from({ length: 20 }, add));
      expect(await texts(store)).toEqual({ [path]: '20' });
    });
  });

  test('a closed store refuses to work', async () => {
    const { store, dispose } = await open();
    await store.close();
    await expect(store.ask('ASK {}')).rejects.toThrow();
    await expect(store.write({ replace: [note('/records/1', 'x')] })).rejects.toThrow();
    await dispose();
  });
}
