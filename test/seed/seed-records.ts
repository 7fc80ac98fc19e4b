import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Parser, Store, type Term } from 'n3';
import { prefixes, rdf, sp } from '../../src/rdf/vocabulary.js';

export const seedDirectory = resolve(import.meta.dirname, '..', '..', 'seed');

/** One patient of the seed as its file says it: no name is given, nothing is added. */
export interface SeedRecord {
  readonly id: string;
  readonly graph: Store;
  /** Every node with sp:belongsTo, with the local name of its class. */
  readonly statements: readonly { readonly node: Term; readonly name: string }[];
}

/** Reads all records of the seed with N3 alone, so that these tests stand apart from the loader. */
export function readSeedRecords(): SeedRecord[] {
  const folder = resolve(seedDirectory, 'records');
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const text = readFileSync(resolve(folder, file), 'utf8');
      const graph = new Store(new Parser({ format: 'text/turtle' }).parse(text));
      const statements = graph
        .getSubjects(sp.belongsTo, null, null)
        .map((node) => ({ node, name: localNames(graph, node)[0] ?? '' }));
      return { id: file.replace(/\.ttl$/, ''), graph, statements };
    });
}

/** Local names of the types of a node that are in the namespaces of the record model. */
export function localNames(graph: Store, node: Term): string[] {
  return graph
    .getObjects(node, rdf.type, null)
    .filter(({ value }) => [prefixes.sp, prefixes.cg].some((start) => value.startsWith(start)))
    .map(({ value }) => value.replace(/^.*#/u, ''));
}

/** The only value of a property, as text. Throws where there is none or there are several. */
export function one(graph: Store, node: Term, property: string): string {
  const [value, ...others] = graph.getObjects(node, property, null);
  if (value === undefined || others.length > 0) {
    throw new Error(`${node.value} has ${others.length + (value ? 1 : 0)} values of ${property}`);
  }
  return value.value;
}
