// Replaces the graphs of a store, a hundred in a change, asks it something after each, and tells its memory.
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { loadOntology } from '../../dist/model/ontology/directory.js';
import { deriveIndex } from '../../dist/records/search-index.js';
import { literal, namedNode, quad } from '../../dist/rdf/terms.js';
import { openEmbeddedStore } from '../../dist/store/embedded-store.js';
import { ownMegabytes } from './memory.mjs';

const IN_A_CHANGE = 100;
const TEXT = 'https://example.org/terms#text';
const [, , dir, base, replacements] = process.argv;

const { ontology } = await loadOntology(join(resolve(import.meta.dirname, '..', '..'), 'ontology'));
const directory = await openDataDirectory(dir);
const store = await openEmbeddedStore({ directory, base, derive: deriveIndex(ontology) });
const names = store.primary.names(`${base}/records/`);
const ask = (name) => store.ask(`ASK { GRAPH <${name}> { ?s ?p ?o } }`);
/** The graph as it was, with one statement that changes. */
const changed = (name, number) => {
  const own = store.primary.graph(name).filter(({ predicate }) => predicate.value !== TEXT);
  return { name, quads: [...own, quad(namedNode(name), namedNode(TEXT), literal(String(number)))] };
};

await ask(names[0]);
const before = await ownMegabytes();
let most = before;
let pause = 0;
let number = 0;
while (number < Number(replacements)) {
  const replace = [];
  for (let index = 0; index < IN_A_CHANGE; index++) {
    replace.push(changed(names[number % names.length], number));
    number++;
  }
  await store.write({ replace });
  await ask(names[0]);
  // What a request would wait for that comes now, while a working set may be in the making beside.
  const start = performance.now();
  await nextTurn();
  pause = Math.max(pause, performance.now() - start);
  if (number % 10_000 === 0) most = Math.max(most, await ownMegabytes());
}
// A working set that is just being made beside is awaited: it is no garbage.
for (let round = 0; round < 20; round++) {
  await wait(250);
  await ask(names[0]);
  if (!store.isRenewing) break;
}
const withPages = await ownMegabytes('regular');
const after = await ownMegabytes();
console.log(JSON.stringify({ before, after, withPages, most, pause, renewals: store.renewals }));
process.exit(0);
