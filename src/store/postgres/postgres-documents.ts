import { randomUUID } from 'node:crypto';
import { DOCUMENT_HEADER } from '../documents/sealed-document.js';
import { keyBytes } from './entry-keys.js';
import type { Connections, Run } from './postgres-connection.js';

const CHUNK_BYTES = 512 * 1024;
const MAX_CHUNKS_READ = 4;
const MAX_HEADERS_READ = 500;

/** Each put holds a connection while it lasts, and others need some too. */
const MAX_PUTS = 2;
/** Each of up to 256 MB, so that no statement takes long. */
const MAX_REMOVED = 10;

/** The documents of a store. A version is written in one transaction, so none is ever incomplete. */
export class PostgresDocuments {
  readonly #lanes: Promise<unknown>[] = Array.from({ length: MAX_PUTS }, () => Promise.resolve());
  #putCount = 0;

  constructor(protected readonly connections: Connections) {}

  /**
   * Stores the sealed bytes of a document under its content's hash, replacing older ones, all or nothing.
   * @param keys the wrapped keys at the time of sealing
   * @returns false, and stores nothing, if the keys have changed since
   */
  putDocument(sha256: string, parts: AsyncIterable<Uint8Array>, keys?: Uint8Array): Promise<boolean> {
    const lane = this.#putCount++ % MAX_PUTS;
    const put = (this.#lanes[lane] as Promise<unknown>).then(() =>
      this.connections.transaction((run) => putVersion(run, sha256, parts, keys)),
    );
    this.#lanes[lane] = put.catch(() => undefined);
    return put;
  }

  /** Returns the headers of some documents after a hash, in order; none at the end. */
  documentHeaders(after: string): Promise<{ sha256: string; header: Uint8Array }[]> {
    return this.connections.run(
      `SELECT sha256, substring(bytes FROM 1 FOR $2) AS header
       FROM chartgraph.documents JOIN chartgraph.chunks USING (version)
       WHERE number = 0 AND sha256 > $1 ORDER BY sha256 LIMIT $3`,
      [after, DOCUMENT_HEADER, MAX_HEADERS_READ],
    );
  }

  /** Yields the sealed bytes of a document; nothing if it is missing. */
  async *document(sha256: string): AsyncIterable<Uint8Array> {
    const { run } = this.connections;
    const [found] = await run<{ version: string }>(
      'SELECT version FROM chartgraph.documents WHERE sha256 = $1',
      [sha256],
    );
    if (!found) return;
    for (let next = 0; ; next += MAX_CHUNKS_READ) {
      const rows = await run<{ bytes: Uint8Array }>(
        `SELECT bytes FROM chartgraph.chunks
         WHERE version = $1 AND number >= $2 AND number < $3 ORDER BY number`,
        [found.version, next, next + MAX_CHUNKS_READ],
      );
      for (const { bytes } of rows) yield bytes;
      if (rows.length < MAX_CHUNKS_READ) return;
    }
  }

  /** Returns the hashes of documents stored before a time (ms since 1970). */
  async documentsBefore(time: number): Promise<string[]> {
    const rows = await this.connections.run<{ sha256: string }>(
      'SELECT sha256 FROM chartgraph.documents WHERE changed < $1',
      [time],
    );
    return rows.map(({ sha256 }) => sha256);
  }

  async removeDocuments(hashes: readonly string[], before: number): Promise<void> {
    for (let at = 0; at < hashes.length; at += MAX_REMOVED)
      await this.connections.run(
        `WITH removed AS (
           DELETE FROM chartgraph.documents WHERE sha256 = ANY ($1::text[]) AND changed < $2 RETURNING version
         )
         DELETE FROM chartgraph.chunks WHERE version IN (SELECT version FROM removed)`,
        [hashes.slice(at, at + MAX_REMOVED), before],
      );
  }

  async removeUnfinished(): Promise<void> {
    await this.connections.transaction(
      (run) =>
        run(
          `DELETE FROM chartgraph.chunks WHERE NOT EXISTS (
             SELECT FROM chartgraph.documents WHERE documents.version = chunks.version)`,
        ),
      { isLong: true },
    );
  }
}

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
  // Otherwise two transactions that add the same document would not see each other's version.
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

/** Tells whether the keys are unchanged, and keeps them so until the transaction ends. */
async function areStored(run: Run, keys: Uint8Array): Promise<boolean> {
  const [row] = await run<{ value: Uint8Array }>(
    `SELECT value FROM chartgraph.entries WHERE tab = 'meta' AND key = $1 FOR SHARE`,
    [keyBytes('keys')],
  );
  return row !== undefined && Buffer.compare(row.value, keys) === 0;
}

async function* inChunks(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    pending.push(part);
    size += part.byteLength;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(pending);
    pending = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(pending);
}
