import type { TextOperator } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { foldName } from '../../model/query/fold.js';
import type { Paths } from '../../model/query/index/index-property.js';
import { orderKey } from '../../model/query/index/name-index.js';
import { linesWith, ownObjects, textsAt } from '../../rdf/graph-lines.js';
import { readTriples } from '../../rdf/ntriples.js';
import { rdf } from '../../rdf/vocabulary.js';
import { nameOf } from '../paths.js';
import { resolveText } from '../relative-text.js';

/** A list of graphs for searches, with the texts to compare or order them by. */
export interface SearchList {
  readonly target: string;
  readonly places: readonly string[];
  readonly kind: TextOperator | 'order';
  readonly paths: Paths;
}

/** Maximum characters of a text in a key; a search cannot tell texts apart beyond them. */
const MAX_TEXT_LENGTH = 1000;
/** Separates the parts of a key, and sorts before all their characters. */
const SEPARATOR = '\u0000';
const LAST = '\u{10ffff}';
const SEPARATORS = /[\u0000\n]/gu;

export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

/** Returns the keys of a list whose value begins with, or equals, a text. */
export function keysWith(list: number, kind: TextOperator, value: string): KeyRange {
  const key = keyOf(list, kind === 'begins' ? foldName(value) : value);
  return kind === 'begins'
    ? { start: key, end: key + LAST }
    : { start: key + SEPARATOR, end: key + '\u0001' };
}

export function keysOf(list: number): KeyRange {
  return { start: `${list}${SEPARATOR}`, end: `${list}\u0001` };
}

export function placedKey(key: string, path: string): string {
  return key + SEPARATOR + path;
}

export function pathOfKey(placed: string): string {
  return placed.slice(placed.lastIndexOf(SEPARATOR) + 1);
}

/** Tells whether a key without a path lies in a range of keys with paths. */
export function isWithin(key: string, { start, end }: KeyRange): boolean {
  return end.endsWith(LAST) ? key.startsWith(start) : key + SEPARATOR === start;
}

/** Tells whether a key would truncate a text. */
export const isTooLong = (text: string): boolean => text.length > MAX_TEXT_LENGTH;

export type RowKeys = ReturnType<typeof rowKeys>;

/** Returns the keys of graphs in some lists; keys begin with the list's index. */
export function rowKeys(lists: readonly SearchList[]) {
  const numbered = lists.map((list, number) => ({ ...list, number, place: patternOf(list.places) }));
  const place = patternOf(lists.flatMap(({ places }) => places));
  const first = lists.flatMap(({ paths }) => paths.map(([property = '']) => property));
  const wanted = new Set([...first, rdf.type]);
  return {
    isPlace: (path: string): boolean => place.test(path),
    /** Returns the distinct keys of a graph. @param text from `writeRelative` @param base of its IRIs */
    of: (path: string, text: string, base: string): string[] => {
      const [name, ntriples] = [nameOf(path, base), resolveText(text, base)];
      const own = ownObjects(name, ntriples, wanted);
      const types = own.get(rdf.type) ?? [];
      const matching = numbered.filter((list) => types.includes(`<${list.target}>`) && list.place.test(path));
      if (matching.length === 0) return [];
      const all = matching.flatMap(({ paths }) => paths.flat());
      const quads = readTriples(linesWith(all, ntriples));
      const keys = matching.flatMap(({ number, kind, paths }) => {
        const texts = paths.map((each) => textsAt(quads, name, each));
        if (kind === 'begins') return texts.flat().map((each) => keyOf(number, foldName(each)));
        if (kind === 'equals') return texts.flat().map((each) => keyOf(number, each));
        // A missing name sorts before an empty one.
        const isNamed = paths.some(([property = '']) => own.has(property));
        return [keyOf(number, isNamed ? `=${orderKey(texts)}` : '')];
      });
      return [...new Set(keys)];
    },
  };
}

function keyOf(list: number, value: string): string {
  const text = value.slice(0, MAX_TEXT_LENGTH).replace(SEPARATORS, '\u0001').toWellFormed();
  return `${list}${SEPARATOR}${text}`;
}

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
