import { Problem } from '../../model/problem.js';
import {
  dateRange,
  definitionsOf,
  folded,
  type DateRange,
  type SearchDefinition,
  type SearchIndex,
  type SearchValues,
} from './search-definitions.js';
import type { MadeResource } from './resource-maker.js';

export type Pairs = readonly (readonly [name: string, value: string])[];

const MAX_COUNT = 1000;
const DEFAULT_COUNT = 200;
const MAX_PARAMETERS = 50;
/** Values of all parameters together: each is compared with those of every resource. */
const MAX_VALUES = 200;

export interface Search {
  readonly type: string;
  /** The parameters that are used, as sent: what the answer depends on. */
  readonly pairs: Pairs;
  readonly filters: readonly ((made: MadeResource) => boolean)[];
  readonly count: number;
  readonly isOnlyCounted: boolean;
  /** A parameter whose values are dates, `_lastUpdated` or `_id`. */
  readonly sort: { readonly by: string; readonly isDescending: boolean } | undefined;
  /** Names of reference parameters whose targets are added. */
  readonly include: readonly string[];
  readonly page: string | undefined;
}

export const refused = (name: string, sentence: string): Problem =>
  new Problem('invalid-parameter', sentence, { extra: { parameter: name.slice(0, 64) } });

/**
 * Reads the parameters of a search.
 * @param isLenient whether parameters that are not known are left out (`Prefer: handling=lenient`)
 * @param only names of the parameters that count, if not all do
 * @throws Problem unknown-parameter, invalid-parameter
 */
export function readSearch(type: string, given: Pairs, isLenient: boolean, only?: readonly string[]): Search {
  const definitions = definitionsOf(type);
  const search = {
    ...{ type, pairs: [] as Pairs[number][], filters: [] as Search['filters'][number][] },
    ...{ count: DEFAULT_COUNT, isOnlyCounted: false, include: [] as string[] },
    sort: undefined as Search['sort'],
    page: undefined as string | undefined,
  };
  const results: Readonly<Record<string, (value: string) => void>> = {
    _count: (value) => (search.count = readCount(value)),
    _summary: (value) => {
      if (value !== 'count' && value !== 'false') throw refused('_summary', '_summary is count or false.');
      search.isOnlyCounted = value === 'count';
    },
    _sort: (value) => {
      const [by, isDescending] = value.startsWith('-') ? [value.slice(1), true] : [value, false];
      const isSortable = by === '_lastUpdated' || by === '_id' || definitions.get(by)?.type === 'date';
      if (!isSortable)
        throw refused(
          '_sort',
          `_sort of ${type} is one of ${sortable(type).join(', ')}, with - before it for the newest first.`,
        );
      search.sort = { by, isDescending };
    },
    _include: (value) => void search.include.push(...readInclude(type, value)),
    _page: (value) => (search.page = value),
    // Of an operation, which reads them itself.
    ...(only && { _type: () => undefined, _since: () => undefined }),
    _format: () => undefined,
    _pretty: () => undefined,
  };
  if (given.length > MAX_PARAMETERS)
    throw refused('', `A search has at most ${MAX_PARAMETERS} parameters; send fewer.`);
  let valueCount = 0;
  for (const pair of given) {
    const [full, value] = pair;
    valueCount += value.split(',').length;
    if (valueCount > MAX_VALUES)
      throw refused(full, `A search has at most ${MAX_VALUES} values; send fewer.`);
    const [name = '', modifier] = full.split(':', 2);
    // RFC 5849 §3.5.3: those of a signature may be in the query.
    if (name.startsWith('oauth_')) continue;
    const result = Object.hasOwn(results, full) ? results[full] : undefined;
    const isKnown = only === undefined || only.includes(full);
    if (result && isKnown) result(value);
    // The record is the patient's.
    else if (!(isPatient(definitions, full) && isKnown)) {
      const filter = isKnown ? readFilter(definitions, { name, modifier, value }) : undefined;
      // R4 §3.1.1.4.5: a modifier that is not known is never left out.
      if (!filter && isLenient && modifier === undefined) continue;
      if (!filter)
        throw unknown(type, full, only ?? [...definitions.keys(), ...GENERAL, ...Object.keys(results)]);
      search.filters.push(filter);
    }
    if (full !== '_page' && full !== '_format' && full !== '_pretty') search.pairs.push(pair);
  }
  return search;
}

const GENERAL = ['_id', '_lastUpdated'];

/** Such a parameter was compared with the token's record before. */
export const isPatient = (definitions: ReadonlyMap<string, SearchDefinition>, name: string): boolean =>
  (name === 'patient' || name === 'subject') && definitions.has(name);

export const sortable = (type: string): string[] => [
  '_lastUpdated',
  '_id',
  ...[...definitionsOf(type).values()].filter((each) => each.type === 'date').map(({ name }) => name),
];

