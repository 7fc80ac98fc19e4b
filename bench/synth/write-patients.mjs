import { writeTriples } from '../../dist/rdf/ntriples.js';
import { blankNode, quad } from '../../dist/rdf/terms.js';
import { writeRdf } from '../../dist/rdf/write.js';
import { recordIri } from '../../dist/records/resource-paths.js';

/** Graphs that one transaction stores: enough to share its sync, few enough to stay small. */
const BATCH = 5_000;

/**
 * Stores patients straight into a data directory, several in a transaction; who is there already is replaced graph
 * by graph.
 * @param report called with the number of patients stored so far
 * @returns how many quads were stored
 */
export async function storePatients(primary, patients, report = () => undefined) {
  let graphs = [];
  let quads = 0;
  let done = 0;
  let last = Promise.resolve();
  const flush = async () => {
    const replace = graphs;
    graphs = [];
    // One batch is prepared while the one before it is written.
    const next = primary.write({ replace });
    // Whoever waits for it is told; until then it must not count as unhandled.
    next.catch(() => undefined);
    await last;
    last = next;
    report(done);
  };
  for await (const patient of patients) {
    graphs.push(...patient.graphs);
    quads += patient.quads;
    done++;
    if (graphs.length >= BATCH) await flush();
  }
  await flush();
  await last;
  return quads;
}

/** A patient as Turtle whose own IRIs are relative to the record, for `load` under any base URL. */
export async function patientTurtle({ graphs, recordId }, base) {
  const text = await writeRdf(
    graphs.flatMap(({ quads }) => quads),
    'turtle',
  );
  const record = recordIri(base, recordId);
  return text.replaceAll(`<${record}/`, '<').replaceAll(`<${record}>`, `<../${recordId}>`);
}

/** A patient as N-Quads under the base URL, one named graph a statement; the labels of blank nodes are of this record alone. */
export function patientQuads({ graphs, recordId }) {
  return graphs
    .map(({ name, quads }) => {
      const own = (term) => (term.termType === 'BlankNode' ? blankNode(`r${recordId}${term.value}`) : term);
      const renamed = quads.map((each) => quad(own(each.subject), each.predicate, own(each.object)));
      return writeTriples(renamed).replaceAll(' .\n', ` <${name}> .\n`);
    })
    .join('');
}
