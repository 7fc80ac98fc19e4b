import type { DataDirectory } from './disk/data-directory.js';
import { readHistoryKey } from './disk/history-tags.js';
import type { TableName } from './disk/tables.js';
import type { Entry, Key, Range, ReadTx } from './disk/transaction.js';
import type { DatedChange, Moment } from './history.js';

export interface HiddenPaths {
  /** Added to the epoch, so that no answer is taken for one with other paths. */
  readonly name: readonly string[];
  hides(path: string): boolean;
  /** Whether anything is hidden now. Default: yes. */
  hidesAny?(): boolean;
  /** Whether a path that is not hidden has hidden ones below it. */
  isAbove?(path: string): boolean;
}

/**
 * Returns a data directory as it would be without some graphs: none of its snapshots has their texts, history or
 * revisions, or links to them. Writes go to the whole directory.
 */
export function withoutPaths(directory: DataDirectory, hidden: HiddenPaths): DataDirectory {
  const replaced: Pick<DataDirectory, 'read' | 'readInTurns'> & { epoch: () => string } = {
    epoch: () => [directory.epoch, ...hidden.name].join(' '),
    read: (work) => directory.read((tx) => work(hiding(tx, hidden))),
    readInTurns: (work) => directory.readInTurns((tx, hold) => work(hiding(tx, hidden), hold)),
  };
  return new Proxy(directory, {
    get(whole, name) {
      if (name === 'epoch') return replaced.epoch();
      if (name === 'read' || name === 'readInTurns') return replaced[name];
      const value: unknown = Reflect.get(whole, name, whole);
      return typeof value === 'function' ? (value.bind(whole) as unknown) : value;
    },
  });
}

/** How the keys of a table name the path of a graph. */
const pathOf: Readonly<Partial<Record<TableName, (key: string) => string>>> = {
  graphs: (key) => key,
  fhirOrigins: (key) => key,
  history: (key) => readHistoryKey(key).path,
  revisions: (key) => key.slice(0, -1),
};

function hiding(tx: ReadTx, hidden: HiddenPaths): ReadTx {
  if (hidden.hidesAny?.() === false) return tx;
  const isHidden = (table: TableName, key: Key): boolean => {
    const path = pathOf[table]?.(String(key));
    return path !== undefined && hidden.hides(path);
  };
  const valueOf = (table: TableName, key: Key, value: unknown): unknown => {
    if (value === undefined) return undefined;
    if (table === 'moments') return visibleMoment(value as Moment, hidden);
    if (table === 'graphs' || table === 'history') return withoutLinks(value as string, hidden);
    const isShared = table === 'revisions' && hidden.isAbove?.(String(key).slice(0, -1));
    return isShared ? newestVisible(tx, hidden, String(key)) : value;
  };
  const view: ReadTx = {
    get: (table, key) => (isHidden(table, key) ? undefined : valueOf(table, key, tx.get(table, key))),
    has: (table, key) => !isHidden(table, key) && tx.has(table, key),
    isEmpty: (table, key) => !isHidden(table, key) && tx.isEmpty(table, key),
    bytes: (table, key) => (isHidden(table, key) ? undefined : tx.bytes(table, key)),
    range: (table, range) => shown(table, range),
    count: (table) => tx.count(table),
    lookAtGraph: (path, text) => (hidden.hides(path) ? undefined : tx.lookAtGraph(path, text)),
  };
  function* shown(table: TableName, { limit = Infinity, ...range }: Range = {}): Generator<Entry> {
    let left = limit;
    if (left <= 0) return;
    for (const { key, value } of tx.range(table, range)) {
      if (isHidden(table, key)) continue;
      yield { key, value: valueOf(table, key, value) };
      if (--left <= 0) return;
    }
  }
  return view;
}

/** A line of a stored text of which the subject or the object is in the container. */
const LINE = /^(?:<(\/[^>#]*)[^>]*>|\S+) \S+ (?:<(\/[^>#]*)[^>]*>|.*) \.\n/gmu;

/** Leaves out links to what is hidden: they would tell that it is there. */
function withoutLinks(text: string, { hides }: HiddenPaths): string {
  return text.replaceAll(LINE, (line, subject?: string, object?: string) =>
    [subject, object].some((path) => path !== undefined && hides(path)) ? '' : line,
  );
}

/** A place with hidden paths below it changed last when a visible one did. */
function newestVisible(tx: ReadTx, hidden: HiddenPaths, key: string): number | undefined {
  let newest: number | undefined;
  for (const { key: each, value } of tx.range('revisions', { prefix: key })) {
    const path = String(each).slice(0, -1);
    if (each === key || hidden.hides(path) || hidden.isAbove?.(path)) continue;
    newest = Math.max(newest ?? 0, value as number);
  }
  return newest;
}

function visibleMoment(moment: Moment, hidden: HiddenPaths): Moment {
  const isChanged = moment.changes.some(({ paths }) => paths.some((path) => hidden.hides(path)));
  return isChanged
    ? { ...moment, changes: moment.changes.map((change) => visibleChange(change, hidden)) }
    : moment;
}

function visibleChange(change: DatedChange, hidden: HiddenPaths): DatedChange {
  const { tags, paths } = change;
  const isVisible = (_: unknown, at: number): boolean => !hidden.hides(paths[at] ?? '');
  return { ...change, paths: paths.filter(isVisible), ...(tags && { tags: tags.filter(isVisible) }) };
}
