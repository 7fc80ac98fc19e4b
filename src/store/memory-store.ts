import type { Quad } from '../rdf/terms.js';
import { isAtOrBelow } from '../model/ontology/path-template.js';
import { indexGraph, type Derive } from './chunk.js';
import { StaleRevision, type Change, type GraphStore, type Row } from './graph-store.js';
import { inGraph, innerLabelUnder, resolveText } from './relative-text.js';
import { keyOf, nameOf, pathAndAncestors } from './paths.js';
import { prepare, type PreparedChange } from './apply.js';
import { storedGraphs, type StoredGraphs, type TextSource } from './stored-graphs.js';
import { WorkingSet } from './working-set.js';
import { readRows } from './rows.js';

/**
 * Opens a store in memory, for data that can be made again, such as the documentation's examples. An engine panic is
 * final.
 * @param base absolute URL without a trailing slash
 * @param derive makes the index statements for filters and searches
 */
export function openMemoryStore(base: string, derive?: Derive): GraphStore {
  return new MemoryStore(base, derive);
}

class MemoryStore implements GraphStore {
  readonly #innerLabel: (iri: string) => string | undefined;
  readonly #texts = new Map<string, string>();
  readonly #revisions = new Map<string, number>();
  #workingSet: WorkingSet | undefined = new WorkingSet();

  constructor(
    readonly base: string,
    private readonly derive: Derive | undefined,
  ) {
    this.#innerLabel = innerLabelUnder(base);
  }

  async construct(sparql: string): Promise<Quad[]> {
    return Promise.resolve(this.#open().quads(sparql, this.#innerLabel));
  }

  async select(sparql: string): Promise<Row[]> {
    return Promise.resolve(readRows(this.#open().select(sparql), this.#innerLabel));
  }

  async ask(sparql: string): Promise<boolean> {
    return Promise.resolve(this.#open().ask(sparql));
  }

  async stored<T>(read: (graphs: StoredGraphs) => T | Promise<T>): Promise<T> {
    this.#open();
    const texts = this.#texts;
    const source: TextSource = {
      textOf: (path) => texts.get(path),
      *pathsUnder(path) {
        for (const each of texts.keys()) if (isAtOrBelow(each, path)) yield each;
      },
    };
    return Promise.resolve(read(storedGraphs(this.base, source, () => undefined)));
  }

  async write(change: Change): Promise<number> {
    const workingSet = this.#open();
    const prepared = await Promise.resolve(prepare(change, this.base));
    // No awaits from here on: the change happens in one turn.
    for (const { path, revision } of change.expect ?? []) {
      const actual = this.#revisionOf(path);
      if (actual !== revision) throw new StaleRevision(path, revision, actual);
    }
    const changed = this.#changed(prepared);
    if (changed.size === 0) return this.#revisionOf('');
    const names = [...changed.keys()].map((path) => nameOf(path, this.base));
    workingSet.clear(this.derive ? [...names, ...names.map(indexGraph)] : names);
    for (const [path, text] of changed) {
      if (text === undefined) this.#texts.delete(path);
      else this.#texts.set(path, text);
    }
    workingSet.load(
      [...changed].map(([path, text]) => (text === undefined ? '' : this.#nquads(path, text))).join(''),
    );
    return this.#advance(changed.keys());
  }

  async has(name: string): Promise<boolean> {
    return Promise.resolve(this.#texts.has(keyOf(name, this.base) ?? ''));
  }

  async revision(path: string): Promise<number> {
    return Promise.resolve(this.#revisionOf(path));
  }

  async close(): Promise<void> {
    this.#workingSet = undefined;
    return Promise.resolve();
  }

  #open(): WorkingSet {
    if (!this.#workingSet) throw new Error('The store is closed.');
    return this.#workingSet;
  }

  #revisionOf(path: string): number {
    return this.#revisions.get(path) ?? 0;
  }

  #changed({ replace, remove, removeUnder }: PreparedChange): Map<string, string | undefined> {
    const isGone = (path: string): boolean =>
      remove.includes(path) || removeUnder.some((above) => isAtOrBelow(path, above));
    const gone = [...this.#texts.keys()].filter((path) => isGone(path) && !replace.has(path));
    const other = [...replace].filter(([path, text]) => this.#texts.get(path) !== text);
    return new Map<string, string | undefined>([...gone.map((path) => [path, undefined] as const), ...other]);
  }

  #nquads(path: string, text: string): string {
    const name = nameOf(path, this.base);
    const ntriples = resolveText(text, this.base);
    return inGraph(ntriples, name) + inGraph(this.derive?.(name, ntriples) ?? '', indexGraph(name));
  }

  #advance(changed: Iterable<string>): number {
    const revision = this.#revisionOf('') + 1;
    for (const path of changed) {
      for (const each of pathAndAncestors(path)) this.#revisions.set(each, revision);
    }
    return revision;
  }
}
