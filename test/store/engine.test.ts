import { expect, test } from 'vitest';
import { loadEngine } from '../../src/store/engine.js';
import { WorkingSet } from '../../src/store/working-set.js';

const PAGE = 65_536;
const note = '<http://example.org/a> <http://example.org/b> "x" .';

test('each engine has a memory of its own, and what is in one is not in another', () => {
  const [one, two] = [loadEngine(), loadEngine()];
  const stores = [one, two].map(({ oxigraph }) => new oxigraph.Store());
  stores[0]?.load(note, { format: 'nt' });
  expect(stores.map((store) => store.size)).toEqual([1, 0]);
  expect(one.memory.buffer).not.toBe(two.memory.buffer);
  const before = two.memory.buffer.byteLength;
  one.memory.grow(16);
  expect(two.memory.buffer.byteLength).toBe(before);
  expect(one.values).not.toBe(two.values);
});

test('loading an engine changes no globals', () => {
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: object };
  const before = [Object.freeze(wasm), globalThis.TextDecoder];
  expect(new (loadEngine().oxigraph.Store)().size).toBe(0);
  expect([Reflect.get(globalThis, 'WebAssembly'), globalThis.TextDecoder]).toEqual(before);
});

test('an engine with a limit asks for no more memory than that', () => {
  const { memory } = loadEngine(64 * PAGE);
  const room = 64 - memory.buffer.byteLength / PAGE;
  expect(room).toBeGreaterThanOrEqual(0);
  memory.grow(room);
  expect(() => memory.grow(1)).toThrow(RangeError);
});

test('a large answer is read in the memory of its engine, and only where that is asked for', () => {
  const engine = loadEngine();
  const store = new engine.oxigraph.Store();
  store.load(note.replace('"x"', `"${'x'.repeat(2_000_000)}"`), { format: 'nt' });
  const ask = (): unknown => store.query('SELECT ?c { ?a ?b ?c }', { results_format: 'tsv' });
  let read = 0;
  engine.readLarge = (utf8) => (read = utf8.length);
  expect(ask()).toBe('');
  expect(read).toBeGreaterThan(2_000_000);
  engine.readLarge = undefined;
  expect(ask()).toHaveLength(read);
});

test('a working set is made of the memory of another one, and goes on by itself', () => {
  const source = new WorkingSet();
  source.load('<urn:a> <urn:b> "x" <urn:g> .\n<urn:a> <urn:b> "y"@en <urn:g> .\n');
  expect(source.select('SELECT ?c { GRAPH <urn:g> { ?a ?b ?c } }').split('\n')).toHaveLength(4);
  const { bytes, ...image } = source.image;
  const copy = WorkingSet.ofImage({ ...image, size: bytes.length }, loadEngine(), (memory) =>
    memory.set(bytes),
  );
  expect(copy.graph('urn:g')).toBe(source.graph('urn:g'));
  copy.load('<urn:a> <urn:b> "z" <urn:g> .\n');
  const count = 'SELECT (COUNT(*) AS ?n) { GRAPH <urn:g> { ?a ?b ?c } }';
  expect([source, copy].map((each) => each.select(count))).toEqual(['?n\n2\n', '?n\n3\n']);
});
