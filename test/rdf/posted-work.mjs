// Counts the work that the way of a posted body takes, for one dimension of it: executions of blocks of code, as V8's
// precise coverage counts them, and steps of iterators, which copies by `[...]` and `new Map()` consist of. Prints a
// JSON array: the work for n, 2n and 4n. Run by posted-work.test.ts, on the built program.
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { bodies } from './posted-bodies.mjs';

const dist = process.argv[4] ?? join(import.meta.dirname, '..', '..', 'dist');
const load = (path) => import(join(dist, path));
const { loadOntology } = await load('ontology/directory.js');
const { parseRdf } = await load('rdf/parse.js');
const { namedNode } = await load('rdf/terms.js');
const { postedStatement } = await load('records/posted/posted-statement.js');
const { unifyTitles } = await load('records/titles.js');
const { writeRelative } = await load('store/relative-text.js');
const { validateResource } = await load('validate/resource.js');

const base = 'http://localhost:7000';
const { ontology } = await loadOntology(join(import.meta.dirname, '..', '..', 'ontology'));
const model = [...ontology.classes.values()].find(({ name }) => name === 'Allergy');
const collection = `${base}/records/1/allergies`;
const target = { ontology, base, model, record: `${base}/records/1`, collection };
const name = `${collection}/a`;

/** Each step in turn; one that refuses what it is given counts up to there, and the next goes on with what is known. */
export async function walk({ format, text }, onStep = () => {}) {
  let quads = [];
  const step = async (title, run) => {
    const start = performance.now();
    try {
      return await run();
    } catch (error) {
      if (error.name === 'TypeError' || error.name === 'RangeError') throw error;
    } finally {
      onStep(title, performance.now() - start);
    }
  };
  const limits = { maxDepth: 256, maxQuads: 10_000, maxText: 4_000_000, maxJsonValues: 1000 };
  quads = (await step('parse', () => parseRdf(text, { format, baseIRI: `${collection}/`, ...limits }))) ?? [];
  quads = (await step('posted', () => postedStatement(quads, name, target))) ?? quads;
  await step('titles', () => unifyTitles([{ name, quads }], ontology, base, new Map()));
  const root = quads[0]?.subject.termType === 'NamedNode' ? quads[0].subject : namedNode(name);
  await step('validate', () => validateResource(ontology, root, quads, { complete: true }));
  await step('write', () => writeRelative(name, quads, base));
}

let steps = 0;
for (const iterable of [[], new Map(), new Set()]) {
  const prototype = Object.getPrototypeOf(iterable[Symbol.iterator]());
  const { next } = prototype;
  prototype.next = function () {
    steps++;
    return next.call(this);
  };
}

async function count(body) {
  const session = new Session();
  session.connect();
  const post = (method, params) =>
    new Promise((resolve, reject) =>
      session.post(method, params, (error, result) => (error ? reject(error) : resolve(result))),
    );
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  steps = 0;
  await walk(body);
  const iterated = steps;
  const { result } = await post('Profiler.takePreciseCoverage');
  await post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const blocks = result.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
  return iterated + blocks.reduce((sum, each) => sum + each.count, 0);
}

const [dimension, size] = [process.argv[2], Number(process.argv[3])];
// Once before: what is loaded or made at the first time counts for nothing.
await walk(bodies[dimension](10));
const work = [];
for (const factor of [1, 2, 4]) work.push(await count(bodies[dimension](size * factor)));
process.stdout.write(JSON.stringify(work));
