import type { Connections, Run } from './postgres-connection.js';

/** Commits whose removals are known: a copy that has missed more is made anew. */
const HISTORY = 200_000;
/** How many rows are removed at a time: short enough that who commits hardly waits. */
const AT_ONCE = 20_000;

/**
 * Removes what copies that are up to date need no more: nonces that have expired, old commits, and the empty rows of what
 * was removed up to the oldest commit that is left. As many as there are: what comes in between two chores is more than
 * any number where there are many requests, and one commit may have removed millions.
 */
export async function pruneStore(connections: Connections): Promise<void> {
  while ((await forgetNonces(connections)) === AT_ONCE);
  while ((await forgetCommits(connections)) === AT_ONCE);
}

/**
 * Those that have expired by the clock of this gateway and by that of the database: one whose clock is ahead alone, and who
 * refuses all requests for that, would let others take requests twice.
 * @returns how many there were, so many at most
 */
function forgetNonces({ run }: Connections): Promise<number> {
  return removed(
    run,
    `DELETE FROM chartgraph.nonces WHERE digest IN (
       SELECT digest FROM chartgraph.nonces
       WHERE expires < LEAST($1, (extract(epoch FROM now()) * 1000)::bigint) LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [Date.now(), AT_ONCE],
  );
}

/** @returns how many commits, or rows of what was removed, there were, so many at most */
function forgetCommits(connections: Connections): Promise<number> {
  return connections.transaction(async (run) => {
    // Nobody commits meanwhile, or is told what was removed since a commit that is about to go.
    const [head] = await run<Numbered>('SELECT sequence FROM chartgraph.head FOR UPDATE');
    const [oldest] = await run<Numbered>('SELECT min(sequence) AS sequence FROM chartgraph.commits');
    const until = Math.min((head?.sequence ?? 0) - HISTORY, (oldest?.sequence ?? 0) + AT_ONCE);
    // A copy may start from a commit that is known: what was removed after it must be known as well.
    const commits = await removed(run, 'DELETE FROM chartgraph.commits WHERE sequence < $1', [until]);
    const removals = await removed(
      run,
      `DELETE FROM chartgraph.entries WHERE ctid = ANY (ARRAY (
         SELECT ctid FROM chartgraph.entries WHERE value IS NULL AND sequence <= $1 LIMIT $2))`,
      [until, AT_ONCE],
    );
    return Math.max(commits, removals);
  });
}

interface Numbered {
  readonly sequence: number;
}

/** Runs a DELETE. @returns how many rows it has removed */
export async function removed(run: Run, sql: string, values: readonly unknown[]): Promise<number> {
  const [row] = await run<{ rows: number }>(
    `WITH removed AS (${sql} RETURNING 1) SELECT count(*) AS rows FROM removed`,
    values,
  );
  return row?.rows ?? 0;
}
