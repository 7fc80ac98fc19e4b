import { readHistoryKey } from './disk/history-tags.js';
import type { ReadTx } from './disk/transaction.js';
import { readTriples } from '../rdf/ntriples.js';
import { ownUrn } from '../rdf/vocabulary.js';
import { pathsUnder } from './stored-graphs.js';
import { momentsFrom } from './history.js';
import { textAt } from './past.js';
import { keyOf, nameOf } from './paths.js';
import type { PrimaryStore } from './primary-store.js';
import { innerLabelUnder, resolveText } from './relative-text.js';

export type Graphs = Pick<PrimaryStore, 'graph' | 'names' | 'has'>;

export function graphsAfter({ directory, base }: PrimaryStore, revision: number): Graphs {
  const innerLabel = innerLabelUnder(base);
  const textOf = (name: string): string | undefined => {
    const path = keyOf(name, base);
    return path === undefined ? undefined : directory.read((tx) => textAt(tx, path, revision));
  };
  return {
    graph(name) {
      const text = textOf(name);
      return text === undefined ? undefined : readTriples(resolveText(text, base), innerLabel);
    },
    has: (name) => textOf(name) !== undefined,
    names(prefix = base) {
      const start = prefix.startsWith(ownUrn) ? prefix : prefix.slice(base.length);
      return directory.read((tx) => {
        const paths = new Set([...pathsUnder(tx, start), ...endedUnder(tx, start)]);
        return [...paths]
          .filter((path) => textAt(tx, path, revision) !== undefined)
          .map((path) => nameOf(path, base));
      });
    },
  };
}

function endedUnder(tx: ReadTx, prefix: string): string[] {
  return Array.from(
    tx.range('history', { prefix: prefix || undefined, values: false }),
    ({ key }) => readHistoryKey(String(key)).path,
  );
}

/** Returns the existing graphs that changed after a revision. */
export function graphsSince(primary: PrimaryStore, since: number): Graphs {
  const { base } = primary;
  const changed = new Set(changedSince(primary, since).map((path) => nameOf(path, base)));
  const has = (name: string): boolean => changed.has(name) && primary.has(name);
  return {
    has,
    graph: (name) => (changed.has(name) ? primary.graph(name) : undefined),
    names: (prefix) => primary.names(prefix).filter((name) => changed.has(name)),
  };
}

/** Returns the names of graphs that existed after a change and are gone. */
export function removedSince(primary: PrimaryStore, since: number): string[] {
  const { directory, base } = primary;
  const paths = changedSince(primary, since);
  return directory.read((tx) =>
    paths
      .filter((path) => !tx.has('graphs', path) && textAt(tx, path, since) !== undefined)
      .map((path) => nameOf(path, base))
      .sort(),
  );
}

function changedSince({ directory }: PrimaryStore, since: number): string[] {
  return directory.read((tx) => {
    const paths = new Set<string>();
    for (const { changes } of momentsFrom(tx, since + 1)) {
      for (const change of changes)
        if (change.revision > since) for (const path of change.paths) paths.add(path);
    }
    return [...paths];
  });
}
