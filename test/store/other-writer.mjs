// Writes the graph it is told to write, and answers when that is acknowledged.
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { literal, namedNode, quad } from '../../dist/rdf/terms.js';
import { openPrimaryStore } from '../../dist/store/primary-store.js';

const [, , dir, base] = process.argv;
const primary = openPrimaryStore(await openDataDirectory(dir), base);
const text = namedNode('https://example.org/terms#text');

process.on('message', async ({ path, value }) => {
  const name = base + path;
  const quads = [quad(namedNode(name), text, literal(value))];
  process.send(await primary.write({ replace: [{ name, quads }] }));
});
process.send('ready');
