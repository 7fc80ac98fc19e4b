import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadQueries } from '../dist/query/load.js';
import { namedNode } from '../dist/rdf/terms.js';
import { writeRdf } from '../dist/rdf/write.js';
import { readList } from '../dist/records/lists/list.js';
import { inTurn, result } from './measure.mjs';
import { base, fillDirectory, model, openStore, root } from './patients.mjs';

const ROUNDS = 200;

/** Every statement list with many patients against the same list with few: the time must not grow with the store. */
export async function listGrowth({ few = 100, many = 3000 } = {}) {
  const queries = await loadQueries(join(root, 'queries'), model.ontology);
  const calls = model.ontology.calls.filter(
    (call) => call.scope === 'record' && call.cardinality === 'multiple',
  );
  const small = await filled(few);
  const large = await filled(many);
  try {
    const results = [];
    for (const call of calls) {
      // Ten different patients stand behind the copies, so both sides read the same mixture.
      const read = (store, size) => async (round) => {
        const id = `p${(Math.floor((round * size) / ROUNDS / 10) * 10 + (round % 10)) % size}`;
        const values = {
          record: namedNode(`${base}/records/${id}`),
          resource: namedNode(`${base}${call.path}`),
        };
        const { quads } = await readList(store, model.ontology, {
          call,
          query: queries.get(call.name),
          values,
          given: new Map(),
        });
        await writeRdf(quads, 'rdfxml');
      };
      const [a, b] = await inTurn([read(large.store, many), read(small.store, few)], ROUNDS);
      results.push(result(`${call.name}, ${many} patients against ${few}`, a, b, 1.2));
    }
    return results;
  } finally {
    await large.close();
    await small.close();
  }
}

async function filled(patients) {
  const dir = await mkdtemp(join(tmpdir(), 'chartgraph-bench-'));
  await fillDirectory(dir, patients);
  return openStore(dir);
}
