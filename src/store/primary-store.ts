import type { DataDirectory, WriteTx } from '../disk/data-directory.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import { ownUrn } from '../rdf/vocabulary.js';
import { applyAlone, graphText, pathsUnder } from './apply.js';
import { changesSince, revisionOf, type Changes } from './change-log.js';
import type { Change } from './graph-store.js';
import type { Author } from './history.js';
import { GroupCommit } from './group-commit.js';
import { innerLabelUnder } from './skolem-label.js';
import { keyOf, nameOf } from './paths.js';
import { prepare } from './prepare.js';
import { resolveText } from './relative-text.js';

/** The durable half of the store: whole graphs by name, revisions and the change log, without a query engine. */
export interface PrimaryStore {
  readonly base: string;
  readonly directory: DataDirectory;
  /**
   * Writes a change as `GraphStore.write` does; `also` (synchronous) runs in the same transaction, even when no graph
   * changes, and what it throws undoes everything.
   */
  write(change: Change, also?: (tx: WriteTx) => void): Promise<number>;
  /** The quads of a graph in their original lexical forms, blank nodes blank; undefined when there is none. */
  graph(name: string): Quad[] | undefined;
  /** Names of the graphs that begin with an IRI prefix, in order; all when none is given. */
  names(prefix?: string): string[];
  has(name: string): boolean;
  /** How many quads a graph has, told without reading them; 0 when there is none. */
  size(name: string): number;
  /** The number of the last change at or below a path ('' = everything); 0 when there never was one. */
  revision(path: string): number;
  changesSince(revision: number): Changes;
}

/**
 * The primary store of a data directory, seen under a base URL. The directory stays the caller's to close.
 * @param base absolute URL without a slash at its end
 * @param by who makes the changes that do not say so themselves
 */
export function openPrimaryStore(directory: DataDirectory, base: string, by: Author = {}): PrimaryStore {
  const innerLabel = innerLabelUnder(base);
  const commits = new GroupCommit(directory);
  const textOf = (name: string): string | undefined => {
    const path = keyOf(name, base);
    return path === undefined ? undefined : directory.read((tx) => graphText(tx, path));
  };
  return {
    base,
    directory,
    async write(change, also) {
      const prepared = prepare(change, base, by);
      if (also === undefined) return commits.write(prepared);
      return directory.transact((tx) => {
        const revision = applyAlone(tx, prepared);
        also(tx);
        return revision;
      });
    },
    graph(name) {
      const text = textOf(name);
      return text === undefined ? undefined : readTriples(resolveText(text, base), innerLabel);
    },
    names(prefix = base) {
      if (!prefix.startsWith(base) && !prefix.startsWith(ownUrn)) return [];
      const start = prefix.startsWith(ownUrn) ? prefix : prefix.slice(base.length);
      return directory.read((tx) => pathsUnder(tx, start)).map((path) => nameOf(path, base));
    },
    has(name) {
      const path = keyOf(name, base);
      return path !== undefined && directory.read((tx) => tx.has('graphs', path));
    },
    size(name) {
      const path = keyOf(name, base);
      return path === undefined ? 0 : directory.read((tx) => tx.lookAtGraph(path)?.lines ?? 0);
    },
    revision: (path) => directory.read((tx) => revisionOf(tx, path)),
    changesSince: (revision) => directory.read((tx) => changesSince(tx, revision)),
  };
}
