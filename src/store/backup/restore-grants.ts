import type { ReadTx, WriteTx } from '../disk/transaction.js';
import type { TableName } from '../disk/tables.js';

/** A row in these tables survives a restore only if the backup has it too: nothing revoked returns. */
const granting: readonly TableName[] = [
  'tokens',
  'analystTokens',
  'sessions',
  'requests',
  'grants',
  'consents',
  'subscriptions',
];
const revocable: readonly TableName[] = ['tokens', 'analystTokens'];

interface Factor {
  readonly secret?: string;
}

interface User {
  readonly made?: string;
  readonly added?: number;
  readonly records: readonly string[];
  readonly emergencies?: readonly { readonly record: string; readonly until: number }[];
  readonly practitioner?: string;
  readonly practitionerKey?: string;
}

/** Call in the transaction of the restore, before it changes anything. */
export function restoredGrants(tx: WriteTx) {
  const kept = new Map(granting.map((table) => [table, new Set<string | number>()]));
  const passwords = sessionPasswords(tx);
  const factors = [...tx.range('factors')];
  const users = new Map(Array.from(tx.range('users'), ({ key, value }) => [key, value as User]));
  const records = recordsIn(tx);
  return {
    isFree: (table: TableName) => !kept.has(table),
    /** A backup's token row wins unless revoked; in other tables the current row is newer. */
    takes(table: TableName, key: string | number): boolean {
      if (!tx.has(table, key)) return false;
      kept.get(table)?.add(key);
      return revocable.includes(table) && (tx.get(table, key) as { revoked?: boolean }).revoked !== true;
    },
    /**
     * Removes rows that the backup lacks and sessions with changed passwords, and takes from users what was taken from
     * them; keeps records of used codes. Call last.
     */
    end(): void {
      for (const [table, keys] of kept) {
        for (const { key } of tx.range(table, { values: false })) if (!keys.has(key)) tx.remove(table, key);
      }
      for (const { key, value } of [...tx.range('users')])
        takeAgain(tx, key, value as User, users.get(key), records);
      for (const [key, { made, added = 0 }] of users) {
        const now = tx.get('users', key) as User | undefined;
        // The access log must not name somebody else in their place.
        if (!now || now.made !== made)
          tx.put('removedUsers', `${key} ${Date.now()}`, { name: '', from: added });
      }
      for (const [session, password] of sessionPasswords(tx)) {
        if (password !== passwords.get(session)) tx.remove('sessions', session);
      }
      for (const { key, value } of factors) {
        const { secret } = (tx.get('factors', key) as Factor | undefined) ?? {};
        // Same enrolment: keep the record of used codes, so that none works twice.
        if (secret !== undefined && secret === (value as Factor).secret) tx.put('factors', key, value);
      }
    },
  };
}

/** Takes from a restored user what they do not have now, but for records that are not there now. */
function takeAgain(
  tx: WriteTx,
  key: string | number,
  restored: User,
  now: User | undefined,
  records: ReadonlySet<string>,
): void {
  const { emergencies = [], practitioner, practitionerKey, ...user } = restored;
  const goingOn = emergencies.filter(({ record, until }) =>
    now?.emergencies?.some((each) => each.record === record && each.until === until),
  );
  const isLinked = practitioner !== undefined && (!now || now.practitioner === practitioner);
  if (practitionerKey !== undefined && !isLinked) tx.remove('identities', practitionerKey);
  tx.put('users', key, {
    ...user,
    ...(goingOn.length > 0 && { emergencies: goingOn }),
    ...(isLinked && { practitioner, practitionerKey }),
    records: user.records.filter((each) => !now || now.records.includes(each) || !records.has(each)),
  });
}

const RECORDS = '/records/';

/** Returns the ids of all records, without reading what is below them. */
function recordsIn(tx: ReadTx): Set<string> {
  const found = new Set<string>();
  for (let after = RECORDS; ;) {
    const [first] = tx.range('graphs', { after, limit: 1, values: false });
    const path = String(first?.key);
    if (!path.startsWith(RECORDS)) return found;
    const [id = ''] = path.slice(RECORDS.length).split('/');
    found.add(id);
    // Others, such as 10-a, stand between 10 and what is below it.
    after = path === RECORDS + id ? path : `${RECORDS}${id}/\u{10ffff}`;
  }
}

/** Maps each session to its user's sealed password. Sealing never gives the same text twice, so a change shows. */
function sessionPasswords(tx: ReadTx): Map<string | number, string | undefined> {
  const found = new Map<string | number, string | undefined>();
  for (const { key, value } of tx.range('sessions')) {
    const user = tx.get('users', String((value as { user?: string }).user)) as
      { password?: string } | undefined;
    found.set(key, user?.password);
  }
  return found;
}
