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

/** The documents of a store: each a version that is written whole before it takes its name. */
export class PostgresDocuments {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async putDocument(sha256: string, parts: AsyncIterable<Uint8Array>, keys?: Uint8Array): Promise<boolean> {
    const version = randomUUID();
    let number = 0;
    for await (const bytes of inChunks(parts)) {
      await this.#connections.run(
        'INSERT INTO chartgraph.chunks (version, number, bytes) VALUES ($1, $2, $3)',
        [version, number++, bytes],
      );
    }
    return this.#connections.transaction(async (run) => {
      if (keys && !(await areStored(run, keys))) {
        await run('DELETE FROM chartgraph.chunks WHERE version = $1', [version]);
        return false;
      }
      const [before] = await run<{ version: string }>(
        'SELECT version FROM chartgraph.documents WHERE sha256 = $1 FOR UPDATE',
        [sha256],
      );
      await run(
        `INSERT INTO chartgraph.documents (sha256, version, changed) VALUES ($1, $2, $3)
         ON CONFLICT (sha256) DO UPDATE SET version = EXCLUDED.version, changed = EXCLUDED.changed`,
        [sha256, version, Date.now()],
      );
      if (before) await run('DELETE FROM chartgraph.chunks WHERE version = $1', [before.version]);
      return true;
    });
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
    if (hashes.length === 0) return;
    await this.#connections.run(
      `WITH removed AS (
         DELETE FROM chartgraph.documents WHERE sha256 = ANY ($1::text[]) AND changed < $2 RETURNING version
       )
       DELETE FROM chartgraph.chunks WHERE version IN (SELECT version FROM removed)`,
      [hashes, before],
    );
  }
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
