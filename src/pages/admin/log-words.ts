import {
  administratorOf,
  isAboutTyped,
  type RecordedEntry,
  wasRefused,
} from '../../access/log/access-entry.js';
import { authorityOf } from '../../access/log/gathered-entries.js';
import type { PageParts } from '../../http/app-parts.js';
import type { PageRequest } from '../../http/sign-in/page-request.js';
import { uncapital } from '../../http/html/readable.js';
import { groupedBy } from '../../rdf/by-key.js';
import { what } from '../record/access-words.js';
import { closedTo } from '../closed-to.js';
import { manyNames, onlyNames, reasonInWords, said } from './log-sentences.js';

/** The most people, apps and records that a row names. */
const NAMED = 3;

const PLACE = /\{(\w+)\}/gu;
/** What stands for something that the entry does not name. */
const UNKNOWN: Readonly<Record<string, string>> = { user: 'a user', app: 'an app', record: 'a record' };

export type LogWords = ReturnType<typeof logWords>;

/** Returns the words of entries. Names are read, and so recorded, once each and for rows that are shown. */
export function logWords({ people, program, flow }: PageParts, request: PageRequest) {
  const withId = (name: string | undefined, id: string): string =>
    name === undefined || name === '' || name === id ? id : `${name} (${id})`;
  const userThen = async (id: string, entry: RecordedEntry) => {
    const { name, isRemoved } = await people.userThen(request, id, Date.parse(entry.time));
    // Of whom an act that failed was about, nobody knows whether there ever was such a user.
    const isUnsure = name === id && isAboutTyped(entry) && id === entry.user;
    return { name, isRemoved: isRemoved && !isUnsure };
  };
  const user = async (id: string, entry: RecordedEntry): Promise<string> => {
    const { name, isRemoved } = await userThen(id, entry);
    if (!isRemoved) return withId(name, id);
    return name === id ? `${id} (removed)` : `${name} (${id}, removed)`;
  };
  const name = async (id: string, entry: RecordedEntry): Promise<string> => {
    const { name: called, isRemoved } = await userThen(id, entry);
    return [called === id ? '' : called, isRemoved ? '(removed)' : ''].filter(Boolean).join(' ');
  };
  const patient = async (id: string): Promise<string> => withId((await people.holder(request, id))?.name, id);
  const readers: Readonly<Record<string, (id: string, entry: RecordedEntry) => Promise<string>>> = {
    ...{ user, name, other: user, person: user, patient },
    app: async (id) => (await flow.manifestOf(id))?.name ?? id,
    record: async (id) => `the record of ${await patient(id)}`,
  };
  const known = new Map<string, Promise<string>>();
  const nameOf = (kind: string, id: string, entry: RecordedEntry): Promise<string> => {
    const { until = '' } = flow.accounts.removedUser(id, Date.parse(entry.time)) ?? {};
    const key = JSON.stringify([kind, id, until, isAboutTyped(entry)]);
    const name = known.get(key) ?? readers[kind]?.(id, entry) ?? Promise.resolve(id);
    known.set(key, name);
    return name;
  };
  const names = async (kind: string, ids: readonly string[], entry: RecordedEntry): Promise<string> => {
    const all = [...new Set(ids)];
    const shown = all.filter((_, at) => at < NAMED || kind === 'text');
    const more = all.length > shown.length ? ` and ${all.length - shown.length} more` : '';
    return (await Promise.all(shown.map((id) => nameOf(kind, id, entry)))).join(', ') + more;
  };

  /** Returns what stands in the places of the sentence of an entry. */
  const valuesOf = (entry: RecordedEntry): Readonly<Record<string, string | undefined>> => {
    const { user: about, app, record, resource = '' } = entry;
    const [, object] = what(entry, program.ontology).split(': ');
    const other = authorityOf(entry) === about ? undefined : about;
    return {
      ...{ user: about, app, record, patient: record, other },
      person: resource.slice('/users/'.length),
      text: object === undefined ? undefined : uncapital(object),
    };
  };

  /** Writes one sentence of entries that differ in the first of its places alone. */
  const sentence = async (entries: readonly RecordedEntry[]): Promise<string> => {
    const [latest] = entries;
    if (!latest) return '';
    const [tried, done, rest = ''] = said(latest);
    const verb = wasRefused(latest) && tried !== '' ? `tried to ${tried}` : done;
    const values = entries.map(valuesOf);
    const filled = new Map<string, string>();
    for (const [, place = ''] of rest.matchAll(PLACE)) {
      const all = values.flatMap((each) => each[place] ?? []);
      if (all.length > 0) filled.set(place, await names(place, all, latest));
    }
    const whole = rest.replaceAll(/\[([^\]]*)\]/gu, (_, part: string) =>
      [...part.matchAll(PLACE)].every(([, place = '']) => filled.has(place)) ? part : '',
    );
    const isMany = new Set(values.map(({ patient, person }) => patient ?? person)).size > 1;
    const words = (isMany && onlyNames(latest) ? manyNames(whole) : whole).replaceAll(
      PLACE,
      (_, place: string) => filled.get(place) ?? UNKNOWN[place] ?? '',
    );
    return `${verb} ${words}`.trim();
  };

  /** What may differ between the entries of a sentence: what it names first, or what of a record was seen. */
  const sentenceKey = (entry: RecordedEntry): string => {
    const words = said(entry);
    const places = [...(words[2] ?? '').matchAll(PLACE)].map(([, place = '']) => place);
    const values = valuesOf(entry);
    const free = places.includes('text') ? 'text' : places[0];
    return JSON.stringify([
      ...words,
      ...places.filter((place) => place !== free).map((place) => values[place]),
    ]);
  };

  /** Whose act it was, from where, in which minute, and how it ended. */
  const placeOf = (entry: RecordedEntry): readonly unknown[] => {
    const { time, app, user: about, onBehalfOf, outcome, address } = entry;
    return [time.slice(0, 16), authorityOf(entry) ?? [about, app, onBehalfOf], outcome, address];
  };

  return {
    /** The name alone, for a table whose ids have a column of their own. */
    name: (id: string | undefined, entry: RecordedEntry): Promise<string> =>
      id === undefined ? Promise.resolve('') : nameOf('name', id, entry),
    placeOf: (entry: RecordedEntry): string => JSON.stringify(placeOf(entry)),
    /** What one person did with one record in a minute, from one address and for one reason, has one key. */
    keyOf: (entry: RecordedEntry): string => {
      const { record, purpose, reason } = entry;
      return JSON.stringify([placeOf(entry), onlyNames(entry) || record, purpose, reason]);
    },
    who: async (entry: RecordedEntry): Promise<string> => {
      const { account, user: acting, app, onBehalfOf } = entry;
      if (account !== undefined) return `Operator ${account}`;
      const administrator = administratorOf(entry);
      if (administrator !== undefined) return nameOf('user', administrator, entry);
      const [, , rest = ''] = said(entry);
      const person =
        acting === undefined || rest.includes('{user}') ? '' : await nameOf('user', acting, entry);
      const used =
        app === undefined || rest.includes('{app}') ? '' : `app ${await nameOf('app', app, entry)}`;
      const behalf = onBehalfOf === undefined ? '' : ` for ${await nameOf('user', onBehalfOf, entry)}`;
      if (person !== '') return `${person}${behalf}${used && ` with the ${used}`}`;
      if (used !== '') return `The ${used}`;
      return acting === undefined && app === undefined ? 'Somebody who was not signed in' : 'The server';
    },
    what: async (entries: readonly RecordedEntry[]): Promise<string> =>
      (await Promise.all([...groupedBy(entries, sentenceKey).values()].map(sentence))).join('; '),
    why: async (entry: RecordedEntry): Promise<string> => {
      const { purpose, reason } = entry;
      const closed = await closedTo(entry, (kind, id) => nameOf(kind, id, entry));
      if (closed !== undefined) return closed;
      if (purpose !== undefined) return purpose;
      return reason === undefined || administratorOf(entry) !== undefined ? '' : reasonInWords(reason);
    },
  };
}
