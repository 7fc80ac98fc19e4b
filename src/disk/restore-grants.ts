import type { ReadTx, WriteTx } from './transaction.js';
import type { TableName } from './tables.js';

/**
 * What lets somebody in, or has something sent to somebody. Of these tables a restore leaves what is there now and was
 * in the backup, too: so nothing comes back that was removed, and nothing is taken over that was begun since.
 */
const granting: readonly TableName[] = [
  'tokens',
  'analystTokens',
  'sessions',
  'requests',
  'consents',
  'subscriptions',
];
/** Tables whose rows stay when they are revoked, and say it. */
const revocable: readonly TableName[] = ['tokens', 'analystTokens'];

/** A second factor; what stands beside its sealed secret says what of it was used. */
interface Factor {
  readonly secret?: string;
}

/** What a restore does with the rows of a backup that let somebody in. */
export interface RestoredGrants {
  /** Whether the backup decides about the rows of a table as it does about all others. */
  isFree(table: TableName): boolean;
  /**
   * Whether the row of the backup takes the place of the one that is there: for tokens, what they may do is the
   * backup's. It never does where that one is revoked, and never in the other tables, where rows say more as time goes
   * on: that a request was denied, that a browser has opened it, when a session was used last.
   */
  takes(table: TableName, key: string | number): boolean;
  /**
   * Removes what the backup does not hold, and what a password ended, and uses up the codes that were used since. To be
   * called when all rows were asked about.
   */
  end(): void;
}

/** To be called in the transaction of the restore before it changes anything. */
export function restoredGrants(tx: WriteTx): RestoredGrants {
  const kept = new Map(granting.map((table) => [table, new Set<string | number>()]));
  const passwords = sessionPasswords(tx);
  const factors = [...tx.range('factors')];
  return {
    isFree: (table) => !kept.has(table),
    takes(table, key) {
      if (!tx.has(table, key)) return false;
      kept.get(table)?.add(key);
      return revocable.includes(table) && (tx.get(table, key) as { revoked?: boolean }).revoked !== true;
    },
    end() {
      for (const [table, keys] of kept) {
        for (const { key } of tx.range(table, { values: false })) if (!keys.has(key)) tx.remove(table, key);
      }
      for (const [session, password] of sessionPasswords(tx)) {
        // A session ends when its user gets another password: the one of before must not begin it again.
        if (password !== passwords.get(session)) tx.remove('sessions', session);
      }
      for (const { key, value } of factors) {
        const { secret } = (tx.get('factors', key) as Factor | undefined) ?? {};
        // The same enrolment: a code that was right once is not right again.
        if (secret !== undefined && secret === (value as Factor).secret) tx.put('factors', key, value);
      }
    },
  };
}

/** The password that the user of each session has, sealed as it is stored: two that are set are never the same text. */
function sessionPasswords(tx: ReadTx): Map<string | number, string | undefined> {
  const found = new Map<string | number, string | undefined>();
  for (const { key, value } of tx.range('sessions')) {
    const user = tx.get('users', String((value as { user?: string }).user)) as
      { password?: string } | undefined;
    found.set(key, user?.password);
  }
  return found;
}
