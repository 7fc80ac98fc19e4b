import type { TextOperator } from '../../ontology/model.js';
import { PathTemplate } from '../../ontology/path-template.js';
import { foldName } from '../../query/fold.js';
import type { Paths } from '../../query/index/index-property.js';
import { orderKey } from '../../query/index/name-index.js';
import { linesWith, ownObjects, textsAt } from '../../rdf/graph-lines.js';
import { readTriples } from '../../rdf/ntriples.js';
import { rdf } from '../../rdf/vocabulary.js';
import { nameOf } from '../paths.js';
import { resolveText } from '../relative-text.js';

/** What is listed of graphs that can be searched for: what a search compares, or by what it is ordered. */
export interface SearchList {
  /** The class of what is listed. */
  readonly target: string;
  /** The paths below the base, with their parameters in braces, at which that stands. */
  readonly places: readonly string[];
  readonly kind: TextOperator | 'order';
  /** What leads from it to the texts; for an order by nothing but names of graphs none. */
  readonly paths: Paths;
}

/** Characters of a text that a key holds; what differs only behind them is one to a search. */
const LONGEST = 1000;
/** Stands between the parts of a key, and sorts before all that may stand in them. */
const BETWEEN = '\u0000';
/** Sorts behind all that begins with the same. */
const LAST = '\u{10ffff}';
/** What separates keys and their parts. */
const SEPARATORS = /[\u0000\n]/gu;

/** Keys from one (included) to another one (not included). */
export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

/** The keys of some lists that have a value which begins so, or is the value. */
export function keysWith(list: number, kind: TextOperator, value: string): KeyRange {
  const key = keyOf(list, kind === 'begins' ? foldName(value) : value);
  return kind === 'begins' ? { start: key, end: key + LAST } : { start: key + BETWEEN, end: key + '\u0001' };
}

/** All keys of a list. */
export function keysOf(list: number): KeyRange {
  return { start: `${list}${BETWEEN}`, end: `${list}\u0001` };
}

/** A key of a graph, as the list of all keys holds it. */
export function placedKey(key: string, path: string): string {
  return key + BETWEEN + path;
}

/** The path of the graph that such a key is of. */
export function pathOfKey(placed: string): string {
  return placed.slice(placed.lastIndexOf(BETWEEN) + 1);
}

/** Whether a key that stands for itself lies in a range of those that name their graphs. */
export function isWithin(key: string, { start, end }: KeyRange): boolean {
  return end.endsWith(LAST) ? key.startsWith(start) : key + BETWEEN === start;
}

/** Whether a text is longer than what a key tells of it. */
export const isTooLong = (text: string): boolean => text.length > LONGEST;

/** What graphs are listed under. */
export interface RowKeys {
  /** Whether a graph at a path could have keys. */
  isPlace(path: string): boolean;
  /**
   * The keys of a graph, without its path, each once; none for what no search finds.
   * @param text what it says, as `writeRelative` gives it
   * @param base that of its IRIs
   */
  of(path: string, text: string, base: string): string[];
}

/** Makes what gives the keys of graphs in some lists, which their numbers stand for. */
export function rowKeys(lists: readonly SearchList[]): RowKeys {
  const numbered = lists.map((list, number) => ({ ...list, number, place: patternOf(list.places) }));
  const place = patternOf(lists.flatMap(({ places }) => places));
  const first = lists.flatMap(({ paths }) => paths.map(([property = '']) => property));
  const wanted = new Set([...first, rdf.type]);
  return {
    isPlace: (path) => place.test(path),
    of: (path, text, base) => {
      const [name, ntriples] = [nameOf(path, base), resolveText(text, base)];
      const own = ownObjects(name, ntriples, wanted);
      const types = own.get(rdf.type) ?? [];
      const found = numbered.filter((list) => types.includes(`<${list.target}>`) && list.place.test(path));
      if (found.length === 0) return [];
      const all = found.flatMap(({ paths }) => paths.flat());
      const quads = readTriples(linesWith(all, ntriples));
      const keys = found.flatMap(({ number, kind, paths }) => {
        const texts = paths.map((each) => textsAt(quads, name, each));
        if (kind === 'begins') return texts.flat().map((each) => keyOf(number, foldName(each)));
        if (kind === 'equals') return texts.flat().map((each) => keyOf(number, each));
        // What has no name at all comes before an empty one.
        const isNamed = paths.some(([property = '']) => own.has(property));
        return [keyOf(number, isNamed ? `=${orderKey(texts)}` : '')];
      });
      return [...new Set(keys)];
    },
  };
}

function keyOf(list: number, value: string): string {
  const text = value.slice(0, LONGEST).replace(SEPARATORS, '\u0001').toWellFormed();
  return `${list}${BETWEEN}${text}`;
}

/** Matches the paths of graphs at some places. */
function patternOf(places: readonly string[]): RegExp {
  const patterns = places.map((place) =>
    PathTemplate.of(place)
      .segments.map((segment) => ('literal' in segment ? escaped(segment.literal) : '[^/]+'))
      .join('/'),
  );
  return new RegExp(`^/(?:${patterns.length === 0 ? NOTHING : patterns.join('|')})$`, 'u');
}

const NOTHING = '(?!)';

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
