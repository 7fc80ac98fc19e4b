import { createRequire } from 'node:module';
import type * as Oxigraph from 'oxigraph';
import { levelText } from '../../src/analysts/level-text.js';
import type { LevelView } from '../../src/analysts/levels.js';
import { writeTerm } from '../../src/rdf/ntriples.js';
import { nameInnerNodes } from '../rdf/inner-nodes.js';
import type { Quad, Term } from '../../src/rdf/terms.js';
import { ontologyIri } from '../../src/records/resource-paths.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { base, ontology, ontologyQuads } from '../records/support.js';

const { Store } = createRequire(import.meta.url)('oxigraph') as typeof Oxigraph;

const lines = (quads: readonly Quad[]): string =>
  quads
    .map(({ subject, predicate, object }) => `${[subject, predicate, object].map(writeTerm).join(' ')} .\n`)
    .join('');

/** One row of an answer: texts by the name of the column. */
export type Row = Readonly<Record<string, string>>;

/** What analysts ask of some graphs, seen through a level. */
export async function analystStore(
  graphs: readonly NamedGraph[],
  view: LevelView,
): Promise<(sparql: string) => Row[]> {
  const text = levelText(view, { base, ontology });
  const named = await Promise.all(
    graphs.map(async ({ name, quads }) => text(name, lines(await nameInnerNodes(name, quads)))),
  );
  const store = new Store();
  const options = { format: 'application/n-quads' };
  const described = text(ontologyIri(base), lines(await nameInnerNodes(ontologyIri(base), ontologyQuads)));
  for (const each of [...named, described]) store.load(each, options);
  return (sparql) => {
    const rows = store.query(sparql) as Map<string, Term>[];
    return rows.map((row) => Object.fromEntries([...row].map(([name, term]) => [name, term.value])));
  };
}
