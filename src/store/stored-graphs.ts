import type { ReadTx } from './disk/transaction.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import { keyOf, nameOf } from './paths.js';
import { innerLabelUnder, resolveText } from './relative-text.js';

export type StoredGraphs = ReturnType<typeof storedGraphs>;

export interface TextSource {
  textOf(path: string): string | undefined;
  pathsUnder(path: string): Iterable<string>;
}

/** @param base absolute URL without a trailing slash */
export function storedGraphs(base: string, source: TextSource, hold: () => void) {
  const innerLabel = innerLabelUnder(base);
  const read = new Map<string, string | undefined>();
  const textOf = (name: string): string | undefined => {
    const path = keyOf(name, base);
    const text = path === undefined ? undefined : source.textOf(path);
    return text === undefined ? undefined : resolveText(text, base);
  };
  return {
    /** Returns sorted lines of absolute N-Triples; undefined if the graph is missing. */
    ntriples(name: string): string | undefined {
      if (!read.has(name)) read.set(name, textOf(name));
      return read.get(name);
    },
    /** Returns the names of graphs at and below a path; undefined if there are more than `most`. */
    under(path: string, most: number): readonly string[] | undefined {
      const names: string[] = [];
      for (const each of source.pathsUnder(path)) {
        if (names.length === most) return undefined;
        names.push(nameOf(each, base));
      }
      return names;
    },
    /** Keeps the snapshot for later turns of the event loop; call before the first await. */
    hold,
    /** Parses distinct statements, with the same blank node labels as query answers. */
    quads: (ntriples: string): Quad[] => readTriples(ntriples, innerLabel),
  };
}

export function presentTexts(tx: ReadTx): TextSource {
  return {
    textOf: (path) => graphText(tx, path),
    pathsUnder: (path) => pathsIn(tx, path),
  };
}

export function graphText(tx: ReadTx, path: string): string | undefined {
  return tx.get('graphs', path) as string | undefined;
}

export function pathsUnder(tx: ReadTx, prefix: string): string[] {
  return Array.from(tx.range('graphs', { prefix: prefix || undefined, values: false }), ({ key }) =>
    String(key),
  );
}

/** Yields the graphs at and below a path, in order. @param after a path; '' for all */
export function* graphsIn(
  tx: ReadTx,
  part: string,
  after: string,
): Generator<{ path: string; text: string }> {
  const own = after === '' ? tx.get('graphs', part) : undefined;
  if (own !== undefined) yield { path: part, text: own as string };
  const start = after > `${part}/` ? { after } : { start: `${part}/` };
  for (const { key, value } of tx.range('graphs', { ...start, end: `${part}/\u{10ffff}` })) {
    yield { path: String(key), text: value as string };
  }
}

export function* pathsIn(tx: ReadTx, path: string): Generator<string> {
  if (tx.has('graphs', path)) yield path;
  for (const { key } of tx.range('graphs', { prefix: `${path}/`, values: false })) yield String(key);
}
