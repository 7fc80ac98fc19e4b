// Where rdf-ext serves and where it does not (docs/decisions/006): each piece of it against what stands in its place,
// on the ontology and on a record of the seed, in turn. Needs `npm run build`.
import { execFileSync } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import rdf from 'rdf-ext';
import { Graph } from '../dist/model/ontology/graph.js';
import { readTriples, writeTriples } from '../dist/rdf/ntriples.js';
import { parseRdf } from '../dist/rdf/parse.js';
import { writeRdfXml } from '../dist/rdf/write-rdfxml.js';
import { short } from './lib/measure.mjs';

const root = new URL('..', import.meta.url);
const ROUNDS = 300;

/** The least time of several functions, in turn, in milliseconds: a loaded machine only ever adds to it. */
function inTurn(functions, rounds) {
  const least = functions.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    functions.forEach((run, index) => {
      const start = performance.now();
      run();
      least[index] = Math.min(least[index], performance.now() - start);
    });
  }
  return least;
}

async function read(folder, most = Infinity) {
  const files = (await readdir(new URL(folder, root))).filter((name) => name.endsWith('.ttl')).sort();
  const texts = files.slice(0, most).map((name) => readFile(new URL(folder + name, root)));
  const parsed = texts.map(async (text) =>
    parseRdf(await text, { format: 'turtle', baseIRI: 'http://localhost/' }),
  );
  return (await Promise.all(parsed)).flat();
}

const line = (name, [ours, theirs]) =>
  console.log(`${name.padEnd(52)} ${short(ours)} ms against ${short(theirs)}: ${short(theirs / ours)} ×`);

/** Terms as small classes with nothing but their fields, the form that rdf-ext has replaced. */
class Term {
  constructor(termType, value, language, datatype) {
    this.termType = termType;
    this.value = value;
    if (termType === 'Literal') [this.language, this.datatype] = [language, datatype];
  }
}
const plain = {
  term: ({ termType, value, language, datatype }) => new Term(termType, value, language, datatype),
  quad: (subject, predicate, object, graph) => ({ termType: 'Quad', subject, predicate, object, graph }),
};
const ext = {
  term: ({ termType, value, language, datatype }) =>
    termType === 'Literal'
      ? rdf.literal(value, language || datatype)
      : termType === 'BlankNode'
        ? rdf.blankNode(value)
        : rdf.namedNode(value),
  quad: rdf.quad,
};
const answer = (await read('seed/records/', 1)).slice(0, 2400);
const text = writeTriples(answer);
const made = ({ term, quad }) =>
  answer.map(({ subject, predicate, object, graph }) =>
    quad(term(subject), term(predicate), term(object), graph),
  );
line(
  `terms made and written as RDF/XML, ${answer.length} quads`,
  inTurn([() => writeRdfXml(made(plain)), () => writeRdfXml(made(ext))], ROUNDS),
);
const [whole] = inTurn([() => writeRdfXml(readTriples(text))], ROUNDS);
console.log(`${'the whole way of an answer: read and written'.padEnd(52)} ${short(whole)} ms`);

const ontology = await read('ontology/');
line(
  `${ontology.length} quads of the ontology, Graph against dataset`,
  inTurn([() => new Graph(ontology), () => rdf.dataset(ontology)], 5),
);
const graph = new Graph(ontology);
const dataset = rdf.dataset(ontology);
const subjects = [...new Set(ontology.map(({ subject }) => subject))].slice(0, 500);
const label = rdf.namedNode('http://www.w3.org/2000/01/rdf-schema#label');
line(
  '500 labels looked up, Graph against grapoi',
  inTurn(
    [
      () => subjects.map((term) => graph.objects(term, label.value)),
      () => subjects.map((term) => rdf.grapoi({ dataset, term }).out(label).terms),
    ],
    5,
  ),
);

const start = (module) => {
  const code = `const s = process.cpuUsage(); await import(${JSON.stringify(module)}); console.log(process.cpuUsage(s).user / 1000)`;
  const run = () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: fileURLToPath(root) }));
  return Math.min(run(), run(), run());
};
line('loading rdf-ext/DataFactory.js against all of rdf-ext', [
  start('rdf-ext/DataFactory.js'),
  start('rdf-ext'),
]);
