// The first page of 50 of a list of 2,000 lab results against the same page of a list of 50, in process, from the
// store each time: what is beside the page must not cost more than the page. Beside it, the same page while the store
// holds the order of the list, as it does for the pages after the first.
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { literal, namedNode, quad } from '../../dist/rdf/terms.js';
import { writeRdf } from '../../dist/rdf/write.js';
import { readList } from '../../dist/records/lists/list.js';
import { patientMaker } from '../synth/patient-maker.mjs';
import { storePatients } from '../synth/write-patients.mjs';
import { openPrimaryStore } from '../../dist/store/primary-store.js';
import { base, FIRST, model, openStore, queries, scratch } from '../lib/data.mjs';
import { figure, inTurn, short } from '../lib/measure.mjs';

const PAGE = 50;
const LONG = 2000;
const FOLDER = 'lab_results';

export async function measure({ quick }) {
  const dir = scratch('pages');
  const directory = await openDataDirectory(dir, { create: true });
  const [long, short50] = [String(FIRST), String(FIRST + 1)];
  await storePatients(openPrimaryStore(directory, base), [recordWith(long, LONG), recordWith(short50, PAGE)]);
  await directory.close();
  const { store, close } = await openStore({ dir });
  try {
    const call = model.ontology.calls.find(
      ({ path, method }) => method === 'GET' && path.endsWith(`/${FOLDER}/`),
    );
    // Asks the store for everything, whatever it holds.
    const asking = {
      base,
      select: (sparql, scope) => store.select(sparql, scope),
      construct: (sparql, scope) => store.construct(sparql, scope),
      stored: (read) => store.stored(read),
    };
    const read = (record, from) => async () => {
      const values = { record: namedNode(`${base}/records/${record}`), record_id: literal(record) };
      const given = new Map([['limit', [String(PAGE)]]]);
      const { quads } = await readList(from, model.ontology, {
        call,
        query: queries.get(call.name),
        values,
        given,
      });
      await writeRdf(quads, 'rdfxml');
    };
    const [most, least, held] = await inTurn(
      [read(long, asking), read(short50, asking), read(long, store)],
      quick ? 20 : 100,
    );
    return [
      figure('page-of-2000', most / least, {
        goal: 1.5,
        better: 'lower',
        details: [
          `${short(most)} ms of ${short(LONG)}, ${short(least)} of ${PAGE}`,
          `${short(held)} ms while the order of the list is held, ${short(held / least)} ×`,
        ],
      }),
    ];
  } finally {
    await close();
  }
}

/** A record of so many lab results, taken from several invented patients. */
function recordWith(recordId, count) {
  const to = `${base}/records/${recordId}`;
  const make = patientMaker({ ontology: model.ontology, seed: 'pages', size: 'real', base, first: FIRST });
  const graphs = [];
  for (let n = 0; graphs.length < count; n++) {
    const from = `${base}/records/${FIRST + n}`;
    const moved = (iri) => (iri.startsWith(from) ? to + iri.slice(from.length) : iri);
    const term = (each) => (each.termType === 'NamedNode' ? namedNode(moved(each.value)) : each);
    for (const { name, quads } of make(n).graphs) {
      if (!name.startsWith(`${from}/${FOLDER}/`)) continue;
      const own = quads.map(({ subject, predicate, object }) => quad(term(subject), predicate, term(object)));
      graphs.push({ name: moved(name), quads: own });
    }
  }
  graphs.length = count;
  return { recordId, graphs, quads: graphs.reduce((sum, { quads }) => sum + quads.length, 0) };
}
