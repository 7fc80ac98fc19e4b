import pg from 'pg';
import { Problem } from '../../model/problem.js';
import { DataDirectoryError } from '../disk/data-directory-error.js';
import { addressesOf, withoutPassword } from './postgres-address.js';

const CONNECT_TIMEOUT_MS = 5000;
/** Default milliseconds to wait for an answer. */
export const ANSWER_WITHIN = 15_000;
/**
 * Lets the server notice within half a minute that a machine is gone, which may have held the lock; its defaults take
 * two hours. A process that hangs gets longer than any commit takes, restores included.
 */
const SESSION_SETTINGS = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 4,
  tcp_user_timeout: 30_000,
  idle_in_transaction_session_timeout: 15 * 60_000,
};
const KEEPALIVE_DELAY_MS = 10_000;
const BIGINT = 20;

/** Runs one statement. @param name unique; lets each connection plan the statement once */
export type Run = <Row extends object = never>(
  sql: string,
  values?: readonly unknown[],
  name?: string,
) => Promise<Row[]>;

export type Connections = ReturnType<typeof connect>;

/** Sets only parameters that the server knows: PostgreSQL 11 has no tcp_user_timeout. */
const settings = `SELECT set_config(name, value, false)
  FROM json_each_text($1) AS wanted (name, value) WHERE name IN (SELECT name FROM pg_settings)`;

interface TransactionKind {
  readonly isSnapshot?: boolean;
  /** Only the caller waits for it, so it has no time limit. */
  readonly isLong?: boolean;
}

/**
 * Connects on demand.
 * @param url `postgres://user@host1,host2:5433/database?sslmode=verify-full`; libpq variables such as PGPASSWORD apply
 * @param most maximum connections
 * @param within milliseconds to wait for an answer
 * @throws DataDirectoryError for another kind of address
 */
export function connect(url: string, most: number, within = ANSWER_WITHIN) {
  const hosts = addressesOf(url);
  const pools = hosts.map((connectionString) => poolOf(connectionString, most));
  let closed: Promise<unknown> | undefined;
  let current = 0;
  const writable = new WeakSet<pg.PoolClient>();
  /** Connections whose rollback failed; they must not be reused. */
  const unfinished = new WeakSet<pg.PoolClient>();

  const client = async (): Promise<pg.PoolClient> => {
    let reason: unknown;
    for (let tried = 0; tried < pools.length; tried++) {
      const at = (current + tried) % pools.length;
      try {
        const found = await checkedOut(pools[at]);
        current = at;
        return found;
      } catch (error) {
        reason = error;
      }
    }
    throw reason as Error;
  };

  const checkedOut = async (pool: pg.Pool | undefined): Promise<pg.PoolClient> => {
    if (!pool) throw new Error('there is no server');
    const found = await pool.connect();
    if (writable.has(found)) return found;
    try {
      const { rows } = await found.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
      if (rows[0]?.standby) throw Object.assign(new Error('the server is a standby'), { code: '25006' });
      await found.query(settings, [JSON.stringify({ ...SESSION_SETTINGS, lock_timeout: within })]);
    } catch (error) {
      found.release(true);
      throw error;
    }
    writable.add(found);
    return found;
  };

  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const connecting = client();
    const found = await answered(connecting, within).catch((error: unknown) => {
      // Release a connection that arrives too late.
      connecting.then(
        (late) => late.release(true),
        () => undefined,
      );
      throw error;
    });
    let isBroken = true;
    try {
      const result = await work(found);
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = isOfConnection(error) || error instanceof Problem;
      throw isOfConnection(error) ? unreachable(error) : error;
    } finally {
      found.release(isBroken || unfinished.has(found));
    }
  };

  const run: Run = (sql, values, name) => withClient((found) => statements(found, within)(sql, values, name));
  return {
    run,
    /** @throws Problem unavailable without an answer in time: the transaction may or may not be committed then */
    transaction: <T>(
      work: (run: Run) => Promise<T>,
      { isSnapshot = false, isLong = false }: TransactionKind = {},
    ): Promise<T> =>
      withClient(async (found) => {
        const run = statements(found, isLong ? undefined : within);
        await run(isSnapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN');
        try {
          const result = await work(run);
          await run('COMMIT');
          return result;
        } catch (error) {
          // Closing a broken connection rolls it back.
          if (!isOfConnection(error) && !(error instanceof Problem))
            await run('ROLLBACK').catch(() => void unfinished.add(found));
          throw error;
        }
      }),
    async close(): Promise<void> {
      await (closed ??= Promise.all(pools.map((pool) => pool.end())));
    },
  };
}

