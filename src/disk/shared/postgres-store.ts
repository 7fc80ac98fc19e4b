import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataDirectoryError } from '../data-directory-error.js';
import { copyRows } from './copy-rows.js';
import { digestOf, entryOfRow, keyBytes, type EntryRow } from './entry-keys.js';
import {
  answered,
  bytesArray,
  cannotOpen,
  connect,
  type Sql,
  type TransactionSql,
} from './postgres-connection.js';
import { PostgresDocuments } from './postgres-documents.js';
import { prepareSchema } from './postgres-schema.js';
import {
  HistoryLost,
  type Advance,
  type Position,
  type SharedStore,
  type StoredEntry,
  type Turn,
} from './shared-store.js';

/** Connections of a process: one may hold the turn, the others read. */
const CONNECTIONS = 4;
/** Rows that are asked for at a time when everything is copied. */
const ROWS = 2000;
/** Commits whose removals are known: a copy that has missed more is made anew. */
const HISTORY = 200_000;
/** How many are pruned at a time. */
const PRUNED_AT_ONCE = 20_000;

/**
 * Opens the store in a PostgreSQL database, and makes its tables where they are missing.
 * @param url as libpq writes it, with one host or several
 * @throws DataDirectoryError when it cannot be used
 */
export async function openPostgresStore(url: string): Promise<SharedStore> {
  const sql = connect(url, CONNECTIONS);
  try {
    await answered(prepareSchema(sql));
  } catch (error) {
    await sql.end({ timeout: 1 });
    throw error instanceof DataDirectoryError ? error : cannotOpen(url, error);
  }
  return new PostgresStore(sql);
}

