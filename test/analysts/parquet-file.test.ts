import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parquetFile, parquetTypes, typesOf } from '../../src/analysts/parquet-file.js';
import type { AnswerRow, JsonTerm } from '../../src/rdf/json-term.js';
import { otherDatatypes, xsd } from '../../src/rdf/vocabulary.js';
import { folder } from '../cli/run.js';
import { canImport } from '../http/can-import.js';

// The tests that a reader of others has to confirm are skipped where there is none: `pip install duckdb`.
const hasDuckdb = canImport('duckdb');
if (!hasDuckdb)
  console.warn('Parquet is not read by DuckDB, which Python cannot import (pip install duckdb).');

const literal = (value: string, datatype?: string): JsonTerm => ({
  type: 'literal',
  value,
  ...(datatype !== undefined && { datatype }),
});
const column = (terms: readonly (JsonTerm | undefined)[]): AnswerRow[] =>
  terms.map((term) => (term ? { v: term } : {}));
const typeOf = (...terms: (JsonTerm | undefined)[]): string | undefined => {
  const [type] = typesOf(['v'], column(terms));
  return Object.entries(parquetTypes).find(([, each]) => each === type)?.[0];
};
const fileOf = (variables: readonly string[], rows: readonly AnswerRow[]): Buffer =>
  Buffer.concat([...parquetFile(variables, () => rows)]);

