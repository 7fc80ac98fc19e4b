import { hexDigest } from '../../rdf/hex-digest.js';
import { nameOf } from '../resource-names.js';
import { refused, type Search } from './read-search.js';
import type { MadeResource } from './resource-maker.js';
import type { DateRange } from './search-definitions.js';
import type { Version } from './versions.js';

export interface Link {
  readonly relation: 'self' | 'next';
  readonly url: string;
}

interface Page {
  readonly matches: readonly MadeResource[];
  readonly total: number;
  /** The key of the next page. */
  readonly next: string | undefined;
}

/** A place in the order of a search: what is sorted by, then type and id. */
type Place = readonly [rank: number, name: string];

const byPlace = ([rank, name]: Place, [otherRank, other]: Place): number =>
  rank === otherRank ? (name < other ? -1 : name > other ? 1 : 0) : rank - otherRank;

const MAX_KEY = 400;

/**
 * Returns one page of the resources that a search finds, in its order. The key of a page is the place after which it
 * begins, so a resource that is added meanwhile moves none from one page to another.
 * @param owner of the search: its keys are of no use with another one @throws Problem invalid-parameter
 */
export function pageOf(all: readonly MadeResource[], search: Search, owner: string): Page {
  const { filters, count, page, sort, type, pairs } = search;
  const own = hexDigest(JSON.stringify([owner, type, pairs])).slice(0, 16);
  const after = page === undefined ? undefined : readKey(page, own);
  const found = all.filter((made) => filters.every((holds) => holds(made)));
  const placed = found.map((made) => ({ made, place: [rankOf(made, sort), nameOf(made)] as Place }));
  placed.sort((a, b) => byPlace(a.place, b.place));
  const start = after ? placed.findIndex(({ place }) => byPlace(place, after) > 0) : 0;
  const end = start < 0 ? placed.length : start + fitting(placed, start, count);
  const shown = start < 0 ? [] : placed.slice(start, end);
  const last = shown.at(-1)?.place;
  const next = last && end < placed.length ? writeKey(last, own) : undefined;
  return { matches: shown.map(({ made }) => made), total: placed.length, next };
}

/** The most characters of the resources of a page that has more than one. */
const MAX_PAGE = 8 * 1024 * 1024;

/** Returns how many resources make a page. */
function fitting(placed: readonly { made: MadeResource }[], start: number, count: number): number {
  let size = 0;
  const most = placed.slice(start, start + count);
  const over = most.findIndex(({ made }, index) => (size += made.text.length) > MAX_PAGE && index > 0);
  return over < 0 ? count : over;
}

/** What has no such date comes last. */
function rankOf({ index, at }: MadeResource, sort: Search['sort']): number {
  if (!sort) return 0;
  const { by, isDescending } = sort;
  const dates = by === '_lastUpdated' ? (at === undefined ? [] : [at]) : datesOf(index[by]);
  if (dates.length === 0) return by === '_id' ? 0 : Number.MAX_SAFE_INTEGER;
  return isDescending ? -Math.max(...dates) : Math.min(...dates);
}

const datesOf = (values: MadeResource['index'][string] = []): number[] =>
  (values as readonly DateRange[]).map(([from, until]) => (from === -Infinity ? until : from));

const writeKey = (place: Place, own: string): string =>
  Buffer.from(JSON.stringify([...place, own])).toString('base64url');

function readKey(key: string, own: string): Place {
  let parts: unknown;
  try {
    parts = JSON.parse(key.length > MAX_KEY ? '' : Buffer.from(key, 'base64url').toString());
  } catch {
    parts = undefined;
  }
  const [rank, name, digest] = Array.isArray(parts) ? (parts as unknown[]) : [];
  if (typeof rank === 'number' && typeof name === 'string' && digest === own) return [rank, name];
  throw refused('_page', '_page is not of this search; follow the links of its first page.');
}

/** An entry of a Bundle; `mode` is why it is in a search. */
export function entry({ text, ...name }: MadeResource, base: string, mode?: 'match' | 'include'): string {
  const search = mode === undefined ? '' : `,"search":{"mode":"${mode}"}`;
  return `{"fullUrl":${JSON.stringify(`${base}/${nameOf(name)}`)},"resource":${text}${search}}`;
}

/** An entry of a history: what the resource was from a change on, or that it was removed. */
export function historyEntry(
  name: string,
  base: string,
  { revision, at, isRemoved }: Version,
  made: MadeResource | undefined,
): string {
  const lastModified = at === undefined ? undefined : new Date(at).toISOString();
  const about = {
    request: { method: isRemoved ? 'DELETE' : 'PUT', url: name },
    response: { status: isRemoved ? '204' : '200', etag: `W/"${revision}"`, lastModified },
  };
  const resource = made ? `,"resource":${made.text}` : '';
  return `{"fullUrl":${JSON.stringify(`${base}/${name}`)}${resource},${JSON.stringify(about).slice(1)}`;
}

export const outcomeEntry = (text: string): string => `{"resource":${text},"search":{"mode":"outcome"}}`;

/** Writes a Bundle of texts. */
export function bundle(
  type: 'searchset' | 'history',
  total: number,
  links: readonly Link[],
  entries: readonly string[],
): string {
  const all = entries.length === 0 ? '' : `,"entry":[${entries.join(',')}]`;
  return `{"resourceType":"Bundle","type":"${type}","total":${total},"link":${JSON.stringify(links)}${all}}`;
}
