// Writes without end until it is killed, and prints what has been acknowledged: "<writer> <number>" a line.
// Each change replaces two graphs, adds a third, now and then clears what has gathered, and puts a record beside the
// graphs: all of it belongs together.
import { writeSync } from 'node:fs';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { blankNode, literal, namedNode, quad } from '../../dist/rdf/terms.js';
import { openPrimaryStore } from '../../dist/store/primary-store.js';

const [, , dir, base, writers] = process.argv;
const primary = openPrimaryStore(await openDataDirectory(dir, { create: true }), base);
const term = (name) => namedNode(`https://example.org/terms#${name}`);

function graph(name, number) {
  const inner = blankNode();
  const lines = Array.from({ length: 1 + (number % 40) }, (_, line) =>
    quad(inner, term('line'), literal(`${line} of ${number}`)),
  );
  return {
    name,
    quads: [
      quad(namedNode(name), term('text'), literal(String(number))),
      quad(namedNode(name), term('part'), inner),
      ...lines,
    ],
  };
}

async function write(writer) {
  const home = `${base}/records/${writer}`;
  for (let number = 1 + startOf(`w${writer}`); ; number++) {
    const change = {
      replace: [
        graph(home, number),
        graph(`${home}/notes/pair`, number),
        graph(`${home}/notes/more/${number % 10}`, number),
      ],
      ...(number % 7 === 0 ? { removeUnder: [`${home}/notes/more`] } : {}),
    };
    await primary.write(change, (tx) => tx.put('users', `w${writer}`, { number }));
    writeSync(1, `${writer} ${number}\n`);
  }
}

function startOf(key) {
  return primary.directory.read((tx) => tx.get('users', key)?.number ?? 0);
}

await Promise.all(Array.from({ length: Number(writers) }, (_, writer) => write(writer)));