/** What DuckDB finds in a file: its columns with their types, and its rows, whose values are texts. */
function read(file: Buffer): {
  columns: Record<string, string>;
  rows: (string | null)[][];
  groups: number[];
} {
  const path = join(folder(), 'rows.parquet');
  writeFileSync(path, file);
  const program = `
import duckdb, json, sys
of = lambda what: duckdb.sql(what.replace("FILE", "'" + sys.argv[1].replace("'", "''") + "'"))
duckdb.sql("SET TimeZone = 'UTC'")
columns = {name: kind for name, kind, *_ in of("DESCRIBE SELECT * FROM read_parquet(FILE)").fetchall()}
rows = of("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM read_parquet(FILE)").fetchall()
groups = of("SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata(FILE) ORDER BY 1").fetchall()
print(json.dumps({"columns": columns, "rows": rows, "groups": [rows for _, rows in groups]}))
`;
  const said = execFileSync('python3', ['-c', program, path], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return JSON.parse(said) as ReturnType<typeof read>;
}

describe('the type of a column', () => {
  const date = (text: string): JsonTerm => literal(text, xsd.date);
  const instant = (text: string): JsonTerm => literal(text, xsd.dateTime);
  const integer = (text: string): JsonTerm => literal(text, xsd.integer);

  test.each<[string, (JsonTerm | undefined)[], keyof typeof parquetTypes]>([
    ['of truth values', [literal('true', xsd.boolean), literal('0', xsd.boolean)], 'boolean'],
    ['of integers', [integer('-9223372036854775808'), undefined, literal('+7', xsd.int)], 'integer'],
    ['of integers of a narrower datatype', [literal('7', otherDatatypes.unsignedByte)], 'integer'],
    ['of an integer beyond 64 bits', [integer('1'), integer('9223372036854775808')], 'text'],
    [
      'of a decimal, and an integer that a double does not hold',
      [literal('1.5', xsd.decimal), integer('9007199254740993')],
      'text',
    ],
    ['of integers and decimals', [integer('1'), literal('1.50', xsd.decimal)], 'double'],
    ['of numbers with exponents', [literal('1e-7', xsd.double), literal('INF', xsd.float)], 'double'],
    ['of days', [date('2014-02-03'), date('0001-01-01')], 'date'],
    ['of days with a zone', [date('2014-02-03'), date('2014-02-03Z')], 'text'],
    ['of instants', [instant('2014-02-03T10:15:00Z'), instant('2014-02-03T10:15:00.125+02:00')], 'instant'],
    ['of instants finer than a millisecond', [instant('2014-02-03T10:15:00.1234Z')], 'text'],
    ['of instants and days', [instant('2014-02-03T10:15:00Z'), date('2014-02-03')], 'text'],
    ['of years', [literal('2014', xsd.gYear)], 'text'],
    ['of the partial dates of records', [literal('2014'), literal('2014-02-03')], 'text'],
    ['of numbers without a datatype', [literal('7'), literal('8.5')], 'text'],
    ['of numbers and texts', [integer('7'), literal('none')], 'text'],
    ['of what is no integer, though its datatype says so', [integer('seven')], 'text'],
    ['of IRIs and texts', [{ type: 'uri', value: 'http://a.example/' }, literal('a')], 'text'],
    ['of nothing', [undefined], 'text'],
  ])('%s', (_, terms, type) => {
    expect(typeOf(...terms)).toBe(type);
  });

  test('a number as long as a text can be costs time in proportion to its length', () => {
    const long = '1'.repeat(200_000);
    expect(typeOf(literal(`${long}x`, xsd.double), literal(`${long}x`, xsd.integer))).toBe('text');
    expect(typeOf(literal(`1.${long}x`, xsd.decimal))).toBe('text');
  });
});

describe('a Parquet file', () => {
  test('is made a row group at a time: rows are read as its chunks are asked for', () => {
    let pulled = 0;
    const rows = function* (): Generator<AnswerRow> {
      for (let at = 0; at < 50_000; at++) {
        pulled++;
        yield { v: literal(String(at), xsd.integer) };
      }
    };
    const file = parquetFile(['v'], rows);
    const sizes: number[] = [];
    const read: number[] = [];
    for (const chunk of file) {
      sizes.push(chunk.length);
      // The first reading finds the types.
      read.push(pulled - 50_000);
    }
    expect(read).toEqual([...Array.from({ length: 25 }, (_, at) => (at + 1) * 2_000), 50_000]);
    expect(Math.max(...sizes)).toBeLessThan(40_000);
  });

  test.skipIf(!hasDuckdb)('has columns of the types of their values, and every value of them', () => {
    const rows: AnswerRow[] = [
      {
        iri: { type: 'uri', value: 'http://a.example/é?x' },
        text: literal('one "two",\n\tthree\\ 🩺'),
        whole: literal('-9223372036854775808', xsd.integer),
        number: literal('3.3333333333333335', xsd.decimal),
        truth: literal('true', xsd.boolean),
        day: literal('1931-12-31', xsd.date),
        instant: literal('2014-02-03T10:15:00.125+02:00', xsd.dateTime),
        mixed: literal('2014', xsd.gYear),
      },
      {
        iri: { type: 'bnode', value: 'b0' },
        number: literal('-INF', xsd.double),
        truth: literal('0', xsd.boolean),
      },
      {
        text: { ...literal('un'), 'xml:lang': 'fr' },
        whole: literal('42', xsd.integer),
        number: literal('7', xsd.integer),
        day: literal('2000-02-29', xsd.date),
        instant: literal('1950-01-01T00:00:00', xsd.dateTime),
        mixed: literal('5', xsd.integer),
      },
    ];
    const names = ['iri', 'text', 'whole', 'number', 'truth', 'day', 'instant', 'mixed', 'never'];
    expect(read(fileOf(names, rows))).toEqual({
      columns: {
        iri: 'VARCHAR',
        text: 'VARCHAR',
        whole: 'BIGINT',
        number: 'DOUBLE',
        truth: 'BOOLEAN',
        day: 'DATE',
        instant: 'TIMESTAMP WITH TIME ZONE',
        mixed: 'VARCHAR',
        never: 'VARCHAR',
      },
      rows: [
        [
          'http://a.example/é?x',
          'one "two",\n\tthree\\ 🩺',
          '-9223372036854775808',
          '3.3333333333333335',
          'true',
          '1931-12-31',
          '2014-02-03 08:15:00.125+00',
          '2014',
          null,
        ],
        ['_:b0', null, null, '-inf', 'false', null, null, null, null],
        [null, 'un', '42', '7.0', null, '2000-02-29', '1950-01-01 00:00:00+00', '5', null],
      ],
      groups: [3],
    });
  });

  test.skipIf(!hasDuckdb)('holds 45,000 rows in their order, in row groups of 2,000', () => {
    const rows = Array.from({ length: 45_000 }, (_, at) => ({
      n: literal(String(at), xsd.integer),
      ...(at % 3 > 0 && { s: literal(`name ${at % 7}`) }),
    }));
    const found = read(fileOf(['n', 's'], rows));
    expect(found.groups).toEqual([...Array.from({ length: 22 }, () => 2_000), 1_000]);
    expect(found.rows).toEqual(rows.map(({ n, s }) => [n.value, s?.value ?? null]));
  });

  test.skipIf(!hasDuckdb)('of no rows has its columns', () => {
    expect(read(fileOf(['a', 'b'], []))).toEqual({
      columns: { a: 'VARCHAR', b: 'VARCHAR' },
      rows: [],
      groups: [],
    });
  });
});
