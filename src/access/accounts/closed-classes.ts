import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import { Memo } from '../../store/disk/memo.js';
import { isGoingOn, type Openable } from './care.js';
import type { Vault } from './secret-key.js';
import type { User } from './users.js';

/** To whom a class is closed: to everybody but the patient, or to one user or app. */
export type ClosedTo = 'all' | `user ${string}` | `app ${string}`;

export interface Closure {
  readonly record: string;
  /** The IRI of the class. */
  readonly class: string;
  readonly to: ClosedTo;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Who sees a record: a user, an app for a user, or an app by itself. */
export interface Viewer {
  readonly user?: string | undefined;
  readonly app?: string | undefined;
}

interface KnownUsers {
  user(id: string, tx: ReadTx): User | undefined;
  openable(tx: ReadTx, id: string): Openable | undefined;
}

/** Lists what is closed. @param record default: in every record */
export function closuresIn(tx: ReadTx, record?: string): Closure[] {
  const range = record === undefined ? {} : { prefix: `${record} ` };
  return Array.from(tx.range('closed', range), ({ value }) => value as Closure);
}

/** Forgets what was closed of a record. */
export function forgetClosures(tx: WriteTx, record: string): void {
  for (const { key } of tx.range('closed', { prefix: `${record} `, values: false })) tx.remove('closed', key);
}

const MAX_KNOWN = 10_000;
const NOTHING: readonly string[] = [];

/** Which classes of a record are closed, and to whom: all doors to records ask `closedTo`. */
export function closedClasses({ directory, key, clock }: Vault, users: KnownUsers) {
  const known = new Memo<readonly Closure[]>(directory, MAX_KNOWN);
  const closures = (record: string): readonly Closure[] =>
    known.get(record, () => directory.read((tx) => closuresIn(tx, record)));
  /** Whether what is closed to a user holds them back, or until when an emergency opens it; the patient sees everything. */
  const stateOf = (id: string, record: string): 'closed' | { readonly openUntil: number } | undefined =>
    directory.read((tx) => {
      if (users.user(id, tx)?.role === 'person') return undefined;
      const { emergencies = [] } = users.openable(tx, id) ?? {};
      const emergency = emergencies.find((each) => each.record === record && isGoingOn(each, clock()));
      return emergency ? { openUntil: emergency.until } : 'closed';
    });
  const ofUser = (record: string, user: string): readonly Closure[] =>
    closures(record).filter(({ to }) => to === 'all' || to === `user ${user}`);
  return {
    /** Lists what is closed of a record. */
    closures,
    /**
     * Returns the classes that are closed to a viewer, in order. An app for a user sees what both may: what is closed to
     * all is closed to it, even where the user is the patient.
     */
    closedTo(record: string, { user, app }: Viewer): readonly string[] {
      const all = closures(record);
      if (all.length === 0) return NOTHING;
      const ofApp = all.filter(({ to }) => to === `app ${app}` || (to === 'all' && app !== undefined));
      const isUser = user !== undefined && stateOf(user, record) === 'closed';
      const both = isUser ? [...ofApp, ...ofUser(record, user)] : ofApp;
      return [...new Set(both.map((each) => each.class))].sort();
    },
    /** Whether anything of a record is closed to a user, or would be without an emergency. */
    partClosed: (record: string, user: string) =>
      ofUser(record, user).length === 0 ? undefined : stateOf(user, record),
    /** Whether anything was closed to an app after a time, in milliseconds since 1970. */
    isClosedSince: (app: string, time: number): boolean =>
      directory.read((tx) =>
        closuresIn(tx).some(({ to, at }) => at >= time && (to === 'all' || to === `app ${app}`)),
      ),
    /** Closes a class of a record; once is enough. */
    putClosure(tx: WriteTx, closure: Omit<Closure, 'at'>): void {
      const { record, class: iri, to } = closure;
      const at = `${record} ${key.lookup(`closed ${record} ${iri} ${to}`)}`;
      if (!tx.has('closed', at)) tx.put('closed', at, { ...closure, at: clock() } satisfies Closure);
    },
    /** Opens a class of a record again. @returns whether it was closed to them */
    removeClosure(tx: WriteTx, { record, class: iri, to }: Omit<Closure, 'at'>): boolean {
      const rows = [...tx.range('closed', { prefix: `${record} ` })].filter(({ value }) => {
        const closure = value as Closure;
        return closure.class === iri && closure.to === to;
      });
      for (const row of rows) tx.remove('closed', row.key);
      return rows.length > 0;
    },
  };
}
