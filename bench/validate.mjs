// Data validation: all that `chartgraph validate` does with a parsed file, against rdf-validate-shacl alone.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import SHACLValidator from 'rdf-validate-shacl';
import { loadOntology } from '../dist/model/ontology/directory.js';
import { namedNode } from '../dist/rdf/terms.js';
import { loadPatient } from '../dist/records/loading/load-patient.js';
import { partInput } from '../dist/records/loading/input-graphs.js';
import { readRdfFile, recordIdOfFile } from '../dist/records/loading/read-file.js';
import { checkGraph } from '../dist/model/validate/check-graph.js';
import { deriveShapes } from '../dist/model/validate/shapes/derive-shapes.js';
import { figure, median, short } from './lib/measure.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const base = 'http://localhost:7000';
const GOAL = 0.5;

/**
 * Quads of the seed validated in a second, parsing excluded on both sides. Ours cuts the record into its statements,
 * names them, and holds each against the derived shapes and the loader's own check. The peer gets the same shapes and
 * quads in data sets of its own, each file whole and each statement by itself: the faster way counts.
 */
export async function validateRate({ patients = 2, rounds = 3 } = {}) {
  const { ontology } = await loadOntology(join(root, 'ontology'));
  const files = (await readdir(join(root, 'seed', 'records'))).sort().slice(0, patients);
  const inputs = await Promise.all(
    files.map((file) => readPatient(join(root, 'seed', 'records', file), ontology)),
  );
  const plain = plainValidator(deriveShapes(ontology));
  const sides = {
    ours: () => inputs.forEach((input) => checkPatient(ontology, input)),
    whole: () => each(inputs, ({ quads }) => plain(quads)),
    apart: () => each(inputs, ({ graphs }) => each(graphs, (graph) => plain(graph.quads))),
  };
  const quads = inputs.reduce((sum, input) => sum + input.quads.length, 0);
  const rates = { ours: [], whole: [], apart: [] };
  // Ours warms up as it would in a long file; so does the peer, which takes far longer.
  for (let round = 0; round < 3; round++) sides.ours();
  await plain(inputs[0].graphs[1].quads);
  for (let round = 0; round < rounds; round++) {
    for (const [side, run] of Object.entries(sides)) {
      const start = performance.now();
      await run();
      rates[side].push((quads / (performance.now() - start)) * 1000);
    }
  }
  const value = median(rates.ours);
  const peer = Math.max(median(rates.whole), median(rates.apart));
  const ratio = value / peer;
  const name = 'quads/s of data validation, parsing excluded, against rdf-validate-shacl alone';
  return { id: 'validate', name, value, peer, ratio, goal: GOAL, atLeast: true, ok: ratio >= GOAL };
}

/** The figure of `npm run bench`: the peer takes ten seconds a round, and is sixty times away. */
export async function measure({ quick = false } = {}) {
  const { ratio, value, peer } = await validateRate(quick ? { patients: 1, rounds: 1 } : { rounds: 1 });
  const details = [
    `${short(value)} against ${short(peer)} quads/s; parsing excluded, ours with naming and cutting of the statements`,
  ];
  return [figure('validate', ratio, { goal: GOAL, better: 'higher', details })];
}

async function readPatient(path, ontology) {
  const id = recordIdOfFile(path);
  const quads = await readRdfFile(path, base, id);
  return { id, quads, graphs: cut(quads, id, ontology) };
}

function cut(quads, fallbackId, ontology) {
  const [{ inputGraphs }] = partInput(quads, base).records;
  return loadPatient({ inputGraphs, fallbackId, ontology, base }).graphs;
}

function checkPatient(ontology, { id, quads }) {
  for (const graph of cut(quads, id, ontology)) {
    const faults = checkGraph(ontology, namedNode(graph.name), graph.quads);
    if (faults.length > 0) throw new Error(`The seed is valid, but ${faults[0].message}`);
  }
}

/** The library as its users take it. */
function plainValidator(shapes) {
  const { factory } = new SHACLValidator([]);
  const validator = new SHACLValidator(factory.dataset(shapes));
  return async (quads) => {
    const report = await validator.validate(factory.dataset(quads));
    if (!report.conforms) throw new Error('The seed is valid, but the shapes refuse it.');
  };
}

async function each(items, run) {
  for (const item of items) await run(item);
}