function statements(client: pg.PoolClient, within: number | undefined): Run {
  return async <Row extends object>(
    sql: string,
    values: readonly unknown[] = [],
    name?: string,
  ): Promise<Row[]> => {
    const result = client.query({ text: sql, values: [...values], ...(name !== undefined && { name }) });
    const { rows } = await (within === undefined ? result : answered(result, within));
    return rows as Row[];
  };
}

/** Closes a connection that failed, for example without a password; a command would wait for the server to do so. */
class Client extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | void {
    if (!callback) return super.connect();
    super.connect((error: Error) => {
      if (error as Error | undefined) this.end(() => undefined);
      (callback as (error: Error) => void)(error);
    });
  }
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

function poolOf(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    Client,
    connectionString,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
    application_name: 'chartgraph',
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        // Counts stay far below 2⁵³.
        oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  // A broken idle connection is replaced on demand.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

async function answered<T>(work: Promise<T>, within: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unreachable(new Error('no answer in time'))), within);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw isOfConnection(error) ? unreachable(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

function unreachable(cause: unknown): Problem {
  const { code = '' } = cause as { code?: string };
  const why = { '25006': 'takes no writes (it is read only)', '53100': 'takes no writes (its disk is full)' }[
    code
  ];
  return new Problem(
    'unavailable',
    `The shared store ${why ?? 'cannot be reached'} at the moment; try again.`,
    {
      headers: { 'Retry-After': '2' },
      cause,
    },
  );
}

/**
 * Tells whether there is no server, it goes away, or rejects writes: SQLSTATE classes 08 (connection), 53 (resources),
 * 57P (shutdown), 25006 (read only), 25P03 (idle too long), 40 (rolled back), 55P03 (lock).
 */
function isOfConnection(error: unknown): boolean {
  if (error instanceof Problem || !(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string')
    return (
      /^(?:08|53|57P|40)/u.test(code) || ['25006', '25P03', '55P03'].includes(code) || /^E[A-Z]+$/u.test(code)
    );
  return /[Cc]onnection (?:terminated|timeout|ended)|timeout exceeded|Client has encountered a connection error/u.test(
    error.message,
  );
}

export function cannotOpen(url: string, error: unknown): DataDirectoryError {
  const known = (error instanceof Problem ? error.cause : error) as
    { code?: string; message?: string } | undefined;
  const { code = '', message = String(error) } = known ?? {};
  // If a host has several addresses, the first error is enough.
  const isWithoutPassword = /password must be a string/iu.test(message);
  const why = isWithoutPassword
    ? 'the server asks for a password'
    : message || ((known as { errors?: Error[] }).errors?.[0]?.message ?? code);
  return new DataDirectoryError(
    `The store at ${withoutPassword(url)} cannot be used: ${why}.${hints[isWithoutPassword ? '28P01' : code] ?? ''}`,
    { cause: error },
  );
}

const UNKNOWN_AUTHORITY = ' Name the certificate of its authority in the address: sslrootcert=FILE.';
const hints: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ECONNREFUSED: ' Is the server running, and is the port right?',
  ENOTFOUND: ' Is the name of the host right?',
  '25006': ' Name the server that takes writes as well.',
  '28P01': ' Set PGPASSWORD, or write the password into the address.',
  '28000': ' The server does not let this user in from here (pg_hba.conf).',
  '3D000': ' Create the database first: createdb.',
  '42501': ' The user must own the database, or its schema chartgraph.',
};
