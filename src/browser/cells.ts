import type { AnswerRow as Row, JsonTerm as Term } from '../rdf/json-term.js';

export type { Row, Term };

/** What the values of a column are, as far as charts and orders care. */
export type ColumnKind = 'number' | 'time' | 'category';

const NUMBERS = /(?:integer|decimal|double|float|int|long|short|byte|nonNegativeInteger|positiveInteger)$/u;
const TIMES = /(?:#date|#dateTime|#gYear|#gYearMonth)$/u;
const DAY = /^\d{4}-\d{2}(?:-\d{2})?(?:T.*)?$/u;
/** So many rows are looked at. */
const LOOKED_AT = 500;

/** What a column is by the first values in it. */
export function kindOf(rows: readonly Row[], column: string): ColumnKind {
  const terms = rows.slice(0, LOOKED_AT).flatMap((row) => row[column] ?? []);
  if (terms.length === 0) return 'category';
  const all = (test: (term: Term) => boolean): boolean =>
    terms.every((term) => term.type === 'literal' && test(term));
  if (all(({ datatype = '', value }) => TIMES.test(datatype) || DAY.test(value))) return 'time';
  if (all(({ datatype = '', value }) => (datatype === '' || NUMBERS.test(datatype)) && isNumber(value))) {
    return 'number';
  }
  return 'category';
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

/** Writes terms for people: IRIs by the prefixes that need no declaration. */
export function cellWriter(prefixes: Readonly<Record<string, string>>): (term: Term | undefined) => string {
  const known = Object.entries(prefixes);
  const short = new Map<string, string>();
  return (term) => {
    if (!term) return '';
    if (term.type === 'bnode') return `_:${term.value}`;
    if (term.type === 'literal') return term.value;
    const { value } = term;
    let text = short.get(value);
    if (text === undefined) {
      const [prefix, namespace] = longest(known.filter(([, each]) => value.startsWith(each))) ?? [];
      text = namespace === undefined ? value : `${prefix}:${value.slice(namespace.length)}`;
      short.set(value, text);
    }
    return text;
  };
}

/** Prefixes lie within each other; the first of the longest is the usual one. */
function longest(found: readonly [string, string][]): [string, string] | undefined {
  return found.reduce<[string, string] | undefined>(
    (best, each) => (best && best[1].length >= each[1].length ? best : each),
    undefined,
  );
}

/** In which order the rows of a table are shown, and which. */
export interface Arrangement {
  /** Part of any cell of a row; '' for all rows. */
  readonly filter: string;
  readonly sort: { readonly column: string; readonly descending: boolean } | undefined;
}

/** The numbers of the rows to show, in their order; what is equal stays as it came, and what has no value is last. */
export function arranged(
  rows: readonly Row[],
  columns: readonly string[],
  write: (term: Term | undefined) => string,
  { filter, sort }: Arrangement,
): number[] {
  const wanted = filter.trim().toLowerCase();
  const has = (row: Row | undefined): boolean =>
    columns.some((column) => write(row?.[column]).toLowerCase().includes(wanted));
  const shown = [...rows.keys()].filter((at) => wanted === '' || has(rows[at]));
  if (!sort) return shown;
  const { column, descending } = sort;
  const isNumeric = kindOf(rows, column) === 'number';
  const keys = rows.map((row) => write(row[column]));
  const { compare } = new Intl.Collator('en', { numeric: true });
  const order = isNumeric ? (a: string, b: string): number => Number(a) - Number(b) : compare;
  return shown.sort((a, b) => {
    const [left = '', right = ''] = [keys[a], keys[b]];
    if (left === '' || right === '') return Number(left === '') - Number(right === '') || a - b;
    return (descending ? order(right, left) : order(left, right)) || a - b;
  });
}
