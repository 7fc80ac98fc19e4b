import { randomUUID } from 'node:crypto';
import { DataDirectoryError } from '../data-directory-error.js';
import { digestOf, entryOfRow, keyBytes, type EntryRow } from './entry-keys.js';
import { ANSWER_WITHIN, cannotOpen, connect, type Connections, type Run } from './postgres-connection.js';
import { PostgresDocuments } from './postgres-documents.js';
import { pruneStore } from './postgres-pruning.js';
import { prepareSchema } from './postgres-schema.js';
import {
  HistoryLost,
  type Position,
  type RecordedNonces,
  type SharedStore,
  type StoredEntry,
  type Take,
  type Turn,
} from './shared-store.js';

/** Connections of a process: one may hold the turn, the others read. */
const CONNECTIONS = 4;
/** Rows that are sent or asked for at a time. */
const ROWS = 2000;

/**
 * Opens the store in a PostgreSQL database, and makes its tables where they are missing.
 * @param url as libpq writes it, with one host or several
 * @param within milliseconds until an answer that does not come counts as none
 * @throws DataDirectoryError when it cannot be used
 */
export async function openPostgresStore(url: string, within = ANSWER_WITHIN): Promise<SharedStore> {
  const connections = connect(url, CONNECTIONS, within);
  try {
    await prepareSchema(connections);
  } catch (error) {
    await connections.close();
    throw error instanceof DataDirectoryError ? error : cannotOpen(url, error);
  }
  return new PostgresStore(connections);
}

