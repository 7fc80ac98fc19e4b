// The steps of a posted body from its bytes to the text that is stored, on the built program.
import { join } from 'node:path';

const dist = process.env.CHARTGRAPH_DIST ?? join(import.meta.dirname, '..', '..', 'dist');
const load = (path) => import(join(dist, path));
const { loadOntology } = await load('model/ontology/directory.js');
const { parseRdf } = await load('rdf/parse.js');
const { namedNode } = await load('rdf/terms.js');
const { MAX_NUMBERING_WORK } = await load('records/posted/post-statement.js');
const { numberBlankNodes } = await load('rdf/skolem-iris.js');
const { postedStatement } = await load('records/posted/check-posted-shape.js');
const { unifyTitles } = await load('records/titles.js');
const { writeRelative } = await load('store/relative-text.js');
const { validateResource } = await load('model/validate/resource.js');

const base = 'http://localhost:7000';
const { ontology } = await loadOntology(join(import.meta.dirname, '..', '..', 'ontology'));
const model = [...ontology.classes.values()].find(({ name }) => name === 'Allergy');
const collection = `${base}/records/1/allergies`;
const target = { ontology, base, model, record: `${base}/records/1`, collection };
const name = `${collection}/a`;

/** Milliseconds of processor time that this process has had. */
const busy = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Each step in turn; one that refuses what it is given counts up to there, and the next goes on with what is known. */
export async function walk({ format, text }, onStep = () => {}) {
  let quads = [];
  const step = async (title, run) => {
    const start = busy();
    try {
      return await run();
    } catch (error) {
      if (error.name === 'TypeError' || error.name === 'RangeError') throw error;
    } finally {
      onStep(title, busy() - start);
    }
  };
  const limits = { maxDepth: 256, maxQuads: 4_000, maxText: 4_000_000, maxJsonValues: 1000 };
  quads = (await step('parse', () => parseRdf(text, { format, baseIRI: `${collection}/`, ...limits }))) ?? [];
  quads = (await step('posted', () => postedStatement(quads, name, target))) ?? quads;
  await step('titles', () => unifyTitles([{ name, quads }], ontology, base, new Map()));
  const root = quads[0]?.subject.termType === 'NamedNode' ? quads[0].subject : namedNode(name);
  await step('validate', () => validateResource(ontology, root, quads, { complete: true }));
  // As `postStatement` does, which refuses what takes more.
  const numbered = await step('number', () => numberBlankNodes(quads, MAX_NUMBERING_WORK));
  if (numbered !== undefined) await step('write', () => writeRelative(name, quads, base));
}
