import { randomUUID } from 'node:crypto';
import type { DataDirectory } from '../disk/data-directory.js';
import { searchTables } from '../disk/tables.js';
import type { WriteTx } from '../disk/transaction.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { lastRevision } from '../change-log.js';
import { survey, type Partition } from '../parts.js';
import { putLists, putRowState, readLists, readRowState, RowWriter } from './row-writer.js';
import type { SearchList } from './search-lists.js';

/** Graph names per transaction, since others wait for it. */
const MAX_NAMES = 500;

export interface RowsToMake {
  readonly directory: DataDirectory;
  readonly base: string;
  readonly lists: readonly SearchList[];
  /** Searched graphs lie at the path of a part, or at one place within it. */
  readonly partition: Partition;
  readonly progress?: ((done: number) => void) | undefined;
}

/** Makes the rows of all graphs if they are missing or for other lists. Others may write meanwhile. */
export async function makeRows(options: RowsToMake): Promise<void> {
  const { directory, progress } = options;
  const maker = randomUUID();
  if (!(await directory.transact((tx) => begin(tx, options.lists, maker)))) return;
  let done = 0;
  for (let from: string | undefined = ''; from !== undefined;) {
    const at: string = from;
    const step = await directory.transact((tx) => makeSome(tx, options, maker, at));
    from = step.to;
    progress?.((done += step.done));
  }
}

function begin(tx: WriteTx, lists: readonly SearchList[], maker: string): boolean {
  const through = lastRevision(tx);
  const state = readRowState(tx);
  const isSame = readLists(tx).text === JSON.stringify(lists);
  if (isSame && state?.through === through && state.maker === undefined) return false;
  for (const table of searchTables) tx.clear(table);
  putLists(tx, lists);
  putRowState(tx, { through, version: (state?.version ?? 0) + 1, maker });
  return true;
}

function makeSome(
  tx: WriteTx,
  { base, partition, lists }: RowsToMake,
  maker: string,
  from: string,
): { readonly done: number; readonly to: string | undefined } {
  // Another process may have started over, with its own lists.
  if (readRowState(tx)?.maker !== maker) return { done: 0, to: undefined };
  const { parts, to } = survey(tx, partition, from, MAX_NAMES);
  const through = lastRevision(tx);
  const rows = new RowWriter(tx, through);
  const places = new Set(lists.flatMap((list) => list.places.map(placeInPart)));
  for (const part of parts) {
    for (const place of places) {
      const text = tx.get('graphs', part + place) as string | undefined;
      if (text !== undefined) rows.says(part + place, text, base);
    }
  }
  rows.finish(through);
  const state = readRowState(tx);
  if (to === undefined && state?.through === through) {
    putRowState(tx, { version: state.version, through });
  }
  return { done: parts.length, to };
}

/** Returns the part of a place after its last parameter: `/demographics`, or ''. */
const placeInPart = (place: string): string =>
  place.slice(PathTemplate.of(place).throughLastParameter().text.length);
