import { createHmac } from 'node:crypto';
import type { DataDirectory, ReadTx } from '../../store/disk/data-directory.js';
import { HistoryLost } from '../../store/postgres/shared-store.js';
import type { Ontology } from '../../model/ontology/model.js';
import { Problem } from '../../model/problem.js';
import { changesSince, lastRevision } from '../../store/change-log.js';
import { nameOf } from '../../store/paths.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { resolveText } from '../../store/relative-text.js';
import { deidentifiedView } from '../deidentify/view.js';
import { levelGraphs, type LevelGraph } from '../level-text.js';
import { identified, type LevelName, type LevelView } from '../levels.js';
import { openStatements } from '../open-statements.js';
import { pseudonymKey } from '../deidentify/pseudonyms.js';
import { ServerAway } from './sparql-server.js';

export interface MirrorSource {
  readonly base: string;
  /** Applies commits by other processes. @throws ServerAway while a shared store cannot be reached */
  current(): Promise<void>;
  /** Returns a keyed digest of all that determines the content: also the year, which decides who is over 89. */
  name(place: string | undefined): string;
  reaches(revision: number): boolean;
  /** Returns all graphs but the first ones in chunks, which are at least of this revision. */
  all(skip: number): {
    readonly revision: number;
    readonly total: number;
    readonly chunks: Iterable<readonly LevelGraph[]>;
  };
  /** Returns the changes since a revision; undefined if the change log does not reach back. */
  changes(
    since: number,
  ):
    | { readonly revision: number; readonly count: number; readonly chunks: Iterable<readonly LevelGraph[]> }
    | undefined;
}

export interface MirrorSourceOptions {
  readonly directory: DataDirectory;
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  readonly digest: string;
  readonly version: string;
  readonly level: LevelName;
}

const CHUNK = 1 << 18;
const MAX_GRAPHS = 200;

/** Opens a level of a data directory as the source of a mirror. */
export function mirrorSource(options: MirrorSourceOptions): MirrorSource {
  const { primary, ontology, digest, version, level } = options;
  const { base } = primary;
  const directory = level === 'identified' ? openStatements(primary, ontology).directory : options.directory;
  const key = pseudonymKey(directory.accountKey);
  const view: LevelView = level === 'identified' ? identified : deidentifiedView(primary, ontology);
  let graphOf = levelGraphs(view, { base, ontology });
  const shown = (path: string, text: string): LevelGraph =>
    graphOf(nameOf(path, base), resolveText(text, base));
  return {
    base,
    current: () => currentOf(directory),
    name: (place) =>
      createHmac('sha256', key)
        .update(
          JSON.stringify([
            'mirror',
            directory.epoch,
            base,
            level,
            digest,
            version,
            place ?? null,
            new Date().getUTCFullYear(),
          ]),
        )
        .digest('hex'),
    reaches: (revision) =>
      Number.isInteger(revision) && directory.read((tx) => changesSince(tx, revision).complete),
    all: (skip) => {
      // The other server is empty, so it has no titles of codes.
      graphOf = levelGraphs(view, { base, ontology });
      return {
        ...directory.read((tx) => ({ revision: lastRevision(tx), total: tx.count('graphs') })),
        chunks: everything(directory, shown, skip),
      };
    },
    changes: (since) => {
      const { revision, complete, paths } = directory.read((tx) => changesSince(tx, since));
      return complete
        ? { revision, count: paths.size, chunks: those([...paths], directory, shown) }
        : undefined;
    },
  };
}

async function currentOf(directory: DataDirectory): Promise<void> {
  try {
    await directory.current?.();
  } catch (error) {
    // A failover is temporary; a copy that must be remade is not.
    if (!(error instanceof Problem) || error.cause instanceof HistoryLost) throw error;
    throw new ServerAway(error.message.replace(/(?:; try again)?\.$/u, ''), { cause: error });
  }
}

type Shown = (path: string, text: string) => LevelGraph;

/** Yields every graph, each chunk from the newest state. */
function* everything(directory: DataDirectory, shown: Shown, skip: number): Generator<readonly LevelGraph[]> {
  let left = skip;
  for (let after = ''; ;) {
    const graphs: LevelGraph[] = [];
    const isEnd = directory.read((tx) => {
      let characters = 0;
      for (const { key, value } of tx.range('graphs', after === '' ? {} : { after })) {
        if (characters >= CHUNK || graphs.length >= MAX_GRAPHS) return false;
        after = String(key);
        if (left-- > 0) continue;
        characters += String(value).length;
        graphs.push(shown(after, String(value)));
      }
      return true;
    });
    if (graphs.length > 0) yield graphs;
    if (isEnd) return;
  }
}

/** Yields graphs in their current state; removed ones are empty. */
function* those(paths: readonly string[], directory: DataDirectory, shown: Shown) {
  const textOf = (tx: ReadTx, path: string): string => (tx.get('graphs', path) as string | undefined) ?? '';
  for (let from = 0; from < paths.length; from += MAX_GRAPHS) {
    const some = paths.slice(from, from + MAX_GRAPHS);
    yield directory.read((tx) => some.map((path) => shown(path, textOf(tx, path))));
  }
}
