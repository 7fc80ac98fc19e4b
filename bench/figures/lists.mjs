// Every statement list in a store with many patients against the same lists with few: the median must not grow.
import { literal, namedNode } from '../../dist/rdf/terms.js';
import { writeRdf } from '../../dist/rdf/write.js';
import { readList } from '../../dist/records/lists/list.js';
import { base, lists, model, openStore, patients, queries } from '../lib/data.mjs';
import { figure, inTurn, short } from '../lib/measure.mjs';
import { recordIds } from '../lib/requests.mjs';

const FEW = 100;

export async function measure({ quick }) {
  const [few, many] = [await patients(FEW), await patients(quick ? 500 : 3000, { large: quick ? 0 : 20 })];
  const small = await openStore(few);
  const large = await openStore(many);
  try {
    const rounds = quick ? 100 : 400;
    const results = [];
    for (const call of lists) {
      // The same patients on both sides, which have the same numbers in both: only the others around them differ.
      const records = recordIds(few).small;
      const read = (store) => async (round) => {
        const record = records[round % FEW];
        const values = { record: namedNode(`${base}/records/${record}`), record_id: literal(record) };
        const query = queries.get(call.name);
        const { quads } = await readList(store, model.ontology, { call, query, values, given: new Map() });
        await writeRdf(quads, 'rdfxml');
      };
      const [most, least] = await inTurn([read(large.store), read(small.store)], rounds);
      results.push({ name: call.name, ratio: most / least, most, least });
    }
    results.sort((a, b) => b.ratio - a.ratio);
    return [
      figure('flat-list', results[0].ratio, {
        goal: 1.2,
        better: 'lower',
        details: results.map(
          ({ name, ratio, most, least }) =>
            `${short(ratio).padEnd(6)} ${name}: ${short(most)} ms with ${short(many.patients)}, ${short(least)} with ${FEW}`,
        ),
      }),
    ];
  } finally {
    await large.close();
    await small.close();
  }
}
