import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import type { CallModel } from '../../../src/model/ontology/model.js';
import { loadQueries } from '../../../src/model/query/load-queries.js';
import type { QueryTemplate, Values } from '../../../src/model/query/template.js';
import { writeTriples } from '../../../src/rdf/ntriples.js';
import { literal, namedNode, type Quad } from '../../../src/rdf/terms.js';
import { deriveIndex } from '../../../src/records/search-index.js';
import { recordIri, recordPath } from '../../../src/records/resource-paths.js';
import { openEmbeddedStore, type EmbeddedStore } from '../../../src/store/embedded-store.js';
import { claimants, secretOf, statementsOf, tangled } from './tempting-records.js';

const root = resolve(import.meta.dirname, '..', '..', '..');
const base = 'http://chart.test';
const { ontology } = await loadOntology(join(root, 'ontology'));
const queries = await loadQueries(join(root, 'queries'), ontology);
const files = (await readdir(join(root, 'queries'))).filter((name) => name.endsWith('.rq'));

/** The record that asks, and its neighbours; one has an id that begins like it. */
const mine = '7';
const others = ['70', 'b'];

const calls = [...queries].map(([name, query]): [string, CallModel, QueryTemplate] => {
  const call = ontology.callByName.get(name);
  if (!call) throw new Error(`${name} is no call`);
  return [name, call, query];
});
/** Calls that are about one record; a search is about all of them, but about nothing but who they are. */
const ofRecords = calls.filter(([, call]) => call.pathParameters.includes('record_id'));
const ofContainer = calls.filter(([, call]) => !call.pathParameters.includes('record_id'));

let directory: DataDirectory;
let store: EmbeddedStore;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartgraph-leak-'));
  directory = await openDataDirectory(folder, { create: true });
  store = await openEmbeddedStore({ directory, base, derive: deriveIndex(ontology) });
  await store.write({
    replace: [
      ...tangled(ontology, base, [mine, ...others]),
      ...others.flatMap((other) => claimants(ontology, base, other, mine)),
    ],
  });
});
afterAll(async () => {
  await store.close();
  await directory.close();
  await rm(folder, { recursive: true });
});

/** What a request for an item of a record binds; every path parameter but the record's is the item's id. */
function bound(call: CallModel, recordId: string, item: string): Values {
  const text = (name: string): string => (name === 'record_id' ? recordId : item);
  const path = call.path.replace(/\/$/, '').replace(/\{([^}]+)\}/g, (_, name: string) => text(name));
  return {
    ...Object.fromEntries(call.pathParameters.map((name) => [name, literal(text(name))])),
    record: namedNode(recordIri(base, recordId)),
    resource: namedNode(base + path),
  };
}

/** Everything in an answer that is another record's: its statements as subjects, its words anywhere. */
function foreign(quads: readonly Quad[]): string[] {
  return quads.flatMap(({ subject, object }) => {
    const owner = recordPath(subject.value, base)?.recordId;
    const said = others.find((id) => object.termType === 'Literal' && object.value.includes(secretOf(id)));
    return [
      ...(owner !== undefined && owner !== mine ? [`<${subject.value}>`] : []),
      ...(said === undefined ? [] : [object.value]),
    ];
  });
}

/** The ids that statements of every record have, and for each one that only the neighbours have. */
const items = [...statementsOf(ontology, base, mine)].map(([iri]) => iri.replace(/^.*\//, ''));
const claimOf = (item: string): string => item.replace(/\d*$/, '-claim');

describe('no answer about a record holds anything of another one', () => {
  it('every query of the folder is tried', () => {
    expect(calls.map(([name]) => `${name}.rq`).sort()).toEqual(files.sort());
    expect(ofRecords.length).toBeGreaterThan(20);
  });

  it.each(ofRecords)('%s, asked for everything of a record', async (_, call, query) => {
    const answers = await Promise.all(
      [...new Set(call.pathParameters.length > 1 ? items : ['x'])].map((item) =>
        store.construct(query.bind(bound(call, mine, item))),
      ),
    );
    const quads = answers.flat();
    expect([...new Set(foreign(quads))]).toEqual([]);
    // The temptation was there: the answer is not merely empty. Scratchpads hold what apps write, not statements.
    if (ontology.classes.get(call.target)?.kind === 'statement') {
      expect(quads.some(({ object }) => object.value.startsWith(secretOf(mine)))).toBe(true);
    }
  });

  it.each(ofRecords.filter(([, , query]) => query.variable !== undefined))(
    '%s, page by page and counted',
    async (_, call, query) => {
      const values = bound(call, mine, 'x');
      const variable = query.variable ?? '';
      const rows = await store.select(query.select(values));
      expect(rows.length).toBeGreaterThan(0);
      const listed = rows.map((row) => row[variable]?.value ?? '');
      expect(listed.filter((iri) => recordPath(iri, base)?.recordId !== mine)).toEqual([]);
      const [counted] = await store.select(query.count(values));
      expect(Number(counted?.['count']?.value)).toBe(listed.length);
      const limit = Math.ceil(listed.length / 4);
      for (let offset = 0; offset < listed.length + limit; offset += limit) {
        const page = { orderBy: `?${variable}`, limit, offset };
        const quads = await store.construct(query.bind(values, page));
        expect(foreign(quads)).toEqual([]);
        expect(quads.length > 0).toBe(offset < listed.length);
        // What a page is really made with: the statements that the choice gave.
        const members = rows.slice(offset, offset + limit).flatMap((row) => row[variable] ?? []);
        const known = await store.construct(query.known(values, members));
        expect(foreign(known)).toEqual([]);
        expect(known.length > 0).toBe(offset < listed.length);
      }
      const all = rows.flatMap((row) => row[variable] ?? []);
      const known = await store.construct(query.known(values, all));
      expect(writeTriples(known).split('\n').sort()).toEqual(
        writeTriples(await store.construct(query.bind(values)))
          .split('\n')
          .sort(),
      );
    },
  );

  it.each(
    ofRecords.filter(([, , query]) => query.variable === undefined && query.parameters.includes('record')),
  )('%s, asked under one record for what stands in another, finds nothing', async (_, call, query) => {
    for (const other of others) {
      for (const item of items.flatMap((id) => [id, claimOf(id)])) {
        const theirs = { ...bound(call, other, item), record: namedNode(recordIri(base, mine)) };
        expect(await store.construct(query.bind(theirs))).toEqual([]);
      }
    }
    if (call.pathParameters.length === 1) return;
    for (const item of items.map(claimOf)) {
      expect(await store.construct(query.bind(bound(call, mine, item)))).toEqual([]);
    }
  });

  it.each(ofContainer)(
    '%s, which is about the container, holds no statement but those it is about',
    async (_, call, query) => {
      const quads = await store.construct(query.bind(bound(call, mine, 'x')));
      const about = new Set(
        [mine, ...others].flatMap((id) =>
          [...statementsOf(ontology, base, id)]
            .filter(([, { iri }]) => iri === call.target)
            .map(([name]) => name),
        ),
      );
      const strangers = quads
        .map(({ subject }) => subject.value)
        .filter((iri) => recordPath(iri, base) && !about.has(iri));
      expect([...new Set(strangers)]).toEqual([]);
    },
  );
});
