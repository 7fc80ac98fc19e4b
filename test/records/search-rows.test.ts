import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { addDataKey } from '../../src/store/disk/keyring.js';
import { loadQueries } from '../../src/model/query/load-queries.js';
import { blankNode, literal, namedNode, quad } from '../../src/rdf/terms.js';
import { foaf, rdf, sp, vcard } from '../../src/rdf/vocabulary.js';
import { readList } from '../../src/records/lists/list.js';
import { recordPartition } from '../../src/records/record-partition.js';
import { deriveIndex } from '../../src/records/search-index.js';
import { listForSearches, searchLists } from '../../src/records/search-rows.js';
import { openEmbeddedStore, type EmbeddedStore } from '../../src/store/embedded-store.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { makeRows } from '../../src/store/search/make-rows.js';
import { temporaryFolder } from '../store/disk/temporary.js';
import { runs } from '../setup/runs.js';
import { base, ontology } from './support.js';

const queries = await loadQueries(resolve(import.meta.dirname, '../../queries'), ontology);
const call = ontology.callByName.get('search_records');
const query = queries.get('search_records');

interface Person {
  readonly id: number;
  readonly family: string;
  readonly given: string;
  readonly gender: string;
  readonly birth: string;
}

const iriOf = (id: number): string => `${base}/records/${id}/demographics`;

function demographics({ id, family, given, gender, birth }: Person): NamedGraph {
  const iri = namedNode(iriOf(id));
  const name = blankNode('n');
  return {
    name: iri.value,
    quads: [
      quad(iri, namedNode(rdf.type), namedNode(sp.Demographics)),
      quad(iri, namedNode(vcard.n), name),
      quad(name, namedNode(vcard['family-name']), literal(family)),
      quad(name, namedNode(vcard['given-name']), literal(given)),
      quad(iri, namedNode(foaf.gender), literal(gender)),
      quad(iri, namedNode(vcard.bday), literal(birth)),
    ],
  };
}

async function opened(dir?: string): Promise<DataDirectory> {
  const directory = await openDataDirectory(dir ?? (await temporaryFolder()), { create: true });
  onTestFinished(() => directory.close());
  return directory;
}

const withRows = (directory: DataDirectory): Promise<void> => listForSearches(directory, base, ontology);

async function storeOn(directory: DataDirectory, planned = 50_000): Promise<EmbeddedStore> {
  const store = await openEmbeddedStore({
    directory,
    base,
    planned,
    derive: deriveIndex(ontology),
    partition: recordPartition(ontology),
    fillsAhead: true,
  });
  onTestFinished(() => store.close());
  return store;
}

type Asked = Readonly<Record<string, string | undefined>>;

async function search(
  store: EmbeddedStore,
  asked: Asked,
  only?: readonly string[],
): Promise<{ ids: number[]; total: number; next: boolean }> {
  if (!call || !query) throw new Error('there is no search');
  const given = new Map(Object.entries(asked).flatMap(([name, value]) => (value ? [[name, [value]]] : [])));
  const answer = await readList(store, ontology, { call, query, values: {}, given, only });
  const ids = answer.order.map((iri) => Number(iri.split('/').at(-2)));
  // What is ordered is what is shown.
  const shown = new Set(
    answer.quads.map(({ subject }) => subject.value).filter((iri) => iri.endsWith('/demographics')),
  );
  expect([...shown].sort()).toEqual([...answer.order].sort());
  return { ids, total: answer.total, next: answer.next !== undefined };
}

const families = ['Abel', 'Abelson', 'Çelik', 'Zoë', 'Ångström', 'zu', 'Abel Smith'];
const givens = ['Ada', 'Bo', 'bo', 'Éva', ''];

