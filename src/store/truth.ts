import type { DataDirectory, ReadTx, WriteTx } from '../disk/data-directory.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import { changesSince, lastRevision, logChange, revisionOf, type Changes } from './change-log.js';
import { StaleRevision, type Change, type Expectation } from './graph-store.js';
import { innerLabelUnder } from './inner-label.js';
import { prepare, type PreparedChange } from './prepare.js';
import { countLines, resolveText } from './relative-text.js';

/** The durable half of the store: whole graphs by name, revisions and the change log, without a query engine. */
export interface Truth {
  readonly base: string;
  readonly directory: DataDirectory;
  /**
   * Writes a change as `GraphStore.write` does; `also` (synchronous) runs in the same transaction, even when no graph
   * changes, and what it throws undoes everything.
   */
  write(change: Change, also?: (tx: WriteTx) => void): Promise<number>;
  /** The quads of a graph in their original lexical forms, inner nodes blank; undefined when there is none. */
  graph(name: string): Quad[] | undefined;
  /** Names of the graphs that begin with an IRI prefix, in order; all when none is given. */
  names(prefix?: string): string[];
  has(name: string): boolean;
  /** The number of the last change at or below a path ('' = everything); 0 when there never was one. */
  revision(path: string): number;
  changesSince(revision: number): Changes;
}

/**
 * The truth of a data directory, seen under a base URL. The directory stays the caller's to close.
 * @param base absolute URL without a slash at its end
 */
export function openTruth(directory: DataDirectory, base: string): Truth {
  const innerLabel = innerLabelUnder(base);
  const textOf = (name: string): string | undefined =>
    name.startsWith(base + '/') ? directory.read((tx) => graphText(tx, name.slice(base.length))) : undefined;
  return {
    base,
    directory,
    async write(change, also) {
      const prepared = await prepare(change, base);
      return directory.transact((tx) => {
        for (const each of change.expect ?? []) checkExpectation(tx, each);
        const revision = apply(tx, prepared);
        also?.(tx);
        return revision;
      });
    },
    graph(name) {
      const text = textOf(name);
      return text === undefined ? undefined : readTriples(resolveText(text, base), innerLabel);
    },
    names(prefix = base) {
      if (!prefix.startsWith(base)) return [];
      const paths = directory.read((tx) => pathsUnder(tx, prefix.slice(base.length)));
      return paths.map((path) => base + path);
    },
    has: (name) => textOf(name) !== undefined,
    revision: (path) => directory.read((tx) => revisionOf(tx, path)),
    changesSince: (revision) => directory.read((tx) => changesSince(tx, revision)),
  };
}

function graphText(tx: ReadTx, path: string): string | undefined {
  return tx.get('graphs', path) as string | undefined;
}

function pathsUnder(tx: ReadTx, prefix: string): string[] {
  const range = prefix === '' ? {} : { prefix };
  return Array.from(tx.range('graphs', { ...range, values: false }), ({ key }) => String(key));
}

function checkExpectation(tx: ReadTx, { path, revision }: Expectation): void {
  const actual = revisionOf(tx, path);
  if (actual !== revision) throw new StaleRevision(path, revision, actual);
}

/** Writes what differs from what is there, and logs it as one change. */
function apply(tx: WriteTx, { replace, remove, removeUnder }: PreparedChange): number {
  const gone = new Set(remove);
  for (const path of removeUnder) {
    gone.add(path);
    for (const below of pathsUnder(tx, path + '/')) gone.add(below);
  }
  const changed: string[] = [];
  let dropped = 0;
  const drop = (path: string, text: string): void => {
    changed.push(path);
    dropped += countLines(text);
  };
  for (const path of gone) {
    const old = replace.has(path) ? undefined : graphText(tx, path);
    if (old === undefined) continue;
    drop(path, old);
    tx.remove('graphs', path);
  }
  for (const [path, text] of replace) {
    const old = graphText(tx, path);
    if (old === text) continue;
    drop(path, old ?? '');
    tx.put('graphs', path, text);
  }
  return changed.length === 0 ? lastRevision(tx) : logChange(tx, changed, dropped);
}
