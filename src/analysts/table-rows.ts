import type { AnswerRow, JsonTerm } from '../rdf/json-term.js';
import { readTsvTerm } from '../rdf/tsv-term.js';

const NEWLINE = 10;
/** Bytes of whole lines that become text at once. */
const BLOCK = 64 * 1024;

/**
 * The answer to a SELECT as the engine writes it: a line of names, then a line for each row (SPARQL 1.1 CSV and TSV §4).
 */
export class Table {
  readonly variables: readonly string[];
  /** How many rows there are. */
  readonly size: number;
  readonly #tsv: Buffer;
  readonly #innerLabel: (iri: string) => string | undefined;

  /** @param tsv in UTF-8; it is read where it lies @param innerLabel gives the label of an IRI that stands for a blank node */
  constructor(tsv: Uint8Array, innerLabel: (iri: string) => string | undefined) {
    this.#tsv = Buffer.from(tsv.buffer, tsv.byteOffset, tsv.byteLength);
    const head = this.#tsv.toString('utf8', 0, this.#tsv.indexOf(NEWLINE));
    this.variables = head === '' ? [] : head.split('\t').map((name) => name.slice(1));
    this.#innerLabel = innerLabel;
    let lines = 0;
    for (let at = this.#tsv.indexOf(NEWLINE); at >= 0; at = this.#tsv.indexOf(NEWLINE, at + 1)) lines++;
    this.size = lines - 1;
  }

  /** The rows in their order, unbound variables left out. */
  *rows(most: number): Generator<AnswerRow> {
    let left = Math.min(most, this.size);
    for (let start = this.#tsv.indexOf(NEWLINE) + 1; left > 0;) {
      const end = this.#tsv.indexOf(NEWLINE, Math.min(start + BLOCK, this.#tsv.length - 1));
      const lines = this.#tsv.toString('utf8', start, end).split('\n');
      for (const line of lines.slice(0, left)) yield this.#row(line);
      left -= lines.length;
      start = end + 1;
    }
  }

  #row(line: string): AnswerRow {
    const row: Record<string, JsonTerm> = {};
    for (const [index, cell] of line.split('\t').entries()) {
      const name = this.variables[index];
      if (cell !== '' && name !== undefined) row[name] = this.#term(cell);
    }
    return row;
  }

  #term(cell: string): JsonTerm {
    const term = readTsvTerm(cell);
    const label = term.type === 'uri' && term.value.includes('#_') ? this.#innerLabel(term.value) : undefined;
    return label === undefined ? term : { type: 'bnode', value: label };
  }
}
