import postgres from 'postgres';
import { Problem } from '../../problem.js';
import { DataDirectoryError } from '../data-directory-error.js';

/** Connections of a PostgreSQL store. */
export type Sql = postgres.Sql<{ bigint: number }>;
export type TransactionSql = postgres.TransactionSql<{ bigint: number }>;

/** Seconds until a host that does not answer is given up. */
const CONNECT_WITHIN = 5;
/** Milliseconds until an answer that does not come counts as none. */
const ANSWER_WITHIN = 15_000;
/** OID of `bytea`. */
const BYTEA = 17;
/** OID of `bigint`. */
const BIGINT = 20;

const numbers = {
  to: BIGINT,
  from: [BIGINT],
  serialize: (value: number) => String(value),
  parse: (text: string) => Number(text),
};

/**
 * Opens connections to a server, or to the one of several that takes writes.
 * @param url `postgres://user@host1,host2:5433/database?sslmode=require`; what is missing is taken from PGPASSWORD and the
 * other variables of libpq that the client reads
 * @throws DataDirectoryError for what is no such URL
 */
export function connect(url: string, most: number): Sql {
  const isEncrypted = /[?&]sslmode=(?:require|verify-ca|verify-full)\b/u.test(url);
  try {
    return postgres<{ bigint: typeof numbers }>(url, {
      max: most,
      connect_timeout: CONNECT_WITHIN,
      keep_alive: 30,
      target_session_attrs: 'read-write',
      // Every certificate is checked, also where libpq would let some pass.
      ...(isEncrypted ? { ssl: true } : {}),
      types: { bigint: numbers },
      onnotice: () => undefined,
      connection: {
        application_name: 'chartgraph',
        lock_timeout: ANSWER_WITHIN,
        client_min_messages: 'error',
      },
      backoff: (retries: number) => Math.min(2, 0.1 * 2 ** retries),
    });
  } catch (cause) {
    throw new DataDirectoryError(
      '--store is no address of a PostgreSQL database: write postgres://user@host/database.',
      { cause },
    );
  }
}

/** An array of bytes as a parameter. */
export function bytesArray(sql: Sql | TransactionSql, values: readonly (Uint8Array | null)[]) {
  return sql.array(values as unknown as Buffer[], BYTEA);
}

/**
 * Waits for the server, but not for ever.
 * @throws Problem unavailable, with Retry-After, when it cannot be reached, goes away, or is too slow
 */
export async function answered<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unreachable(new Error('no answer in time'))), ANSWER_WITHIN);
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
  return new Problem('unavailable', 'The shared store cannot be reached at the moment; try again.', {
    headers: { 'Retry-After': '2' },
    cause,
  });
}

/**
 * Whether an error says that there is no server, that it goes away, or that it is one that takes no writes: SQLSTATE
 * classes 08 (connection), 53 (resources), 57P (shutdown), 25006 (read only), 40 (rolled back), 55P03 (lock).
 */
function isOfConnection(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code ?? '');
  return (
    /^(?:08|53|57P|40)/u.test(code) ||
    ['25006', '55P03'].includes(code) ||
    /^(?:E[A-Z]+|CONNECTION_[A-Z_]+|CONNECT_TIMEOUT)$/u.test(code)
  );
}

/** A sentence for who starts a container or runs a command. */
export function cannotOpen(url: string, error: unknown): DataDirectoryError {
  const { code, message } = error as { code?: string; message?: string };
  const cause = (error as Error).cause as { code?: string; message?: string } | undefined;
  const why = cause?.message ?? message ?? String(error);
  const hint = hints[cause?.code ?? code ?? ''] ?? '';
  return new DataDirectoryError(`The store at ${withoutPassword(url)} cannot be used: ${why}.${hint}`, {
    cause: error,
  });
}

const hints: Readonly<Record<string, string>> = {
  ECONNREFUSED: ' Is the server running, and is the port right?',
  ENOTFOUND: ' Is the name of the host right?',
  CONNECT_TIMEOUT: ' Does a firewall stand between?',
  '28P01': ' Set PGPASSWORD, or write the password into the address.',
  '28000': ' The server does not let this user in from here (pg_hba.conf).',
  '3D000': ' Create the database first: createdb.',
  '42501': ' The user must own the database, or its schema chartgraph.',
};

/** An address as it may be shown. */
export function withoutPassword(url: string): string {
  return url.replace(/(\/\/[^/@:]*):[^@]*@/u, '$1@').replace(/([?&]password=)[^&]*/u, '$1…');
}
