import { randomUUID } from 'node:crypto';
import { answered, type Sql } from './postgres-connection.js';

/** Bytes of a chunk: some of them are in memory at a time, and no row is large. */
const CHUNK = 512 * 1024;
/** Chunks that are asked for at a time. */
const CHUNKS = 4;

/** The documents of a store: each a version that is written whole before it takes its name. */
export class PostgresDocuments {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async putDocument(sha256: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
    const sql = this.#sql;
    const version = randomUUID();
    let number = 0;
    for await (const bytes of inChunks(parts)) {
      await answered(
        sql`INSERT INTO chartgraph.chunks (version, number, bytes) VALUES (${version}, ${number++}, ${bytes})`,
      );
    }
    await answered(
      sql.begin(async (tx) => {
        const [before] = await tx<{ version: string }[]>`
          SELECT version FROM chartgraph.documents WHERE sha256 = ${sha256} FOR UPDATE`;
        await tx`
          INSERT INTO chartgraph.documents (sha256, version, changed) VALUES (${sha256}, ${version}, ${Date.now()})
          ON CONFLICT (sha256) DO UPDATE SET version = EXCLUDED.version, changed = EXCLUDED.changed`;
        if (before) await tx`DELETE FROM chartgraph.chunks WHERE version = ${before.version}`;
      }),
    );
  }

  async *document(sha256: string): AsyncIterable<Uint8Array> {
    const sql = this.#sql;
    const [found] = await answered(
      sql<{ version: string }[]>`SELECT version FROM chartgraph.documents WHERE sha256 = ${sha256}`,
    );
    if (!found) return;
    for (let next = 0; ; next += CHUNKS) {
      const rows = await answered(
        sql<{ bytes: Uint8Array }[]>`
          SELECT bytes FROM chartgraph.chunks
          WHERE version = ${found.version} AND number >= ${next} AND number < ${next + CHUNKS} ORDER BY number`,
      );
      for (const { bytes } of rows) yield bytes;
      if (rows.length < CHUNKS) return;
    }
  }

  async documentsBefore(time: number): Promise<string[]> {
    const rows = await answered(
      this.#sql<{ sha256: string }[]>`SELECT sha256 FROM chartgraph.documents WHERE changed < ${time}`,
    );
    return rows.map(({ sha256 }) => sha256);
  }

  async removeDocuments(hashes: readonly string[], before: number): Promise<void> {
    if (hashes.length === 0) return;
    await answered(this.#sql`
      WITH removed AS (
        DELETE FROM chartgraph.documents WHERE sha256 = ANY (${[...hashes]}::text[]) AND changed < ${before}
        RETURNING version
      )
      DELETE FROM chartgraph.chunks WHERE version IN (SELECT version FROM removed)`);
  }
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
