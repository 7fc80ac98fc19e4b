import { instants } from '../query/partial-date.js';
import { readIsoDate } from '../rdf/iso-date.js';
import type { AnswerRow, JsonTerm } from '../rdf/json-term.js';
import { otherDatatypes, xsd } from '../rdf/vocabulary.js';

export type ParquetValue = string | number | bigint | boolean;

/** A type that a column of a Parquet file may have. */
export interface ParquetType {
  /** As the schema of the file names it (Apache Parquet, LogicalTypes). */
  readonly element: {
    readonly type: 'BOOLEAN' | 'INT32' | 'INT64' | 'DOUBLE' | 'BYTE_ARRAY';
    readonly converted_type?: 'DATE' | 'TIMESTAMP_MILLIS' | 'UTF8';
    readonly logical_type?: {
      readonly type: 'TIMESTAMP';
      readonly isAdjustedToUTC: true;
      readonly unit: 'MILLIS';
    };
  };
  /** The value of a term; undefined for one that the type cannot hold. */
  read(term: JsonTerm): ParquetValue | undefined;
}

const integers = new Set<string>([
  ...[xsd.integer, xsd.nonNegativeInteger, xsd.int, xsd.long],
  ...(['nonPositiveInteger', 'negativeInteger', 'positiveInteger', 'short', 'byte'] as const).map(
    (name) => otherDatatypes[name],
  ),
  ...(['unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte'] as const).map(
    (name) => otherDatatypes[name],
  ),
]);
const fractions = new Set<string>([xsd.decimal, xsd.double, xsd.float]);
const special: Readonly<Record<string, number>> = { INF: Infinity, '-INF': -Infinity, NaN: NaN };
const booleans: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };
const DAY = 86_400_000;

/** The types of columns; of those that hold all values of one, the first is taken. */
export const parquetTypes = {
  boolean: {
    element: { type: 'BOOLEAN' },
    read: ({ datatype, value }) => (datatype === xsd.boolean ? booleans[value] : undefined),
  },
  integer: {
    element: { type: 'INT64' },
    read: ({ datatype = '', value }) => (integers.has(datatype) ? longOf(value) : undefined),
  },
  double: {
    element: { type: 'DOUBLE' },
    read: ({ datatype = '', value }) => {
      if (fractions.has(datatype)) return doubleOf(value);
      // Numbers as long as those of accounts keep all of their digits.
      const whole = integers.has(datatype) ? Number(longOf(value)) : NaN;
      return Number.isSafeInteger(whole) ? whole : undefined;
    },
  },
  date: {
    element: { type: 'INT32', converted_type: 'DATE' },
    read: ({ datatype, value }) => (datatype === xsd.date ? dayOf(value) : undefined),
  },
  instant: {
    element: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    },
    read: ({ datatype, value }) => (datatype === xsd.dateTime ? instantOf(value) : undefined),
  },
  // As SPARQL 1.1 CSV writes terms.
  text: {
    element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    read: ({ type, value }) => (type === 'bnode' ? `_:${value}` : value),
  },
} as const satisfies Record<string, ParquetType>;

const { text, ...narrower } = parquetTypes;
const narrow: readonly ParquetType[] = Object.values(narrower);

/**
 * The type of each column: the first of `parquetTypes` that holds every value of it. Text holds everything, so it is what a column of
 * mixed values is, one with a value too large or too fine for its type, and one without any value.
 */
export function typesOf(variables: readonly string[], rows: Iterable<AnswerRow>): ParquetType[] {
  const columns = variables.map((name) => ({ name, left: narrow, isBound: false }));
  for (const row of rows) {
    for (const column of columns) {
      const term = row[column.name];
      if (term === undefined) continue;
      column.isBound = true;
      // Most columns are down to what they are after their first row.
      if (column.left.some((type) => type.read(term) === undefined))
        column.left = column.left.filter((type) => type.read(term) !== undefined);
    }
  }
  return columns.map(({ left: [first], isBound }) => (isBound && first ? first : text));
}

function longOf(value: string): bigint | undefined {
  if (!/^[+-]?\d{1,19}$/u.test(value)) return undefined;
  const number = BigInt(value.replace('+', ''));
  return BigInt.asIntN(64, number) === number ? number : undefined;
}

function doubleOf(value: string): number | undefined {
  if (value in special) return special[value];
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/u.test(value) ? Number(value) : undefined;
}

/** Days since 1970; a date with a zone is none, and years have four digits. */
function dayOf(value: string): number | undefined {
  const parts = readIsoDate(value);
  return parts?.day === undefined || parts.hour !== undefined ? undefined : Date.parse(value) / DAY;
}

/** Milliseconds since 1970; without a zone it is in UTC, as everywhere in the container. */
function instantOf(value: string): bigint | undefined {
  const { second, fraction = '' } = readIsoDate(value) ?? {};
  // Finer than a millisecond would be lost.
  if (second === undefined || /[1-9]/u.test(fraction.slice(3))) return undefined;
  const found = instants(value);
  return found && BigInt(Date.parse(found.low));
}