class PostgresStore extends PostgresDocuments implements SharedStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    super(sql);
    this.#sql = sql;
  }

  head(): Promise<Position> {
    return answered(headOf(this.#sql));
  }

  since(position: Position): Promise<Advance> {
    return answered(
      this.#sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', (tx) => changesSince(tx, position)),
    ) as Promise<Advance>;
  }

  everything(take: (entries: readonly StoredEntry[]) => Promise<void> | void): Promise<Position> {
    // Takes as long as it takes: nothing waits for it but a start.
    return this.#sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (tx) => {
      const rows = tx<EntryRow[]>`SELECT tab, key, value FROM chartgraph.entries WHERE value IS NOT NULL`;
      for await (const some of rows.cursor(ROWS)) await take(some.map(entryOfRow));
      return headOf(tx);
    }) as Promise<Position>;
  }

  async fill(entries: Iterable<StoredEntry>): Promise<number> {
    const names = new Map<string, string>();
    const noted = function* (): Generator<StoredEntry> {
      for (const entry of entries) {
        names.set(...digestOf(entry));
        yield entry;
      }
    };
    // As long as it takes: nobody uses the store yet.
    return this.#sql.begin(async (tx) => {
      const head = await headOf(tx, true);
      const [row] = await tx<{ some: boolean }[]>`SELECT EXISTS (SELECT FROM chartgraph.entries) AS some`;
      if (head.sequence > 0 || row?.some)
        throw new DataDirectoryError('The store holds a container already: name an empty database.');
      const next = { sequence: 1, commit: randomUUID() };
      const rows =
        await tx`COPY chartgraph.entries (tab, key, value, sequence) FROM STDIN (FORMAT binary)`.writable();
      await pipeline(Readable.from(copyRows(noted(), next.sequence), { objectMode: false }), rows);
      await moveHead(tx, next);
      return sameDigests(await digestsOf(tx), names);
    }) as Promise<number>;
  }

  digests(): Promise<ReadonlyMap<string, string>> {
    return digestsOf(this.#sql);
  }

  exclusively<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    return answered(
      this.#sql.begin(async (tx) => {
        const head = await headOf(tx, true);
        return work({
          head,
          since: (position) => changesSince(tx, position),
          write: (entries) => writeEntries(tx, head, entries),
        });
      }),
    ) as Promise<T>;
  }

  async recordNonces(
    digests: readonly Uint8Array[],
    expiresAt: readonly number[],
    now: number,
  ): Promise<boolean[]> {
    const sql = this.#sql;
    const rows = await answered(
      sql<{ digest: Uint8Array }[]>`
        INSERT INTO chartgraph.nonces (digest, expires)
        SELECT * FROM unnest(${bytesArray(sql, digests)}::bytea[], ${[...expiresAt]}::bigint[]) AS given (digest, expires)
        ORDER BY digest
        ON CONFLICT (digest) DO UPDATE SET expires = EXCLUDED.expires WHERE nonces.expires < ${now}
        RETURNING digest`,
    );
    const taken = new Set(rows.map(({ digest }) => Buffer.from(digest).toString('base64')));
    return digests.map((digest) => taken.has(Buffer.from(digest).toString('base64')));
  }

  async anchor(chain: string, gateway: string, entries: number, hash: string): Promise<void> {
    await answered(this.#sql`
      INSERT INTO chartgraph.anchors (chain, gateway, entries, hash, changed)
      VALUES (${chain}, ${gateway}, ${entries}, ${hash}, ${Date.now()})
      ON CONFLICT (chain) DO UPDATE
      SET gateway = EXCLUDED.gateway, entries = EXCLUDED.entries, hash = EXCLUDED.hash, changed = EXCLUDED.changed
      WHERE anchors.entries <= EXCLUDED.entries`);
  }

  async anchorOf(chain: string): Promise<{ entries: number; hash: string } | undefined> {
    const [row] = await answered(
      this.#sql<{ entries: number; hash: string }[]>`
        SELECT entries, hash FROM chartgraph.anchors WHERE chain = ${chain}`,
    );
    return row;
  }

  async prune(): Promise<void> {
    const sql = this.#sql;
    await answered(sql`DELETE FROM chartgraph.nonces WHERE digest IN (
      SELECT digest FROM chartgraph.nonces WHERE expires < ${Date.now()} LIMIT ${PRUNED_AT_ONCE})`);
    await answered(
      sql.begin(async (tx) => {
        const { sequence } = await headOf(tx, true);
        const [oldest] = await tx<
          { sequence: number }[]
        >`SELECT min(sequence) AS sequence FROM chartgraph.commits`;
        const until = Math.min(sequence - HISTORY, (oldest?.sequence ?? 0) + PRUNED_AT_ONCE);
        // A copy may start from a commit that is known: what was removed after it must be known as well.
        await tx`DELETE FROM chartgraph.commits WHERE sequence < ${until}`;
        await tx`DELETE FROM chartgraph.entries WHERE value IS NULL AND sequence <= ${until}`;
      }),
    );
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }
}

async function headOf(sql: Sql | TransactionSql, lock = false): Promise<Position> {
  const [head] = lock
    ? await sql<Position[]>`SELECT sequence, commit FROM chartgraph.head FOR UPDATE`
    : await sql<Position[]>`SELECT sequence, commit FROM chartgraph.head`;
  if (!head) throw new Error('the store has no head');
  return { sequence: head.sequence, commit: head.commit };
}

async function changesSince(tx: TransactionSql, { sequence, commit }: Position): Promise<Advance> {
  const [known] = await tx<{ commit: string }[]>`
    SELECT commit FROM chartgraph.commits WHERE sequence = ${sequence}`;
  if (known?.commit !== commit) throw new HistoryLost();
  const rows = await tx<EntryRow[]>`
    SELECT tab, key, value FROM chartgraph.entries WHERE sequence > ${sequence}`;
  return { entries: rows.map(entryOfRow), to: await headOf(tx) };
}

async function writeEntries(
  tx: TransactionSql,
  head: Position,
  entries: readonly StoredEntry[],
): Promise<Position> {
  const next = { sequence: head.sequence + 1, commit: randomUUID() };
  const tables = entries.map(({ table }) => table);
  const keys = bytesArray(
    tx,
    entries.map(({ key }) => keyBytes(key)),
  );
  const values = bytesArray(
    tx,
    entries.map(({ value }) => value ?? null),
  );
  await tx`
    INSERT INTO chartgraph.entries (tab, key, value, sequence)
    SELECT tab, key, value, ${next.sequence}
    FROM unnest(${tables}::text[], ${keys}::bytea[], ${values}::bytea[]) AS given (tab, key, value)
    ON CONFLICT (tab, key) DO UPDATE SET value = EXCLUDED.value, sequence = EXCLUDED.sequence`;
  await moveHead(tx, next);
  return next;
}

async function moveHead(tx: TransactionSql, { sequence, commit }: Position): Promise<void> {
  await tx`UPDATE chartgraph.head SET sequence = ${sequence}, commit = ${commit}`;
  await tx`INSERT INTO chartgraph.commits (sequence, commit) VALUES (${sequence}, ${commit})`;
}

async function digestsOf(sql: Sql | TransactionSql): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const rows = sql<{ name: string; digest: string }[]>`
    SELECT tab || ' ' || translate(encode(key, 'base64'), E'\n', '') AS name, encode(sha256(value), 'base64') AS digest
    FROM chartgraph.entries WHERE value IS NOT NULL`;
  for await (const some of rows.cursor(ROWS)) for (const { name, digest } of some) found.set(name, digest);
  return found;
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
