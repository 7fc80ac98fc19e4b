import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import { isUserId } from './account-ids.js';
import type { Vault } from './secret-key.js';

/** Somebody who had a user name until they were removed: the access log still names them. */
export interface RemovedUser {
  readonly id: string;
  /** As it was when they were removed; empty if it was purged, or a restore took them away. */
  readonly name: string;
  /** From when until when they had the user name, in milliseconds since 1970; 0 if it is not known from when. */
  readonly from: number;
  readonly until: number;
}

export function keepRemoved(tx: WriteTx, { id, until, ...row }: RemovedUser): void {
  tx.put('removedUsers', `${id} ${until}`, row);
}

/** Forgets the names of those who had a user name, not that they had it. @returns how many */
export function forgetNames(tx: WriteTx, id: string): number {
  const named = rowsIn(tx, `${id} `).filter(({ name }) => name !== '');
  for (const row of named) keepRemoved(tx, { ...row, name: '' });
  return named.length;
}

export function removedUsers({ directory }: Pick<Vault, 'directory'>) {
  return {
    /**
     * Returns who had a user name at a time and was removed since: another person may have it now.
     * @param time milliseconds since 1970
     */
    removedUser: (id: string, time: number): RemovedUser | undefined =>
      directory.read((tx) => {
        const now = isUserId(id) ? (tx.get('users', id) as { added?: number } | undefined) : undefined;
        // Somebody whom a restore brought back was not removed.
        const rows = rowsIn(tx, `${id} `).filter(({ from }) => !now || from !== (now.added ?? 0));
        const then = rows.findLast(({ from, until }) => from <= time && time <= until);
        if (then || (now && time >= (now.added ?? 0))) return then;
        const last = rows.findLast(({ from }) => from <= time);
        // A removal is recorded a moment later, and an act that adds somebody begins a moment before.
        if (now && last && (now.added ?? 0) - time < time - last.until) return undefined;
        return last ?? rows[0];
      }),
    listRemovedUsers: (): RemovedUser[] => directory.read((tx) => rowsIn(tx, '')),
  };
}

const rowsIn = (tx: ReadTx, prefix: string): RemovedUser[] =>
  Array.from(tx.range('removedUsers', { prefix }), ({ key, value }) => {
    const [id = '', until] = String(key).split(' ');
    return { id, until: Number(until), ...(value as Pick<RemovedUser, 'name' | 'from'>) };
  });
