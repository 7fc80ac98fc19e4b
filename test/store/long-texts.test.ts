import { expect, test } from 'vitest';
import { Chunk } from '../../src/store/chunk.js';
import { WorkingSet } from '../../src/store/working-set.js';
import { BASE, everythingIn, iri, term } from './samples.js';
import { literal, quad } from '../../src/rdf/terms.js';
import { writeTriples } from '../../src/rdf/ntriples.js';

const path = '/records/1/notes/a';
const text = 'A text that is read again and again. '.repeat(30_000);

test('what a long text takes of the memory of the engine while it is read is given back', () => {
  const workingSet = new WorkingSet();
  const chunk = new Chunk(BASE, undefined);
  chunk.add(path, writeTriples([quad(iri(path), term('text'), literal(text))]));
  chunk.loadInto(workingSet);
  const read = () => workingSet.quads(everythingIn(path), () => undefined);
  expect(read().map(({ object }) => object.value)).toEqual([text]);
  const before = workingSet.bytes;
  for (let times = 0; times < 300; times++) read();
  expect(workingSet.bytes).toBe(before);
});
