import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { loadQueries } from '../../src/model/query/load-queries.js';
import { literal, namedNode, quad } from '../../src/rdf/terms.js';
import { skos } from '../../src/rdf/vocabulary.js';
import { readList } from '../../src/records/lists/list.js';
import { recordPartition } from '../../src/records/record-partition.js';
import { deriveIndex } from '../../src/records/search-index.js';
import { openEmbeddedStore, type EmbeddedStore } from '../../src/store/embedded-store.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { temporaryFolder } from '../store/disk/temporary.js';
import { base, ontology, patient, problem, record } from './support.js';

const queries = await loadQueries(resolve(import.meta.dirname, '../../queries'), ontology);
const call = ontology.callByName.get('get_problems');
const query = queries.get('get_problems');
if (!call || !query) throw new Error('the ontology has no such call');

const snomed = (code: string) => namedNode(`http://purl.bioontology.org/ontology/SNOMEDCT/${code}`);

/** A store that has nothing in memory but what it is asked for. */
async function storeOf(...graphs: readonly NamedGraph[]) {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  const partition = recordPartition(ontology);
  const store = await openEmbeddedStore({
    directory,
    base,
    partition,
    derive: deriveIndex(ontology),
    fillsAhead: true,
  });
  onTestFinished(() => store.close());
  await store.write({ replace: graphs });
  return store;
}

test('a list that takes codes with all below them finds them before the rest of the container is in memory', async () => {
  const { graphs } = await patient(`<problems/a> ${problem('Fever', '2010')}`);
  const below = quad(snomed('5'), namedNode(skos.broader), snomed('7'));
  const store = await storeOf(...graphs, { name: `${base}/ontology`, quads: [below] });
  const given = new Map([
    ['snomed', ['7']],
    ['descendants', ['true']],
  ]);
  const values = { record: namedNode(record), record_id: literal('7') };
  const { order } = await readList(store, ontology, { call, query, values, given });
  expect(order).toEqual([`${record}/problems/a`]);
});

/** The names of the graphs in memory, of which a query without another scope would bring in more. */
async function inMemory(store: EmbeddedStore): Promise<string[]> {
  const all = await store.select('SELECT DISTINCT ?g WHERE { GRAPH ?g { ?g ?p ?o } }', []);
  return all.map(({ g }) => g?.value ?? '').sort();
}

test('a list with a filter brings nothing into memory but what its call is about, and one without nothing at all', async () => {
  const { graphs } = await patient(
    `<problems/a> ${problem('Fever', '2010')} <allergies/x> a sp:AllergyExclusion ; dcterms:date "2011" .`,
  );
  const store = await storeOf(...graphs);
  const values = { record: namedNode(record), record_id: literal('7') };
  const list = (given: Map<string, string[]>) => readList(store, ontology, { call, query, values, given });
  expect((await list(new Map())).order).toEqual([`${record}/problems/a`]);
  expect(await inMemory(store)).toEqual([]);
  expect((await list(new Map([['snomed', ['5']]]))).order).toEqual([`${record}/problems/a`]);
  expect(await inMemory(store)).toEqual([`${record}/problems/a`]);
});
