import { randomUUID } from 'node:crypto';
import { DataDirectoryError } from '../disk/data-directory-error.js';
import type { Connections, Run } from './postgres-connection.js';

const steps: readonly (readonly string[])[] = [
  [
    `CREATE TABLE chartgraph.head (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    sequence bigint NOT NULL,
    commit text NOT NULL
  )`,
    `CREATE TABLE chartgraph.entries (
    tab text NOT NULL,
    key bytea NOT NULL,
    value bytea,
    sequence bigint NOT NULL,
    PRIMARY KEY (tab, key)
  )`,
    `CREATE INDEX entries_sequence ON chartgraph.entries (sequence)`,
    `CREATE INDEX entries_removed ON chartgraph.entries (sequence) WHERE value IS NULL`,
    `CREATE TABLE chartgraph.commits (sequence bigint PRIMARY KEY, commit text NOT NULL)`,
    `CREATE TABLE chartgraph.nonces (digest bytea PRIMARY KEY, expires bigint NOT NULL)`,
    `CREATE INDEX nonces_expires ON chartgraph.nonces (expires)`,
    `CREATE TABLE chartgraph.documents (
    sha256 text PRIMARY KEY,
    version text NOT NULL,
    changed bigint NOT NULL
  )`,
    `CREATE TABLE chartgraph.chunks (
    version text NOT NULL,
    number integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (version, number)
  )`,
    `CREATE TABLE chartgraph.anchors (
    chain text PRIMARY KEY,
    gateway text NOT NULL,
    entries bigint NOT NULL,
    hash text NOT NULL,
    changed bigint NOT NULL
  )`,
  ],
];

const LOCK = 0x6368_6172;

/** Upgrades the schema `chartgraph`; gateways that start at once wait for each other. @throws DataDirectoryError */
export async function prepareSchema(connections: Connections): Promise<void> {
  await connections.transaction(async (run) => {
    await run('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const version = await versionOf(run);
    if (version > steps.length)
      throw new DataDirectoryError(
        `The store was made by a newer version of Chartgraph (schema ${version}, this program knows ${steps.length}): install that one.`,
      );
    if (version === 0) {
      await run('CREATE SCHEMA IF NOT EXISTS chartgraph');
      await run('CREATE TABLE chartgraph.schema (version integer NOT NULL)');
      await run('INSERT INTO chartgraph.schema VALUES (0)');
    }
    for (const statement of steps.slice(version).flat()) await run(statement);
    if (version === 0) {
      const commit = randomUUID();
      await run('INSERT INTO chartgraph.head (sequence, commit) VALUES (0, $1)', [commit]);
      await run('INSERT INTO chartgraph.commits (sequence, commit) VALUES (0, $1)', [commit]);
    }
    if (version < steps.length) await run('UPDATE chartgraph.schema SET version = $1', [steps.length]);
  });
}

async function versionOf(run: Run): Promise<number> {
  const [found] = await run<{ there: boolean }>(
    `SELECT to_regclass('chartgraph.schema') IS NOT NULL AS there`,
  );
  if (!found?.there) return 0;
  const [row] = await run<{ version: number }>('SELECT version FROM chartgraph.schema');
  return row?.version ?? 0;
}
