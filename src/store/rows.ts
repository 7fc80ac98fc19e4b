import { LRUCache } from 'lru-cache';
import type { DataDirectory } from './disk/data-directory.js';
import { blankNode, literal, namedNode, type Term } from '../rdf/terms.js';
import { readTsvTerm } from '../rdf/tsv-term.js';
import { epochOf, revisionOf } from './change-log.js';
import type { Row } from './graph-store.js';
import { type Scope, SHARED } from './parts.js';

const MAX_CACHED_BYTES = 25_000_000;
const TERM_BYTES = 100;

/** Caches answers to SELECTs that are likely to come again, until something is written in their scope. */
export class CachedRows {
  readonly #cache = new LRUCache<string, { readonly rows: readonly Row[]; readonly state: string }>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ rows }) =>
      rows
        .flatMap((row) => Object.values(row))
        .reduce((size, { value }) => size + TERM_BYTES + value.length, TERM_BYTES),
  });

  constructor(private readonly directory: DataDirectory) {}

  async get(
    sparql: string,
    scope: Scope | undefined,
    read: () => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    // Before reading: rows newer than their state are merely read again.
    const state = this.#stateOf(scope);
    const key = [sparql, ...(scope ?? [])].join('\n');
    const known = this.#cache.get(key);
    if (known?.state === state) return known.rows;
    const rows = await read();
    this.#cache.set(key, { rows, state });
    return rows;
  }

  /** Changes with every write, by any process, in a scope or to shared data. */
  #stateOf(scope: Scope | undefined): string {
    // Shared data has no path of its own.
    const paths = scope === undefined || scope.includes(SHARED) ? [''] : scope;
    return this.directory.read((tx) => [epochOf(tx), ...paths.map((path) => revisionOf(tx, path))].join(' '));
  }
}

/** Parses the rows of a SELECT from TSV (SPARQL 1.1 CSV and TSV §4); unbound variables are omitted. */
export function readRows(tsv: string, innerLabel: (iri: string) => string | undefined): Row[] {
  const [head = '', ...lines] = tsv.split('\n');
  lines.pop();
  const names = head.split('\t').map((name) => name.slice(1));
  return lines.map((line) => {
    const row: Record<string, Term> = {};
    const cells = line.split('\t');
    for (let at = 0; at < names.length; at++) {
      const [name = '', cell = ''] = [names[at], cells[at]];
      if (cell !== '') row[name] = readTerm(cell, innerLabel);
    }
    return row;
  });
}

function readTerm(cell: string, innerLabel: (iri: string) => string | undefined): Term {
  const term = readTsvTerm(cell);
  if (term.type === 'literal') {
    return literal(
      term.value,
      term['xml:lang'] ?? (term.datatype === undefined ? undefined : namedNode(term.datatype)),
    );
  }
  if (term.type === 'bnode') return blankNode(term.value);
  const label = innerLabel(term.value);
  return label === undefined ? namedNode(term.value) : blankNode(label);
}