function unknown(type: string, name: string, names: readonly string[]): Problem {
  return new Problem(
    'unknown-parameter',
    `A request for ${type} takes no parameter ${JSON.stringify(name.slice(0, 64))}; it takes ${[...new Set(names)].sort().join(', ')}.`,
    { extra: { parameter: name.slice(0, 64) } },
  );
}

function readCount(value: string): number {
  if (!/^\d{1,9}$/u.test(value)) throw refused('_count', '_count is a whole number.');
  return Math.min(Number(value), MAX_COUNT);
}

function readInclude(type: string, value: string): string[] {
  const names = [...definitionsOf(type).values()]
    .filter((each) => each.type === 'reference')
    .map(({ name }) => name);
  const [source, name = ''] = value.split(':');
  if (value === '*' || (source === type && name === '*')) return names;
  if (source !== type || !names.includes(name))
    throw refused(
      '_include',
      `_include of ${type} is one of ${names.map((each) => `${type}:${each}`).join(', ')}.`,
    );
  return [name];
}

interface Asked {
  readonly name: string;
  readonly modifier: string | undefined;
  readonly value: string;
}

/** Returns a filter for one parameter; undefined if there is none of its name. @throws Problem invalid-parameter */
function readFilter(
  definitions: ReadonlyMap<string, SearchDefinition>,
  { name, modifier, value }: Asked,
): Search['filters'][number] | undefined {
  const definition = definitions.get(name);
  const type = definition?.type ?? (name === '_id' ? 'token' : name === '_lastUpdated' ? 'date' : undefined);
  const isModified = modifier !== undefined && !(type === 'string' && modifier === 'contains');
  if (type === undefined || isModified) return undefined;
  // A comma or a bar with a backslash before it is part of the value (R4 §3.1.1.3.2).
  const values = value.match(/(?:\\.|[^,\\]|\\$)+/gu) ?? [];
  if (values.length === 0) throw refused(name, `${name} has no value.`);
  if (name === '_id') {
    const ids = new Set(values);
    return ({ id }) => ids.has(id);
  }
  const tests = values.map((each) => comparers[type](each, name, modifier));
  const of = ({ index, at }: MadeResource): SearchIndex[string] => {
    if (definition) return index[name] ?? [];
    return at === undefined ? [] : [[at, at + 1]];
  };
  return (made) => {
    const own: readonly unknown[] = of(made);
    return tests.some((test) => own.some((each) => test(each as never)));
  };
}

const plain = (text: string): string => text.replace(/\\([\\,|$])/gu, '$1');

const comparers: {
  readonly [P in keyof SearchValues]: (
    value: string,
    name: string,
    modifier: string | undefined,
  ) => (own: SearchValues[P][number]) => boolean;
} = {
  token(value) {
    const [first = '', ...rest] = value.match(/(?:\\.|[^|\\]|\\$)+|\|/gu) ?? [];
    const parts = [first, ...rest];
    const bar = parts.indexOf('|');
    const whole = plain(value);
    if (bar < 0) return ([, code]) => code === whole;
    const [system, code] = [plain(parts.slice(0, bar).join('')), plain(parts.slice(bar + 1).join(''))];
    return ([ownSystem, ownCode]) => (ownSystem ?? '') === system && (code === '' || ownCode === code);
  },
  date(value, name) {
    const [, prefix = '', text = ''] = /^(eq|ne|gt|lt|ge|le|sa|eb)?(.*)$/su.exec(value) ?? [];
    // A plus sign that is not encoded arrives as a space.
    const range = dateRange(text.replace(' ', '+'));
    if (!range)
      throw refused(
        name,
        `${name} is a date such as 2026, 2026-03 or 2026-03-01T12:00:00Z, with eq, ne, gt, lt, ge, le, sa or eb before it.`,
      );
    return dateTests(range)[prefix === '' ? 'eq' : (prefix as 'eq')];
  },
  string(value, _, modifier) {
    const text = folded(plain(value));
    return modifier === 'contains' ? (own) => own.includes(text) : (own) => own.startsWith(text);
  },
  reference(value) {
    const text = plain(value);
    const isWhole = text.includes('/');
    return (own) =>
      isWhole ? own === text || text.endsWith(`/${own}`) : own.slice(own.indexOf('/') + 1) === text;
  },
};

/** Returns a filter by a date. @throws Problem invalid-parameter */
export function dateFilter(name: string, value: string): Search['filters'][number] {
  const filter = readFilter(new Map(), { name, modifier: undefined, value });
  return filter ?? (() => true);
}

/** The comparisons of R4 §3.1.1.4.7. */
function dateTests([from, until]: DateRange) {
  const eq = ([start, end]: DateRange): boolean => start >= from && end <= until;
  const gt = ([, end]: DateRange): boolean => end > until;
  const lt = ([start]: DateRange): boolean => start < from;
  return {
    ...{ eq, gt, lt },
    ne: (own: DateRange) => !eq(own),
    ge: (own: DateRange) => gt(own) || eq(own),
    le: (own: DateRange) => lt(own) || eq(own),
    sa: ([start]: DateRange) => start >= until,
    eb: ([, end]: DateRange) => end <= from,
  };
}