test('random searches find what a naive filter finds, in its order and on its pages, more than memory holds', async () => {
  const directory = await opened();
  const primary = openPrimaryStore(directory, base);
  await withRows(directory);
  const people = new Map<number, Person>();
  let state = 7;
  const pick = <T>(of: readonly T[]): T => {
    state = (state * 48271) % 2147483647;
    return of[state % of.length] as T;
  };
  const person = (id: number): Person => ({
    id,
    family: pick(families),
    given: pick(givens),
    gender: pick(['male', 'female', 'female']),
    birth: `19${pick([50, 51, 52])}-0${pick([1, 2, 3])}-0${pick([1, 2, 3, 4])}`,
  });
  // So many that terms which most people meet are looked up in the order.
  for (let id = 1; id <= 3600; id++) people.set(id, person(id));
  await primary.write({ replace: [...people.values()].map(demographics) });
  const store = await storeOn(directory, 20_000);
  const naive = (asked: Asked, only?: readonly number[]): Person[] => {
    const fold = (text: string): string => text.normalize('NFC').toLowerCase();
    const found = [...people.values()].filter(
      ({ id, family, given, gender, birth }) =>
        fold(family).startsWith(fold(asked['family_name'] ?? '')) &&
        fold(given).startsWith(fold(asked['given_name'] ?? '')) &&
        (asked['gender'] ?? gender) === gender &&
        (asked['date_of_birth'] ?? birth) === birth &&
        (only === undefined || only.includes(id)),
    );
    const key = ({ id, family, given }: Person): string => `${fold(family)}\t${fold(given)}\t${iriOf(id)}`;
    return found.sort((a, b) => Buffer.compare(Buffer.from(key(a)), Buffer.from(key(b))));
  };
  const term = <T>(of: T): fc.Arbitrary<T | undefined> => fc.constantFrom(of, undefined);
  const asking = fc.record({
    family_name: fc.constantFrom('a', 'ABEL', 'abel ', 'ç', 'zo', 'x', undefined, undefined),
    given_name: fc.constantFrom('b', 'é', 'Ada', undefined, undefined),
    gender: fc.constantFrom('male', 'female', undefined),
    date_of_birth: fc.constantFrom('1950-01-01', '1951', undefined, undefined),
    limit: fc.constantFrom('1', '20', '50'),
    offset: fc.constantFrom('7', '300', '1499', undefined, undefined),
  });
  await fc.assert(
    fc.asyncProperty(asking, term([5, 9, 77, 4000]), fc.nat({ max: 3 }), async (asked, only, change) => {
      const id = 1 + (pick([...people.keys()]) % 3600);
      if (change === 0) {
        people.delete(id);
        await primary.write({ remove: [iriOf(id)] });
      } else if (change === 1) {
        const other = person(id);
        people.set(id, other);
        await primary.write({ replace: [demographics(other)] });
      }
      const expected = naive(asked, only);
      const [limit, offset] = [Number(asked.limit), Number(asked.offset ?? '0')];
      expect(await search(store, asked, only?.map(iriOf))).toEqual({
        ids: expected.slice(offset, offset + limit).map((each) => each.id),
        total: expected.length,
        next: expected.length > offset + limit,
      });
      expect(store.state).not.toBe('whole');
    }),
    { numRuns: runs(120) },
  );
});

const anne: Person = { id: 1, family: 'Quimby', given: 'Anneliese', gender: 'female', birth: '1961-07-30' };

test('a directory without rows, or with those of other lists, gets them, and is searched correctly before', async () => {
  const directory = await opened();
  const primary = openPrimaryStore(directory, base);
  await primary.write({ replace: [demographics(anne), demographics({ ...anne, id: 2 })] });
  const store = await storeOn(directory);
  const finds = async (...ids: number[]): Promise<void> => {
    expect((await search(store, { family_name: 'quim', gender: 'female' })).ids).toEqual(ids);
  };
  const rows = (): number => directory.read((tx) => tx.count('searchRows'));
  await finds(1, 2);
  expect(rows()).toBe(0);
  const fewer = searchLists(ontology).slice(0, 2);
  await makeRows({ directory, base, lists: fewer, partition: recordPartition(ontology) });
  await finds(1, 2);
  expect(rows()).toBe(2);
  await withRows(directory);
  await finds(1, 2);
  await primary.write({ removeUnder: [`${base}/records/1`] });
  await finds(2);
  expect(rows()).toBe(1);
});

