// Data directories of invented patients, made once in a run and removed at its end.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { loadOntology } from '../../dist/model/ontology/directory.js';
import { loadQueries } from '../../dist/model/query/load-queries.js';
import { recordPartition } from '../../dist/records/record-partition.js';
import { deriveIndex } from '../../dist/records/search-index.js';
import { listForSearches } from '../../dist/records/search-rows.js';
import { patientMaker } from '../synth/patient-maker.mjs';
import { storePatients } from '../synth/write-patients.mjs';
import { openEmbeddedStore } from '../../dist/store/embedded-store.js';
import { openPrimaryStore } from '../../dist/store/primary-store.js';

export const root = resolve(import.meta.dirname, '..', '..');
/** The base of stores in this process; servers have one with their port. What is stored is relative to it. */
export const base = 'http://localhost:7000';
export const FIRST = 3_000_001;
export const model = await loadOntology(join(root, 'ontology'));
export const queries = await loadQueries(join(root, 'queries'), model.ontology);

/** The calls that answer a list of statements of a record. */
export const lists = model.ontology.calls.filter(
  (call) =>
    call.scope === 'record' &&
    call.cardinality === 'multiple' &&
    call.answer === 'rdf' &&
    call.method === 'GET',
);

const folder = await mkdtemp(join(tmpdir(), 'chartgraph-bench-'));
const made = new Map();
let copies = 0;

/** A path in the folder of this run. */
export const scratch = (name) => join(folder, name);

/**
 * A data directory with so many patients, `large` more of real size after them, to be read only: figures share it.
 * @returns { dir, quads, patients, large }
 */
export function patients(number, { demographicsOnly = false, large = 0 } = {}) {
  const key = `patients-${number}${demographicsOnly ? '-demographics' : ''}${large ? `-and-${large}` : ''}`;
  if (!made.has(key)) made.set(key, fill(join(folder, key), number, { demographicsOnly, large }));
  return made.get(key);
}

/**
 * A data directory with records of so many statements, each put together from patients of real size.
 * @param only a part of the names of those that are taken; nothing: all
 * @returns { dir, records: their ids }
 */
export async function longRecords(number, statements, only = '') {
  const dir = join(folder, `long-${number}-of-${statements}${only.replaceAll('/', '-')}`);
  const directory = await openDataDirectory(dir, { create: true });
  const primary = openPrimaryStore(directory, base);
  const long = (record) => {
    const graphs = new Map();
    for (let n = 0; graphs.size < statements; n++) {
      // A maker of patients gives its n-th the id of its first, plus n.
      const options = { ontology: model.ontology, seed: `long ${record} ${n}`, size: 'real', base };
      const patient = patientMaker({ ...options, first: record - n })(n);
      for (const graph of patient.graphs) {
        // The first says that there is a record.
        const isWanted = graph === patient.graphs[0] || graph.name.includes(only);
        if (isWanted && !graphs.has(graph.name)) graphs.set(graph.name, graph);
      }
    }
    const own = [...graphs.values()].slice(0, statements);
    return {
      recordId: String(record),
      graphs: own,
      quads: own.reduce((sum, { quads }) => sum + quads.length, 0),
    };
  };
  const ids = Array.from({ length: number }, (_, index) => FIRST + index);
  for (const id of ids) await storePatients(primary, [long(id)]);
  await directory.close();
  return { dir, records: ids.map(String) };
}

/** A copy of a directory, to be written to. */
export async function copyOf({ dir, ...rest }) {
  const copy = join(folder, `copy-${copies++}`);
  await cp(dir, copy, { recursive: true });
  return { dir: copy, ...rest };
}

async function fill(dir, number, { demographicsOnly, large }) {
  const directory = await openDataDirectory(dir, { create: true });
  await listForSearches(directory, base, model.ontology);
  const primary = openPrimaryStore(directory, base);
  const options = { ontology: model.ontology, seed: 'bench', base, demographicsOnly };
  const some = function* (make, count) {
    for (let n = 0; n < count; n++) yield make(n);
  };
  let quads = await storePatients(
    primary,
    some(patientMaker({ ...options, size: 'small', first: FIRST }), number),
  );
  if (large > 0) {
    const make = patientMaker({ ...options, size: 'real', seed: 'large', first: FIRST + number });
    quads += await storePatients(primary, some(make, large));
  }
  await directory.close();
  return { dir, quads, patients: number, large };
}

/** Opens a filled data directory with its working set. */
export async function openStore({ dir, base: own = base }) {
  const directory = await openDataDirectory(dir);
  const store = await openEmbeddedStore({
    directory,
    base: own,
    derive: deriveIndex(model.ontology),
    partition: recordPartition(model.ontology),
  });
  return {
    store,
    close: async () => {
      await store.close();
      await directory.close();
    },
  };
}

export const removeData = () => rm(folder, { recursive: true, force: true });
