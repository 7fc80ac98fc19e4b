import { randomBytes } from 'node:crypto';
import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import { AccountError } from './account-ids.js';
import type { User } from './users.js';
import { holdToKey, type Vault } from './secret-key.js';

const MAX_QUERIES = 100;
const MAX_TEXT = 256 * 1024;

export interface SavedQuery {
  readonly id: string;
  readonly user: string;
  readonly title: string;
  readonly description: string;
  readonly query: string;
  readonly isShared: boolean;
  /** Milliseconds since 1970. */
  readonly saved: number;
}

export type QueryToSave = Pick<SavedQuery, 'user' | 'title' | 'description' | 'query' | 'isShared'>;

/** Saved queries of analysts. They are only stored: nothing here runs them. */
export type SavedQueries = ReturnType<typeof savedQueries>;

type StoredQuery = Omit<SavedQuery, 'id' | 'user'>;

/** Keys begin with the owner's id, which contains no space. */
export function savedQueries({ key, directory, clock }: Vault) {
  const rows = (tx: ReadTx, owner?: string): SavedQuery[] =>
    [...tx.range('savedQueries', owner === undefined ? {} : { prefix: `${owner} ` })].map((row) => {
      const [user = '', id = ''] = String(row.key).split(' ');
      return { id, user, ...(row.value as StoredQuery) };
    });
  const isAnalyst = (tx: ReadTx, user: string): boolean =>
    (tx.get('users', user) as Omit<User, 'id'> | undefined)?.role === 'analyst';
  return {
    /**
     * Saves a query, replacing the owner's query of the same title.
     * @returns its id
     * @throws AccountError when the owner is no analyst, or would have too many
     */
    saveQuery: ({ user, ...query }: QueryToSave) =>
      directory.transact((tx) => {
        if (!isAnalyst(tx, user)) throw new AccountError('Queries are saved by users whose role is analyst.');
        const own = rows(tx, user);
        const same = own.find(({ title }) => title === query.title);
        const others = own.filter((each) => each !== same);
        if (others.length >= MAX_QUERIES)
          throw new AccountError(`You have ${others.length} saved queries; remove one first.`);
        const length = others.reduce((sum, each) => sum + each.query.length, query.query.length);
        if (length > MAX_TEXT)
          throw new AccountError(
            `Your saved queries would have more than ${MAX_TEXT} characters; remove some first.`,
          );
        holdToKey(tx, key);
        const id = same?.id ?? randomBytes(8).toString('hex');
        const stored: StoredQuery = { ...query, saved: clock() };
        tx.put('savedQueries', `${user} ${id}`, stored);
        return id;
      }),
    savedQueries: (user: string) =>
      directory.read((tx) =>
        rows(tx)
          // A former analyst shares nothing.
          .filter((each) => each.user === user || (each.isShared && isAnalyst(tx, each.user)))
          .sort((a, b) => a.title.localeCompare(b.title, 'en')),
      ),
    removeSavedQuery: (user: string, id: string) =>
      directory.transact((tx) => {
        // The id comes from outside, so it is matched against the user's own queries and never used as a key.
        const found = rows(tx, user).find((each) => each.id === id);
        if (found) tx.remove('savedQueries', `${user} ${found.id}`);
        return found !== undefined;
      }),
    removeSavedQueries(tx: WriteTx, user: string): void {
      for (const { id } of rows(tx, user)) tx.remove('savedQueries', `${user} ${id}`);
    },
  };
}
