import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loadOntology } from '../dist/ontology/directory.js';
import { parseRdf } from '../dist/rdf/parse.js';
import { loadPatient } from '../dist/records/loading/patient.js';
import { poolInput } from '../dist/records/loading/pools.js';
import { openDataDirectory } from '../dist/disk/data-directory.js';
import { deriveIndex } from '../dist/records/index.js';
import { openEmbeddedStore } from '../dist/store/embedded.js';
import { openTruth } from '../dist/store/truth.js';
import { literal, namedNode, quad } from '../dist/rdf/terms.js';

export const root = resolve(import.meta.dirname, '..');
export const base = 'http://localhost:7000';
export const model = await loadOntology(join(root, 'ontology'));

/** The seed patients as graphs, each cut down to at most `quads` quads. */
async function templates(quads) {
  const folder = join(root, 'seed', 'records');
  const patients = [];
  for (const name of (await readdir(folder)).sort()) {
    const input = await parseRdf(await readFile(join(folder, name)), {
      format: 'turtle',
      baseIRI: `${base}/`,
    });
    const id = name.replace('.ttl', '');
    const [own] = poolInput(input, base).records;
    const { graphs } = loadPatient({
      pools: own.pools,
      recordId: id,
      fallbackId: id,
      ontology: model.ontology,
      base,
    });
    const kept = [];
    let size = 0;
    for (const graph of graphs) {
      if (size + graph.quads.length > quads) continue;
      size += graph.quads.length;
      kept.push(graph);
    }
    patients.push({ id, graphs: kept, quads: size });
  }
  return patients;
}

const rename = (text, from, to) => text.replaceAll(`/records/${from}`, `/records/${to}`);

function renamed(term, from, to) {
  if (term.termType !== 'NamedNode' || !term.value.startsWith(base)) return term;
  return namedNode(rename(term.value, from, to));
}

/**
 * Fills a data directory with copies of the seed patients of about `quads` quads each, named p0, p1, …
 * @returns the number of quads written
 */
export async function fillDirectory(dir, patients, quads = 700) {
  const models = await templates(quads);
  const directory = await openDataDirectory(dir, { create: true });
  const truth = openTruth(directory, base);
  let written = 0;
  let batch = [];
  for (let n = 0; n < patients; n++) {
    const { id, graphs } = models[n % models.length];
    for (const graph of graphs) {
      const copy = graph.quads.map((q) =>
        quad(
          renamed(q.subject, id, `p${n}`),
          q.predicate,
          q.object.termType === 'Literal'
            ? literal(q.object.value, q.object.language || q.object.datatype)
            : renamed(q.object, id, `p${n}`),
        ),
      );
      batch.push({ name: rename(graph.name, id, `p${n}`), quads: copy });
      written += copy.length;
    }
    if (batch.length > 2000 || n === patients - 1) {
      await truth.write({ replace: batch });
      batch = [];
    }
  }
  await directory.close();
  return written;
}

/** Opens a filled data directory with its replica; `close` also removes it. */
export async function openStore(dir) {
  const directory = await openDataDirectory(dir);
  const store = await openEmbeddedStore({ directory, base, derive: deriveIndex(model.ontology) });
  const close = async () => {
    await store.close();
    await directory.close();
    await rm(dir, { recursive: true });
  };
  return { store, close };
}
