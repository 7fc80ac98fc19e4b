import { administratorOf, type RecordedEntry, wasRefused } from '../../access/log/access-entry.js';
import { authorityOf } from '../../access/log/gathered-entries.js';
import type { PageParts } from '../../http/app-parts.js';
import type { PageRequest } from '../../http/sign-in/page-request.js';
import { uncapital } from '../../http/html/readable.js';
import { groupedBy } from '../../rdf/by-key.js';
import { what } from '../record/accesses.js';
import { closedTo } from '../closed-to.js';
import { isNaming, reasonInWords, said } from './log-sentences.js';

/** The most people, apps and records that a row names. */
const NAMED = 3;

const PLACE = /\{(\w+)\}/gu;
/** What stands for something that the entry does not name. */
const UNKNOWN: Readonly<Record<string, string>> = { user: 'a user', app: 'an app', record: 'a record' };

/** Returns the words of entries. Names are read, and so recorded, once each and for rows that are shown. */
export function logWords({ people, program, flow }: PageParts, request: PageRequest) {
  const withId = (name: string | undefined, id: string): string =>
    name === undefined || name === '' || name === id ? id : `${name} (${id})`;
  const user = async (id: string): Promise<string> => withId(await people.userName(request, id), id);
  const patient = async (id: string): Promise<string> => withId((await people.holder(request, id))?.name, id);
  const readers: Readonly<Record<string, (id: string) => Promise<string>>> = {
    ...{ user, other: user, person: user, patient },
    app: async (id) => (await flow.manifestOf(id))?.name ?? id,
    record: async (id) => `the record of ${await patient(id)}`,
  };
  const known = new Map<string, Promise<string>>();
  const nameOf = (kind: string, id: string): Promise<string> => {
    const key = `${kind} ${id}`;
    const name = known.get(key) ?? readers[kind]?.(id) ?? Promise.resolve(id);
    known.set(key, name);
    return name;
  };
  const names = async (kind: string, ids: readonly string[]): Promise<string> => {
    const all = [...new Set(ids)];
    const shown = all.filter((_, at) => at < NAMED || kind === 'text');
    const more = all.length > shown.length ? [`${all.length - shown.length} more`] : [];
    return [...(await Promise.all(shown.map((id) => nameOf(kind, id)))), ...more].join(', ');
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
      if (all.length > 0) filled.set(place, await names(place, all));
    }
    const whole = rest.replaceAll(/\[([^\]]*)\]/gu, (_, part: string) =>
      [...part.matchAll(PLACE)].every(([, place = '']) => filled.has(place)) ? part : '',
    );
    const words = whole.replaceAll(PLACE, (_, place: string) => filled.get(place) ?? UNKNOWN[place] ?? '');
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

  return {
    /** What one person did with one record in a minute, from one address and for one reason, has one key. */
    keyOf: (entry: RecordedEntry): string => {
      const { time, app, user: about, onBehalfOf, record, outcome, address, purpose, reason } = entry;
      const who = authorityOf(entry) ?? [about, app, onBehalfOf];
      const place = isNaming(entry) || record;
      return JSON.stringify([time.slice(0, 16), who, place, outcome, address, purpose, reason]);
    },
    who: async (entry: RecordedEntry): Promise<string> => {
      const { account, user: acting, app, onBehalfOf } = entry;
      if (account !== undefined) return `Operator ${account}`;
      const administrator = administratorOf(entry);
      if (administrator !== undefined) return nameOf('user', administrator);
      const [, , rest = ''] = said(entry);
      const person = acting === undefined || rest.includes('{user}') ? '' : await nameOf('user', acting);
      const used = app === undefined || rest.includes('{app}') ? '' : `app ${await nameOf('app', app)}`;
      const behalf = onBehalfOf === undefined ? '' : ` for ${await nameOf('user', onBehalfOf)}`;
      if (person !== '') return `${person}${behalf}${used && ` with the ${used}`}`;
      if (used !== '') return `The ${used}`;
      return acting === undefined && app === undefined ? 'Somebody who was not signed in' : 'The server';
    },
    what: async (entries: readonly RecordedEntry[]): Promise<string> =>
      (await Promise.all([...groupedBy(entries, sentenceKey).values()].map(sentence))).join('; '),
    why: async (entry: RecordedEntry): Promise<string> => {
      const { purpose, reason } = entry;
      const closed = await closedTo(entry, nameOf);
      if (closed !== undefined) return closed;
      if (purpose !== undefined) return purpose;
      return reason === undefined || administratorOf(entry) !== undefined ? '' : reasonInWords(reason);
    },
  };
}
