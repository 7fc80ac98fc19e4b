import { createHmac } from 'node:crypto';
import type { DataDirectory, ReadTx } from '../../disk/data-directory.js';
import { HistoryLost } from '../../disk/shared/shared-store.js';
import type { Ontology } from '../../ontology/model.js';
import { Problem } from '../../problem.js';
import { changesSince, lastRevision } from '../../store/change-log.js';
import { nameOf } from '../../store/paths.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { resolveText } from '../../store/relative-text.js';
import { deidentifiedView } from '../deidentify.js';
import { levelGraphs, type LevelGraph } from '../level-text.js';
import { identified, type LevelName, type LevelView } from '../levels.js';
import { pseudonymKey } from '../pseudonyms.js';
import { ServerAway } from './sparql-server.js';

/** What a mirror is made of: a level of a container, graph by graph. */
export interface MirrorSource {
  readonly base: string;
  /** Resolves when what others have acknowledged is seen. @throws ServerAway while a shared store cannot be reached */
  current(): Promise<void>;
  /**
   * Names all that the content comes from but its revision: the history of the data, the level, the ontology, the graph in
   * the place of the default one, and the year, since the de-identified level tells ages above 89 by it. A keyed digest.
   */
  name(place: string | undefined): string;
  /** Whether the change log tells everything since a revision. */
  reaches(revision: number): boolean;
  /** Everything, in chunks, and the revision after which it may have changed meanwhile. */
  all(): {
    readonly revision: number;
    readonly total: number;
    readonly chunks: Iterable<readonly LevelGraph[]>;
  };
  /** What changed since a revision; undefined when the change log does not reach back that far. */
  changes(
    since: number,
  ): { readonly revision: number; readonly chunks: Iterable<readonly LevelGraph[]> } | undefined;
}

/** What a source is made with. */
export interface MirrorSourceOptions {
  readonly directory: DataDirectory;
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  /** Of the files of the ontology. */
  readonly digest: string;
  /** Of the program that makes the content: another one may make it in another way. */
  readonly version: string;
  readonly level: LevelName;
}

/** Characters of stored text, and graphs, that are read at a time. */
const CHUNK = 1 << 18;
const MOST_GRAPHS = 200;

/** A level of a data directory, exactly as the queries of analysts see it. */
export function mirrorSource(options: MirrorSourceOptions): MirrorSource {
  const { directory, primary, ontology, digest, version, level } = options;
  const { base } = primary;
  const key = pseudonymKey(directory.accountKey);
  const view: LevelView = level === 'identified' ? identified : deidentifiedView(primary, ontology);
  const graphOf = levelGraphs(view, { base, ontology });
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
    all: () => ({
      ...directory.read((tx) => ({ revision: lastRevision(tx), total: tx.count('graphs') })),
      chunks: everything(directory, shown),
    }),
    changes: (since) => {
      const { revision, complete, paths } = directory.read((tx) => changesSince(tx, since));
      return complete ? { revision, chunks: those([...paths], directory, shown) } : undefined;
    },
  };
}

async function currentOf(directory: DataDirectory): Promise<void> {
  try {
    await directory.current?.();
  } catch (error) {
    // A failover takes a while; a copy that has to be made anew stays so.
    if (!(error instanceof Problem) || error.cause instanceof HistoryLost) throw error;
    throw new ServerAway(error.message.replace(/(?:; try again)?\.$/u, ''), { cause: error });
  }
}

type Shown = (path: string, text: string) => LevelGraph;

/** Every graph, each chunk read from the newest state. */
function* everything(directory: DataDirectory, shown: Shown): Generator<readonly LevelGraph[]> {
  for (let after = ''; ;) {
    const graphs: LevelGraph[] = [];
    const isEnd = directory.read((tx) => {
      let characters = 0;
      for (const { key, value } of tx.range('graphs', after === '' ? {} : { after })) {
        if (characters >= CHUNK || graphs.length >= MOST_GRAPHS) return false;
        after = String(key);
        characters += String(value).length;
        graphs.push(shown(after, String(value)));
      }
      return true;
    });
    if (graphs.length > 0) yield graphs;
    if (isEnd) return;
  }
}

/** Some graphs as they are now; what is no longer there is empty. */
function* those(
  paths: readonly string[],
  directory: DataDirectory,
  shown: Shown,
): Generator<readonly LevelGraph[]> {
  const textOf = (tx: ReadTx, path: string): string => (tx.get('graphs', path) as string | undefined) ?? '';
  for (let from = 0; from < paths.length; from += MOST_GRAPHS) {
    const some = paths.slice(from, from + MOST_GRAPHS);
    yield directory.read((tx) => some.map((path) => shown(path, textOf(tx, path))));
  }
}
