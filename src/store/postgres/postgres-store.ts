import { randomUUID } from 'node:crypto';
import { DataDirectoryError } from '../disk/data-directory-error.js';
import { digestOf, entryOfRow, keyBytes, type EntryRow } from './entry-keys.js';
import { ANSWER_WITHIN, cannotOpen, connect, type Run } from './postgres-connection.js';
import { PostgresDocuments } from './postgres-documents.js';
import { pruneStore } from './postgres-pruning.js';
import { prepareSchema } from './postgres-schema.js';
import {
  HistoryLost,
  type Position,
  type SharedStore,
  type StoredEntry,
  type Take,
  type Turn,
} from './shared-store.js';

const CONNECTIONS = 4;
const ROWS = 2000;

/**
 * Opens the store in a PostgreSQL database, creating missing tables.
 * @param within milliseconds to wait for an answer
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

export class PostgresStore extends PostgresDocuments {
  head(): Promise<Position> {
    return headOf(this.connections.run);
  }

  /**
   * Passes on what was written since a position, in batches from one snapshot; no batch is consistent alone.
   * @param most entries; beyond that, a new copy is cheaper
   * @returns the position reached
   * @throws HistoryLost
   */
  since(position: Position, take: Take, most?: number): Promise<Position> {
    return this.connections.transaction((run) => changesSince(run, position, take, most), {
      isSnapshot: true,
    });
  }

  everything(take: Take): Promise<Position> {
    const kind = { isSnapshot: true, isLong: true };
    return this.connections.transaction(async (run) => {
      const rows = 'SELECT tab, key, value FROM chartgraph.entries WHERE value IS NOT NULL';
      for await (const some of inParts<EntryRow>(run, rows)) await take(some.map(entryOfRow));
      return headOf(run);
    }, kind);
  }

  /** Fills an empty store, all or nothing, and checks digests. @returns the number stored @throws DataDirectoryError */
  fill(entries: Iterable<StoredEntry>): Promise<number> {
    return this.connections.transaction(
      async (run) => {
        const head = await headOf(run, true);
        const [content] = await run<{ some: boolean }>(
          'SELECT EXISTS (SELECT FROM chartgraph.entries) AS some',
        );
        if (head.sequence > 0 || content?.some)
          throw new DataDirectoryError('The store holds a container already: name an empty database.');
        const next = { sequence: 1, commit: randomUUID() };
        const digests = new Map<string, string>();
        for (const some of inGroups(entries)) {
          for (const entry of some) digests.set(...digestOf(entry));
          await putEntries(run, some, next.sequence);
        }
        await moveHead(run, next);
        const stored = await digestsOf(run);
        if (
          stored.size === digests.size &&
          [...digests].every(([name, digest]) => stored.get(name) === digest)
        )
          return stored.size;
        throw new DataDirectoryError(
          'The database did not store everything as it came; nothing was changed, try again.',
        );
      },
      { isLong: true },
    );
  }

  /** Returns the SHA-256 of each value in base64, by table, a space and the key bytes in base64. */
  digests(): Promise<ReadonlyMap<string, string>> {
    return this.connections.transaction(digestsOf, { isSnapshot: true, isLong: true });
  }

  /** Runs `work` while nobody else commits; if it throws, its writes are rolled back. */
  exclusively<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    return this.connections.transaction(async (run) => {
      const head = await headOf(run, true);
      return work({
        head,
        since: (position, take) => changesSince(run, position, take),
        write: async (entries) => {
          const next = { sequence: head.sequence + 1, commit: randomUUID() };
          for (const some of inGroups(entries)) await putEntries(run, some, next.sequence);
          await moveHead(run, next);
          return next;
        },
      });
    });
  }

  /**
   * Records digests until they expire (ms since 1970), and returns the store's position.
   * @param digests distinct, 32 bytes each
   * @param at records nothing, with `isNew` undefined, unless the store is at this position; undefined for any
   * @returns whether each digest was new
   */
  async recordNonces(
    digests: readonly Uint8Array[],
    expiresAt: readonly number[],
    now: number,
    at: Position | undefined,
  ): Promise<{ isNew: readonly boolean[] | undefined; head: Position }> {
    // Ordered, so that two statements with the same nonces cannot deadlock.
    const [row] = await this.connections.run<Position & { taken: readonly string[] | null }>(
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
    const { taken, ...head } = required(row);
    if (at && at.commit !== head.commit) return { isNew: undefined, head };
    const names = new Set(taken);
    return { isNew: digests.map((digest) => names.has(Buffer.from(digest).toString('base64'))), head };
  }

  /** Records the state of a gateway's access log, so that truncation is noticed. */
  async anchor(chain: string, gateway: string, entries: number, hash: string): Promise<void> {
    await this.connections.run(
      `INSERT INTO chartgraph.anchors (chain, gateway, entries, hash, changed) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (chain) DO UPDATE
       SET gateway = EXCLUDED.gateway, entries = EXCLUDED.entries, hash = EXCLUDED.hash, changed = EXCLUDED.changed
       WHERE anchors.entries <= EXCLUDED.entries`,
      [chain, gateway, entries, hash, Date.now()],
    );
  }

  async anchorOf(chain: string): Promise<{ entries: number; hash: string } | undefined> {
    const [row] = await this.connections.run<{ entries: number; hash: string }>(
      'SELECT entries, hash FROM chartgraph.anchors WHERE chain = $1',
      [chain],
    );
    return row;
  }

  prune(): Promise<void> {
    return pruneStore(this.connections);
  }

  close(): Promise<void> {
    return this.connections.close();
  }
}

async function headOf(run: Run, lock = false): Promise<Position> {
  const sql = 'SELECT sequence, commit FROM chartgraph.head';
  const [head] = await (lock ? run<Position>(`${sql} FOR UPDATE`) : run<Position>(sql, [], 'head'));
  return required(head);
}

function required<Row>(head: Row | undefined): Row {
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

/** Usually a single query returns the few rows; a restore has too many for one. */
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
  const digests = new Map<string, string>();
  const rows = `SELECT tab || ' ' || translate(encode(key, 'base64'), E'\\n', '') AS name,
    encode(sha256(value), 'base64') AS digest FROM chartgraph.entries WHERE value IS NOT NULL`;
  for await (const some of inParts<{ name: string; digest: string }>(run, rows))
    for (const { name, digest } of some) digests.set(name, digest);
  return digests;
}

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

function* inGroups<T>(all: Iterable<T>): Generator<T[]> {
  let group: T[] = [];
  for (const each of all) {
    group.push(each);
    if (group.length < ROWS) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
