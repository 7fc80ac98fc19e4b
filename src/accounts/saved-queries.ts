import { randomBytes } from 'node:crypto';
import type { ReadTx, WriteTx } from '../disk/data-directory.js';
import { AccountError } from './account-error.js';
import type { User } from './users.js';
import { holdToKey, type Vault } from './vault.js';

/** Queries that somebody may have saved at a time, and characters of all of them together. */
const MOST_QUERIES = 100;
const MOST_TEXT = 256 * 1024;

/** A query that an analyst has saved under a title. */
export interface SavedQuery {
  readonly id: string;
  /** Whose it is. */
  readonly user: string;
  readonly title: string;
  readonly description: string;
  /** SPARQL as it was written: nobody has looked whether it can be read. */
  readonly query: string;
  /** Whether all analysts see it; else nobody but its owner does. */
  readonly isShared: boolean;
  /** Milliseconds since 1970. */
  readonly saved: number;
}

/** What an analyst saves. */
export type QueryToSave = Pick<SavedQuery, 'user' | 'title' | 'description' | 'query' | 'isShared'>;

/** Saved queries of analysts. They are texts: nothing here runs one. */
export interface SavedQueries {
  /**
   * Saves a query in the place of the one that its owner has under the same title. @returns its id
   * @throws AccountError when its owner is no analyst, or would have too many
   */
  saveQuery(query: QueryToSave): Promise<string>;
  /** What somebody may see: their own, and what other analysts share; by title. */
  savedQueries(user: string): SavedQuery[];
  /** Removes a query of its owner. @returns whether there was one */
  removeSavedQuery(user: string, id: string): Promise<boolean>;
  /** Removes all queries of a user, in a transaction that the caller has. */
  removeSavedQueries(tx: WriteTx, user: string): void;
}

type StoredQuery = Omit<SavedQuery, 'id' | 'user'>;

/** The saved queries of a data directory. Their keys begin with their owner: no id of a user has a space. */
export function savedQueries({ key, directory, clock }: Vault): SavedQueries {
  const rows = (tx: ReadTx, owner?: string): SavedQuery[] =>
    [...tx.range('savedQueries', owner === undefined ? {} : { prefix: `${owner} ` })].map((row) => {
      const [user = '', id = ''] = String(row.key).split(' ');
      return { id, user, ...(row.value as StoredQuery) };
    });
  const isAnalyst = (tx: ReadTx, user: string): boolean =>
    (tx.get('users', user) as Omit<User, 'id'> | undefined)?.role === 'analyst';
  return {
    saveQuery: ({ user, ...query }) =>
      directory.transact((tx) => {
        if (!isAnalyst(tx, user)) throw new AccountError('Queries are saved by users whose role is analyst.');
        const own = rows(tx, user);
        const same = own.find(({ title }) => title === query.title);
        const others = own.filter((each) => each !== same);
        if (others.length >= MOST_QUERIES)
          throw new AccountError(`You have ${others.length} saved queries; remove one first.`);
        const length = others.reduce((sum, each) => sum + each.query.length, query.query.length);
        if (length > MOST_TEXT)
          throw new AccountError(
            `Your saved queries would have more than ${MOST_TEXT} characters; remove some first.`,
          );
        holdToKey(tx, key);
        const id = same?.id ?? randomBytes(8).toString('hex');
        const stored: StoredQuery = { ...query, saved: clock() };
        tx.put('savedQueries', `${user} ${id}`, stored);
        return id;
      }),
    savedQueries: (user) =>
      directory.read((tx) =>
        rows(tx)
          // Who is no analyst any more shares nothing.
          .filter((each) => each.user === user || (each.isShared && isAnalyst(tx, each.user)))
          .sort((a, b) => a.title.localeCompare(b.title, 'en')),
      ),
    removeSavedQuery: (user, id) =>
      directory.transact((tx) => {
        // What was sent as an id may be anything: it is looked for among those there are.
        const found = rows(tx, user).find((each) => each.id === id);
        if (found) tx.remove('savedQueries', `${user} ${found.id}`);
        return found !== undefined;
      }),
    removeSavedQueries(tx, user) {
      for (const { id } of rows(tx, user)) tx.remove('savedQueries', `${user} ${id}`);
    },
  };
}
