import { randomUUID } from 'node:crypto';
import { DOCUMENT_HEADER } from '../sealed-document.js';
import { keyBytes } from './entry-keys.js';
import type { Connections, Run } from './postgres-connection.js';

/** Bytes of a chunk: some of them are in memory at a time, and no row is large. */
const CHUNK = 512 * 1024;
/** Chunks that are asked for at a time. */
const CHUNKS = 4;
/** Documents whose headers are asked for at a time. */
const HEADERS = 500;

/** Documents that are put at a time: each takes a connection for as long as that takes, and others need some as well. */
const PUT_AT_ONCE = 2;
/** Documents that one statement removes, each of 256 MB at most: no answer of the database takes long. */
const REMOVED_AT_ONCE = 10;

/** The documents of a store: each is a version that is put in one transaction, so that nothing is left of half a one. */
export class PostgresDocuments {
  readonly #connections: Connections;
  /** The last document of each row of those that wait to be put. */
  readonly #rows: Promise<unknown>[] = Array.from({ length: PUT_AT_ONCE }, () => Promise.resolve());
  #put = 0;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  putDocument(sha256: string, parts: AsyncIterable<Uint8Array>, keys?: Uint8Array): Promise<boolean> {
    const row = this.#put++ % PUT_AT_ONCE;
    const put = (this.#rows[row] as Promise<unknown>).then(() =>
      this.#connections.transaction((run) => putVersion(run, sha256, parts, keys)),
    );
    this.#rows[row] = put.catch(() => undefined);
    return put;
  }

  documentHeaders(after: string): Promise<{ sha256: string; header: Uint8Array }[]> {
    return this.#connections.run(
      `SELECT sha256, substring(bytes FROM 1 FOR $2) AS header
       FROM chartgraph.documents JOIN chartgraph.chunks USING (version)
       WHERE number = 0 AND sha256 > $1 ORDER BY sha256 LIMIT $3`,
      [after, DOCUMENT_HEADER, HEADERS],
    );
  }

  async *document(sha256: string): AsyncIterable<Uint8Array> {
    const { run } = this.#connections;
    const [found] = await run<{ version: string }>(
      'SELECT version FROM chartgraph.documents WHERE sha256 = $1',
      [sha256],
    );
    if (!found) return;
    for (let next = 0; ; next += CHUNKS) {
      const rows = await run<{ bytes: Uint8Array }>(
        `SELECT bytes FROM chartgraph.chunks
         WHERE version = $1 AND number >= $2 AND number < $3 ORDER BY number`,
        [found.version, next, next + CHUNKS],
      );
      for (const { bytes } of rows) yield bytes;
      if (rows.length < CHUNKS) return;
    }
  }

  async documentsBefore(time: number): Promise<string[]> {
    const rows = await this.#connections.run<{ sha256: string }>(
      'SELECT sha256 FROM chartgraph.documents WHERE changed < $1',
      [time],
    );
    return rows.map(({ sha256 }) => sha256);
  }

  async removeDocuments(hashes: readonly string[], before: number): Promise<void> {
    for (let at = 0; at < hashes.length; at += REMOVED_AT_ONCE)
      await this.#connections.run(
        `WITH removed AS (
           DELETE FROM chartgraph.documents WHERE sha256 = ANY ($1::text[]) AND changed < $2 RETURNING version
         )
         DELETE FROM chartgraph.chunks WHERE version IN (SELECT version FROM removed)`,
        [hashes.slice(at, at + REMOVED_AT_ONCE), before],
      );
  }

  async removeUnfinished(): Promise<void> {
    await this.#connections.transaction(
      (run) =>
        run(
          `DELETE FROM chartgraph.chunks WHERE NOT EXISTS (
             SELECT FROM chartgraph.documents WHERE documents.version = chunks.version)`,
        ),
      { isLong: true },
    );
  }
}

/** @returns false, and stores nothing, when the keys are not these any more */
async function putVersion(
  run: Run,
  sha256: string,
  parts: AsyncIterable<Uint8Array>,
  keys: Uint8Array | undefined,
): Promise<boolean> {
  const version = randomUUID();
  const drop = (chunks: string): Promise<never[]> =>
    run('DELETE FROM chartgraph.chunks WHERE version = $1', [chunks]);
  let number = 0;
  for await (const bytes of inChunks(parts))
    await run('INSERT INTO chartgraph.chunks (version, number, bytes) VALUES ($1, $2, $3)', [
      version,
      number++,
      bytes,
    ]);
  if (keys && !(await areStored(run, keys))) {
    await drop(version);
    return false;
  }
  // Of two who put a new one at once, neither would find the version of the other.
  await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [sha256]);
  const [before] = await run<{ version: string }>(
    'SELECT version FROM chartgraph.documents WHERE sha256 = $1 FOR UPDATE',
    [sha256],
  );
  await run(
    `INSERT INTO chartgraph.documents (sha256, version, changed) VALUES ($1, $2, $3)
     ON CONFLICT (sha256) DO UPDATE SET version = EXCLUDED.version, changed = EXCLUDED.changed`,
    [sha256, version, Date.now()],
  );
  if (before) await drop(before.version);
  return true;
}

/** Whether the keys of the store are these; whoever changes them then waits for the end of the transaction. */
async function areStored(run: Run, keys: Uint8Array): Promise<boolean> {
  const [row] = await run<{ value: Uint8Array }>(
    `SELECT value FROM chartgraph.entries WHERE tab = 'meta' AND key = $1 FOR SHARE`,
    [keyBytes('keys')],
  );
  return row !== undefined && Buffer.compare(row.value, keys) === 0;
}

async function* inChunks(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    waiting.push(part);
    size += part.byteLength;
    if (size < CHUNK) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(waiting);
}
