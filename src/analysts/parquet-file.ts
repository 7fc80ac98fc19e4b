import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { AnswerRow } from '../rdf/json-term.js';
import { parquetTypes, typesOf, type ParquetValue } from './parquet-types.js';

/** Rows of a row group: so many are in memory at a time, and readers can skip so many. */
const GROUP = 2_000;

/**
 * An answer to SELECT as an Apache Parquet file, in chunks of a row group each; every column may have no value, and its
 * type holds all of its values (`typesOf`). Linear in the cells, of which one row group is in memory.
 * @param rows the same rows each time it is called: once to know the types, once to write them
 */
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
    // Least and greatest values help to skip row groups, of which an answer has a few.
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
    // Its compression and its bytes are made in this turn: this writer waits for nobody.
    void file.write({ columnData, rowGroupSize: GROUP });
    for (const { data } of columnData) data.length = 0;
    return taken(writer);
  };
  let inGroup = 0;
  for (const row of rows()) {
    for (const [at, { name, type }] of columns.entries()) {
      const term = row[name];
      columnData[at]?.data.push(term === undefined ? null : (type.read(term) ?? null));
    }
    if (++inGroup < GROUP) continue;
    yield write();
    inGroup = 0;
  }
  if (inGroup > 0) yield write();
  void file.finish();
  yield taken(writer);
}

/** What was written since the last time; its buffer is used again. */
function taken(writer: ByteWriter): Uint8Array<ArrayBuffer> {
  const bytes = writer.getBytes().slice() as Uint8Array<ArrayBuffer>;
  writer.index = 0;
  return bytes;
}
