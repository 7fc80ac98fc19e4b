import { administratorOf, type RecordedEntry } from '../../access/log/access-entry.js';
import type { PageParts } from '../../http/app-parts.js';
import type { PageRequest } from '../../http/sign-in/page-request.js';
import { uncapital } from '../../http/html/readable.js';
import { groupedBy } from '../../rdf/by-key.js';
import { what } from '../record/accesses.js';

/** What is not about a record, by action. */
const SAID: Readonly<Record<string, string>> = {
  'sign-in.accepted': 'Signed in',
  'sign-in.refused': 'Tried to sign in',
  'emergency.opened': 'Opened a record in an emergency, for eight hours',
  'emergency.refused': 'Tried to open a record in an emergency',
  'administration.refused': 'Tried to open Administration',
  'user add': 'Added the user',
  'user change': 'Changed the user',
  'user password': 'Set the password',
  'user second-factor': 'Removed the second factor',
  'record close': 'Closed a part of a record',
  'record open': 'Opened a part of a record again',
  'user grant': 'Gave a record to',
  'user ungrant': 'Took a record from',
  'user remove': 'Removed the user',
  'app add': 'Installed or changed the app',
  'app remove': 'Removed the app',
  'token issue': 'Issued a token',
  'token revoke': 'Revoked a token',
  'subscription replay': 'Delivered changes again',
  'subscription remove': 'Ended a webhook',
  'export end': 'Ended an export',
  'query end': 'Stopped a query',
  audit: 'Read or checked the access log',
  query: 'Asked a question over all records',
  serve: 'Ran the server',
};

/** Returns the operator or administrator of an act: its user and app are then whom it is about. */
export const authorityOf = (entry: RecordedEntry): string | undefined =>
  entry.account ?? administratorOf(entry);

/** Whether a page only said whose record it is. */
const isNaming = ({ call, resource, record }: RecordedEntry): boolean =>
  call === undefined && record !== undefined && resource?.split('/').includes(record) === false;

/** The most people, apps and records that a row names. */
const NAMED = 3;

/** Returns the words of entries. Names are read, and so recorded, once each and for rows that are shown. */
export function logWords({ people, program, flow }: PageParts, request: PageRequest) {
  const readers: Readonly<Record<string, (id: string) => Promise<string | undefined>>> = {
    user: (id) => people.userName(request, id),
    app: async (id) => (await flow.manifestOf(id))?.name,
    record: async (id) => (await people.holder(request, id))?.name,
  };
  const known = new Map<string, Promise<string>>();
  /** Names a thing: its kind, a space, and its id or text. */
  const nameOf = (thing: string): Promise<string> => {
    const [kind = '', id = ''] = thing.split(/ (.*)/su);
    const read = async () => {
      const name = await readers[kind]?.(id);
      return name === undefined || name === '' || name === id ? id : `${name} (${id})`;
    };
    const name = known.get(thing) ?? read();
    known.set(thing, name);
    return name;
  };
  const names = async (things: readonly string[]): Promise<string> => {
    const all = [...new Set(things)];
    const shown = all.filter((thing, at) => at < NAMED || thing.startsWith('text '));
    const more = all.length > shown.length ? [`${all.length - shown.length} more`] : [];
    return [...(await Promise.all(shown.map(nameOf))), ...more].join(', ');
  };
  const things = (kind: string, id: string | undefined): string[] =>
    id === undefined || id === '' ? [] : [`${kind} ${id}`];

  /** Returns what was done, and to whom or what. */
  const act = (entry: RecordedEntry): readonly [verb: string, things: readonly string[]] => {
    const { action, call, resource = '', user, app } = entry;
    if (action === 'read' && call === undefined && resource.startsWith('/users/'))
      return ['Saw the name', things('user', resource.slice('/users/'.length))];
    const [verb = '', object] = (SAID[action] ?? what(entry, program.ontology)).split(': ');
    if (authorityOf(entry) === undefined) return [verb, things('text', object)];
    return [verb, [...things('user', user), ...things('app', app)]];
  };
  return {
    /** What one person did with one record in a minute, from one address and for one reason, has one key. */
    keyOf: (entry: RecordedEntry): string => {
      const { time, app, user, onBehalfOf, record, outcome, address, purpose, reason } = entry;
      const who = authorityOf(entry) ?? [user, app, onBehalfOf];
      const what = isNaming(entry) || record;
      return JSON.stringify([time.slice(0, 16), who, what, outcome, address, purpose, reason]);
    },
    who: async (entry: RecordedEntry): Promise<string> => {
      const { account, user, app, onBehalfOf } = entry;
      if (account !== undefined) return `Operator ${account}`;
      const authority = administratorOf(entry);
      if (authority !== undefined) return nameOf(`user ${authority}`);
      const parts = [things('user', user), things('user', onBehalfOf), things('app', app)];
      const [acting, behalf, by] = await Promise.all(parts.map(names));
      return [acting, behalf && `for ${behalf}`, by && `app ${by}`].filter(Boolean).join(', ');
    },
    what: async (entries: readonly RecordedEntry[]): Promise<string> => {
      const acts = [...groupedBy(entries.map(act), ([verb]) => verb)].map(async ([verb, all], at) => {
        const said = await names(all.flatMap(([, each]) => each));
        return `${at === 0 ? verb : uncapital(verb)}${said && `: ${said}`}`;
      });
      return (await Promise.all(acts)).join('; ');
    },
    records: (entries: readonly RecordedEntry[]) =>
      names(entries.flatMap(({ record }) => things('record', record))),
    why: (entry: RecordedEntry): string =>
      entry.purpose ?? (administratorOf(entry) === undefined ? (entry.reason ?? '') : ''),
  };
}
