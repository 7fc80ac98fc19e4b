// A search with exactly ten matches among many patients, against the same among few. Ten patients in a row bear one
// family name, so a search for a name finds ten wherever it is asked.
import { inventedName } from '../synth/invented-names.mjs';
import { readList } from '../../dist/records/lists/list.js';
import { model, openStore, patients, queries } from '../lib/data.mjs';
import { figure, inTurn, short } from '../lib/measure.mjs';

const FEW = 1000;
const MATCHES = 10;

export async function measure({ quick }) {
  const [few, many] = [FEW, quick ? 4000 : 20_000];
  const small = await openStore(await patients(few, { demographicsOnly: true }));
  const large = await openStore(await patients(many, { demographicsOnly: true }));
  const call = model.ontology.callByName.get('search_records');
  const search = (store, size) => async (round) => {
    const name = inventedName((round * 7919) % (size / MATCHES));
    const given = new Map([
      ['family_name', [name.toLowerCase()]],
      ['limit', ['50']],
    ]);
    const query = queries.get(call.name);
    const { total, order } = await readList(store, model.ontology, {
      call,
      query,
      values: {},
      given,
      counted: false,
    });
    if (total !== MATCHES || order.length !== MATCHES) throw new Error(`${total} matches for ${name}`);
  };
  try {
    const rounds = quick ? 50 : 300;
    const [most, least] = await inTurn([search(large.store, many), search(small.store, few)], rounds);
    return [
      figure('search', most / least, {
        goal: 2,
        better: 'lower',
        details: [`${short(most)} ms of ${short(many)} patients, ${short(least)} of ${short(few)}`],
      }),
    ];
  } finally {
    await large.close();
    await small.close();
  }
}