class PostgresStore extends PostgresDocuments implements SharedStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    super(connections);
    this.#connections = connections;
  }

  head(): Promise<Position> {
    return headOf(this.#connections.run);
  }

  since(position: Position, take: Take, most?: number): Promise<Position> {
    return this.#connections.transaction((run) => changesSince(run, position, take, most), {
      isSnapshot: true,
    });
  }

  everything(take: Take): Promise<Position> {
    const kind = { isSnapshot: true, isLong: true };
    return this.#connections.transaction(async (run) => {
      const rows = 'SELECT tab, key, value FROM chartgraph.entries WHERE value IS NOT NULL';
      for await (const some of inParts<EntryRow>(run, rows)) await take(some.map(entryOfRow));
      return headOf(run);
    }, kind);
  }

  fill(entries: Iterable<StoredEntry>): Promise<number> {
    return this.#connections.transaction(
      async (run) => {
        const head = await headOf(run, true);
        const [found] = await run<{ some: boolean }>(
          'SELECT EXISTS (SELECT FROM chartgraph.entries) AS some',
        );
        if (head.sequence > 0 || found?.some)
          throw new DataDirectoryError('The store holds a container already: name an empty database.');
        const next = { sequence: 1, commit: randomUUID() };
        const digests = new Map<string, string>();
        for (const some of inGroups(entries, ROWS)) {
          for (const entry of some) digests.set(...digestOf(entry));
          await putEntries(run, some, next.sequence);
        }
        await moveHead(run, next);
        return sameDigests(await digestsOf(run), digests);
      },
      { isLong: true },
    );
  }

  digests(): Promise<ReadonlyMap<string, string>> {
    return this.#connections.transaction(digestsOf, { isSnapshot: true, isLong: true });
  }

  exclusively<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    return this.#connections.transaction(async (run) => {
      const head = await headOf(run, true);
      return work({
        head,
        since: (position, take) => changesSince(run, position, take),
        write: async (entries) => {
          const next = { sequence: head.sequence + 1, commit: randomUUID() };
          for (const some of inGroups(entries, ROWS)) await putEntries(run, some, next.sequence);
          await moveHead(run, next);
          return next;
        },
      });
    });
  }

  async recordNonces(
    digests: readonly Uint8Array[],
    expiresAt: readonly number[],
    now: number,
    at: Position | undefined,
  ): Promise<RecordedNonces> {
    // In one order, so that two statements with the same nonces do not wait for each other.
    const [row] = await this.#connections.run<Position & { taken: readonly string[] | null }>(
      `WITH recorded AS (
         INSERT INTO chartgraph.nonces (digest, expires)
         SELECT * FROM unnest($1::bytea[], $2::bigint[]) AS given (digest, expires)
         WHERE $4::text IS NULL OR EXISTS (SELECT FROM chartgraph.head WHERE commit = $4)
         ORDER BY digest
         ON CONFLICT (digest) DO UPDATE SET expires = EXCLUDED.expires WHERE nonces.expires < $3
         RETURNING digest)
       SELECT sequence, commit, (SELECT array_agg(encode(digest, 'base64')) FROM recorded) AS taken
       FROM chartgraph.head`,
      [digests, expiresAt, now, at?.commit ?? null],
      'nonces',
    );
    const { taken, ...head } = found(row);
    if (at && at.commit !== head.commit) return { isNew: undefined, head };
    const names = new Set(taken);
    return { isNew: digests.map((digest) => names.has(Buffer.from(digest).toString('base64'))), head };
  }

  async anchor(chain: string, gateway: string, entries: number, hash: string): Promise<void> {
    await this.#connections.run(
      `INSERT INTO chartgraph.anchors (chain, gateway, entries, hash, changed) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (chain) DO UPDATE
       SET gateway = EXCLUDED.gateway, entries = EXCLUDED.entries, hash = EXCLUDED.hash, changed = EXCLUDED.changed
       WHERE anchors.entries <= EXCLUDED.entries`,
      [chain, gateway, entries, hash, Date.now()],
    );
  }

  async anchorOf(chain: string): Promise<{ entries: number; hash: string } | undefined> {
    const [row] = await this.#connections.run<{ entries: number; hash: string }>(
      'SELECT entries, hash FROM chartgraph.anchors WHERE chain = $1',
      [chain],
    );
    return row;
  }

  prune(): Promise<void> {
    return pruneStore(this.#connections);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}

async function headOf(run: Run, lock = false): Promise<Position> {
  const sql = 'SELECT sequence, commit FROM chartgraph.head';
  const [head] = await (lock ? run<Position>(`${sql} FOR UPDATE`) : run<Position>(sql, [], 'head'));
  return found(head);
}

function found<Row>(head: Row | undefined): Row {
  if (!head) throw new Error('the store has no head');
  return head;
}

async function changesSince(
  run: Run,
  { sequence, commit }: Position,
  take: Take,
  most = Infinity,
): Promise<Position> {
  const [known] = await run<{ commit: string }>('SELECT commit FROM chartgraph.commits WHERE sequence = $1', [
    sequence,
  ]);
  if (known?.commit !== commit) throw new HistoryLost();
  let count = 0;
  for await (const some of rowsSince(run, sequence)) {
    if ((count += some.length) > most) throw new HistoryLost();
    await take(some.map(entryOfRow));
  }
  return headOf(run);
}

/** Mostly they are few, and one question does; those of a restore would take longer than an answer may. */
async function* rowsSince(run: Run, sequence: number): AsyncGenerator<EntryRow[]> {
  const rows = 'SELECT tab, key, value FROM chartgraph.entries WHERE sequence > $1';
  const few = await run<EntryRow>(`${rows} LIMIT ${ROWS}`, [sequence]);
  if (few.length < ROWS) yield few;
  else yield* inParts<EntryRow>(run, rows, [sequence]);
}

async function putEntries(run: Run, entries: readonly StoredEntry[], sequence: number): Promise<void> {
  await run(
    `INSERT INTO chartgraph.entries (tab, key, value, sequence)
     SELECT tab, key, value, $4 FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS given (tab, key, value)
     ON CONFLICT (tab, key) DO UPDATE SET value = EXCLUDED.value, sequence = EXCLUDED.sequence`,
    [
      entries.map(({ table }) => table),
      entries.map(({ key }) => keyBytes(key)),
      entries.map(({ value }) => value ?? null),
      sequence,
    ],
  );
}

async function moveHead(run: Run, { sequence, commit }: Position): Promise<void> {
  await run('UPDATE chartgraph.head SET sequence = $1, commit = $2', [sequence, commit]);
  await run('INSERT INTO chartgraph.commits (sequence, commit) VALUES ($1, $2)', [sequence, commit]);
}

async function digestsOf(run: Run): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const rows = `SELECT tab || ' ' || translate(encode(key, 'base64'), E'\\n', '') AS name,
    encode(sha256(value), 'base64') AS digest FROM chartgraph.entries WHERE value IS NOT NULL`;
  for await (const some of inParts<{ name: string; digest: string }>(run, rows))
    for (const { name, digest } of some) found.set(name, digest);
  return found;
}

/** The rows of a query, some at a time, inside a transaction. */
async function* inParts<Row extends object>(
  run: Run,
  sql: string,
  values: readonly unknown[] = [],
): AsyncGenerator<Row[]> {
  await run(`DECLARE parts NO SCROLL CURSOR FOR ${sql}`, values);
  for (;;) {
    const rows = await run<Row>(`FETCH ${ROWS} FROM parts`);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS) break;
  }
  await run('CLOSE parts');
}

function* inGroups<T>(all: Iterable<T>, size: number): Generator<T[]> {
  let group: T[] = [];
  for (const each of all) {
    group.push(each);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** @throws DataDirectoryError when two sets of digests differ */
function sameDigests(found: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>): number {
  const differ =
    found.size !== wanted.size || [...wanted].some(([name, digest]) => found.get(name) !== digest);
  if (!differ) return found.size;
  throw new DataDirectoryError(
    'The database did not store everything as it came; nothing was changed, try again.',
  );
}
