import type { Connections, Run } from './postgres-connection.js';

/** Commits with known removals: a copy that has missed more is made again. */
const MAX_COMMITS = 200_000;
/** Rows removed per statement, so that commits hardly wait. */
const MAX_REMOVED = 20_000;

/** Removes expired nonces, old commits and removal rows; all of them, since a fixed number may be too few. */
export async function pruneStore(connections: Connections): Promise<void> {
  while ((await forgetNonces(connections)) === MAX_REMOVED);
  while ((await forgetCommits(connections)) === MAX_REMOVED);
}

/** Expired by the clocks of this gateway and of the database, since either may run ahead. */
function forgetNonces({ run }: Connections): Promise<number> {
  return removed(
    run,
    `DELETE FROM chartgraph.nonces WHERE digest IN (
       SELECT digest FROM chartgraph.nonces
       WHERE expires < LEAST($1, (extract(epoch FROM now()) * 1000)::bigint) LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [Date.now(), MAX_REMOVED],
  );
}

/** @returns the number of deleted commits, or of deleted removal rows if greater; at most `MAX_REMOVED` */
function forgetCommits(connections: Connections): Promise<number> {
  return connections.transaction(async (run) => {
    // Locks out commits, and reads of removals since a commit that is about to go.
    const [head] = await run<Numbered>('SELECT sequence FROM chartgraph.head FOR UPDATE');
    const [oldest] = await run<Numbered>('SELECT min(sequence) AS sequence FROM chartgraph.commits');
    const until = Math.min((head?.sequence ?? 0) - MAX_COMMITS, (oldest?.sequence ?? 0) + MAX_REMOVED);
    // A copy may start from any known commit, so all removals after it must stay.
    const commits = await removed(run, 'DELETE FROM chartgraph.commits WHERE sequence < $1', [until]);
    const removals = await removed(
      run,
      `DELETE FROM chartgraph.entries WHERE ctid = ANY (ARRAY (
         SELECT ctid FROM chartgraph.entries WHERE value IS NULL AND sequence <= $1 LIMIT $2))`,
      [until, MAX_REMOVED],
    );
    return Math.max(commits, removals);
  });
}

interface Numbered {
  readonly sequence: number;
}

export async function removed(run: Run, sql: string, values: readonly unknown[]): Promise<number> {
  const [row] = await run<{ rows: number }>(
    `WITH removed AS (${sql} RETURNING 1) SELECT count(*) AS rows FROM removed`,
    values,
  );
  return row?.rows ?? 0;
}
