import type { AnswerRow as Row, JsonTerm as Term } from '../../rdf/json-term.js';

export type { Row, Term };

/** The kind of values in a column, which decides how to draw and sort it. */
export type ColumnKind = 'number' | 'time' | 'category';

const NUMBERS = /(?:integer|decimal|double|float|int|long|short|byte|nonNegativeInteger|positiveInteger)$/u;
const TIMES = /(?:#date|#dateTime|#gYear|#gYearMonth)$/u;
const DAY = /^\d{4}-\d{2}(?:-\d{2})?(?:T.*)?$/u;
const SAMPLE_ROWS = 500;

/** Determines the kind of a column from its first values. */
export function kindOf(rows: readonly Row[], column: string): ColumnKind {
  const terms = rows.slice(0, SAMPLE_ROWS).flatMap((row) => row[column] ?? []);
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

/** Makes a writer of terms. It shortens IRIs with the prefixes that need no declaration. */
export function cellWriter(prefixes: Readonly<Record<string, string>>): (term: Term | undefined) => string {
  // One namespace may begin with another: the longest match wins, and among equals the first, which is the usual
  // one.
  const known = Object.entries(prefixes).sort(([, a], [, b]) => b.length - a.length);
  const short = new Map<string, string>();
  return (term) => {
    if (!term) return '';
    if (term.type === 'bnode') return `_:${term.value}`;
    if (term.type === 'literal') return term.value;
    const { value } = term;
    let text = short.get(value);
    if (text === undefined) {
      const [prefix, namespace] = known.find(([, each]) => value.startsWith(each)) ?? [];
      text = namespace === undefined ? value : `${prefix}:${value.slice(namespace.length)}`;
      short.set(value, text);
    }
    return text;
  };
}

export interface Arrangement {
  /** Text that a cell of the row must contain; '' for all rows. */
  readonly filter: string;
  readonly sort: { readonly column: string; readonly descending: boolean } | undefined;
}

/** Returns the indexes of the rows to show. Equal rows keep their order; those without a value come last. */
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