test('rows that a program which knows of none has left behind are not used, and made anew', async () => {
  const directory = await opened();
  const primary = openPrimaryStore(directory, base);
  await withRows(directory);
  await primary.write({ replace: [demographics(anne)] });
  const state = directory.read((tx) => tx.get('meta', 'search'));
  await primary.write({ replace: [demographics({ ...anne, family: 'Other' })] });
  // As if the last change had been made by such a program.
  await directory.transact((tx) => tx.put('meta', 'search', state));
  const store = await storeOn(directory);
  expect((await search(store, { family_name: 'oth' })).ids).toEqual([1]);
  await primary.write({ replace: [demographics({ ...anne, family: 'Third' })] });
  expect((await search(store, { family_name: 'third' })).ids).toEqual([1]);
  await withRows(directory);
  expect((await search(store, { family_name: 'third' })).ids).toEqual([1]);
  expect((await search(store, { family_name: 'oth' })).ids).toEqual([]);
});

test('a row that is too wide shows nothing that its graph does not say', async () => {
  const directory = await opened();
  const primary = openPrimaryStore(directory, base);
  await withRows(directory);
  await primary.write({ replace: [demographics(anne), demographics({ ...anne, id: 2, family: 'Quill' })] });
  await directory.transact((tx) => {
    tx.put(
      'graphs',
      '/records/2/demographics',
      String(tx.get('graphs', '/records/2/demographics')).replace('Quill', 'Hidden'),
    );
  });
  const store = await storeOn(directory);
  expect((await search(store, { family_name: 'qui' })).ids).toEqual([1]);
});

test('nothing of a name, a date or a number can be read in the file, and a change of the data key changes no answer', async () => {
  const directory = await opened();
  const primary = openPrimaryStore(directory, base);
  await withRows(directory);
  await primary.write({ replace: [demographics(anne), demographics({ ...anne, id: 2, given: 'Otto' })] });
  const store = await storeOn(directory);
  const words = ['Quimby', 'quimby', 'quim', 'Anneliese', 'annel', '1961-07', 'female'];
  const sees = async (): Promise<string[]> => {
    const file = await readFile(join(directory.dir, 'store', 'data.mdb'));
    return words.filter((word) => file.includes(word));
  };
  expect(await sees()).toEqual([]);
  await directory.changeKeys((keys) => addDataKey(keys, directory.secretKey()));
  await directory.resealAll();
  expect((await search(store, { given_name: 'anne', date_of_birth: '1961-07-30' })).ids).toEqual([1]);
  await primary.write({ replace: [demographics({ ...anne, id: 3 })] });
  expect((await search(store, { given_name: 'anne' })).ids).toEqual([1, 3]);
  expect(await sees()).toEqual([]);
});

test('a backup holds no rows; what is restored has none until they are made of it', async () => {
  const directory = await opened();
  const primary = openPrimaryStore(directory, base);
  await withRows(directory);
  await primary.write({ replace: [demographics(anne)] });
  const file = join(await temporaryFolder(), 'backup');
  await writeBackup(directory, file);
  await primary.write({ replace: [demographics({ ...anne, id: 2 })], remove: [iriOf(1)] });
  await restoreBackup(directory, file);
  expect(directory.read((tx) => [tx.count('searchRows'), tx.get('meta', 'search')])).toEqual([0, undefined]);
  const store = await storeOn(directory);
  expect((await search(store, { family_name: 'quim' })).ids).toEqual([1]);
  await withRows(directory);
  expect((await search(store, { family_name: 'quim' })).ids).toEqual([1]);
});
