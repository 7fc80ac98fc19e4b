import type { DataDirectory, WriteTx } from './disk/data-directory.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import { ownUrn } from '../rdf/vocabulary.js';
import { applyAlone, applyChange, prepare, type PreparedChange } from './apply.js';
import { graphText, pathsUnder } from './stored-graphs.js';
import { changesSince, LogWriter, revisionOf } from './change-log.js';
import { type Change, StaleRevision } from './graph-store.js';
import type { Author } from './history.js';
import { keyOf, nameOf } from './paths.js';
import { innerLabelUnder, resolveText } from './relative-text.js';

interface PendingChange {
  readonly change: PreparedChange;
  readonly resolve: (revision: number) => void;
  readonly reject: (reason: unknown) => void;
}

/** Writes concurrent changes in one transaction. Each keeps its own revision and succeeds or fails alone. */
class GroupCommit {
  readonly #waiting: PendingChange[] = [];

  constructor(private readonly directory: DataDirectory) {}

  write(change: PreparedChange): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
      // The first change starts the transaction; others join until it begins.
      if (this.#waiting.length === 1) void this.#commit();
    });
  }

  async #commit(): Promise<void> {
    let group: PendingChange[] | undefined;
    const outcomes: (() => void)[] = [];
    let isThrown = false;
    try {
      await this.directory.transact((tx) => {
        group = this.#waiting.splice(0);
        try {
          writeAll(tx, group, outcomes);
        } catch (error) {
          isThrown = true;
          throw error;
        }
      });
      for (const settle of outcomes) settle();
    } catch (error) {
      group ??= this.#waiting.splice(0);
      // One error has rolled back all changes, so try each alone.
      if (isThrown && group.length > 1) for (const each of group) this.#alone(each);
      else for (const { reject } of group) reject(error);
    }
  }

  #alone({ change, resolve, reject }: PendingChange): void {
    this.directory.transact((tx) => applyAlone(tx, change)).then(resolve, reject);
  }
}

function writeAll(tx: WriteTx, group: readonly PendingChange[], outcomes: (() => void)[]): void {
  const log = new LogWriter(tx);
  for (const { change, resolve, reject } of group) {
    try {
      const revision = applyChange(tx, log, change);
      outcomes.push(() => resolve(revision));
    } catch (error) {
      if (!(error instanceof StaleRevision)) throw error;
      outcomes.push(() => reject(error));
    }
  }
  log.finish();
}

export type PrimaryStore = ReturnType<typeof openPrimaryStore>;

/**
 * Opens the durable half of the store under a base URL: whole graphs by name, revisions and the change log, without a
 * query engine. The caller closes the directory.
 * @param base absolute URL without a trailing slash
 * @param by default author
 */
export function openPrimaryStore(directory: DataDirectory, base: string, by: Author = {}) {
  const innerLabel = innerLabelUnder(base);
  const commits = new GroupCommit(directory);
  const textOf = (name: string): string | undefined => {
    const path = keyOf(name, base);
    return path === undefined ? undefined : directory.read((tx) => graphText(tx, path));
  };
  return {
    base,
    directory,
    /** Writes a change. `also` (synchronous) runs in the same transaction, even if no graph changes. */
    async write(change: Change, also?: (tx: WriteTx) => void): Promise<number> {
      const prepared = prepare(change, base, by);
      if (also === undefined) return commits.write(prepared);
      return directory.transact((tx) => {
        const revision = applyAlone(tx, prepared);
        also(tx);
        return revision;
      });
    },
    /** Returns a graph's quads in their original lexical forms, blank nodes blank; undefined if it is missing. */
    graph(name: string): Quad[] | undefined {
      const text = textOf(name);
      return text === undefined ? undefined : readTriples(resolveText(text, base), innerLabel);
    },
    /** Returns the graph names with an IRI prefix, in order. */
    names(prefix = base): string[] {
      if (!prefix.startsWith(base) && !prefix.startsWith(ownUrn)) return [];
      const start = prefix.startsWith(ownUrn) ? prefix : prefix.slice(base.length);
      return directory.read((tx) => pathsUnder(tx, start)).map((path) => nameOf(path, base));
    },
    has(name: string): boolean {
      const path = keyOf(name, base);
      return path !== undefined && directory.read((tx) => tx.has('graphs', path));
    },
    /** Returns the number of quads of a graph without reading them; 0 if it is missing. */
    size(name: string): number {
      const path = keyOf(name, base);
      return path === undefined ? 0 : directory.read((tx) => tx.lookAtGraph(path)?.lines ?? 0);
    },
    /** Returns the number of the last change at or below a path ('' = everything); 0 if there was none. */
    revision: (path: string): number => directory.read((tx) => revisionOf(tx, path)),
    changesSince: (revision: number) => directory.read((tx) => changesSince(tx, revision)),
  };
}
