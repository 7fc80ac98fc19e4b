import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { AnswerRow, JsonTerm } from '../rdf/json-term.js';
import { instants } from '../model/query/partial-date.js';
import { readIsoDate } from '../rdf/iso-date.js';
import { otherDatatypes, xsd } from '../rdf/vocabulary.js';

const GROUP_ROWS = 2_000;

/** Writes a SELECT's answer as Apache Parquet. @param rows called twice: to find types, and to write */
export function* parquetFile(
  variables: readonly string[],
  rows: () => Iterable<AnswerRow>,
): Generator<Uint8Array<ArrayBuffer>> {
  const types = typesOf(variables, rows());
  const columns = variables.map((name, at) => ({ name, type: types[at] ?? parquetTypes.text }));
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    createdBy: 'chartgraph',
    // Statistics help to skip row groups, but there are few.
    statistics: false,
    schema: [
      { name: 'rows', num_children: columns.length },
      ...columns.map(({ name, type: { element } }) => ({
        name,
        repetition_type: 'OPTIONAL' as const,
        ...element,
      })),
    ],
  });
  const columnData = columns.map(({ name }) => ({ name, data: [] as (ParquetValue | null)[] }));
  const write = (): Uint8Array<ArrayBuffer> => {
    // This writer completes synchronously.
    void file.write({ columnData, rowGroupSize: GROUP_ROWS });
    for (const { data } of columnData) data.length = 0;
    return taken(writer);
  };
  let inGroup = 0;
  for (const row of rows()) {
    for (const [at, { name, type }] of columns.entries()) {
      const term = row[name];
      columnData[at]?.data.push(term === undefined ? null : (type.read(term) ?? null));
    }
    if (++inGroup < GROUP_ROWS) continue;
    yield write();
    inGroup = 0;
  }
  if (inGroup > 0) yield write();
  void file.finish();
  yield taken(writer);
}

/** Returns the bytes written since the last call; the buffer is reused. */
function taken(writer: ByteWriter): Uint8Array<ArrayBuffer> {
  const bytes = writer.getBytes().slice() as Uint8Array<ArrayBuffer>;
  writer.index = 0;
  return bytes;
}

type ParquetValue = string | number | bigint | boolean;

interface ParquetType {
  /** As in the file's schema (Apache Parquet, LogicalTypes). */
  readonly element: {
    readonly type: 'BOOLEAN' | 'INT32' | 'INT64' | 'DOUBLE' | 'BYTE_ARRAY';
    readonly converted_type?: 'DATE' | 'TIMESTAMP_MILLIS' | 'UTF8';
    readonly logical_type?: {
      readonly type: 'TIMESTAMP';
      readonly isAdjustedToUTC: true;
      readonly unit: 'MILLIS';
    };
  };
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
      // Integers that a double cannot represent exactly are rejected.
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

/** Returns the first of `parquetTypes` that holds all values of a column exactly; text if none does. */
export function typesOf(variables: readonly string[], rows: Iterable<AnswerRow>): ParquetType[] {
  const columns = variables.map((name) => ({ name, left: narrow, isBound: false }));
  for (const row of rows) {
    for (const column of columns) {
      const term = row[column.name];
      if (term === undefined) continue;
      column.isBound = true;
      // Most columns are settled after the first row.
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

/** Returns days since 1970; undefined for dates with a zone. */
function dayOf(value: string): number | undefined {
  const parts = readIsoDate(value);
  return parts?.day === undefined || parts.hour !== undefined ? undefined : Date.parse(value) / DAY;
}

/** Returns milliseconds since 1970, in UTC without a zone. */
function instantOf(value: string): bigint | undefined {
  const { second, fraction = '' } = readIsoDate(value) ?? {};
  // Anything finer than a millisecond would be lost.
  if (second === undefined || /[1-9]/u.test(fraction.slice(3))) return undefined;
  const found = instants(value);
  return found && BigInt(Date.parse(found.low));
}
