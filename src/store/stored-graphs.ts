import type { ReadTx } from '../disk/transaction.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import { graphText } from './apply.js';
import { pathsIn } from './parts.js';
import { keyOf, nameOf } from './paths.js';
import { resolveText } from './relative-text.js';
import { innerLabelUnder } from './skolem-label.js';

/** Graphs of one state of a store as they are stored, each read once. */
export interface StoredGraphs {
  /** What a graph says, as sorted lines of absolute N-Triples; undefined where there is no such graph. */
  ntriples(name: string): string | undefined;
  /** The names of the graphs at and below a path; undefined where they are more than `most`. */
  under(path: string, most: number): readonly string[] | undefined;
  /** The statements of such lines, each once, with the blank nodes that answers of queries have. */
  quads(ntriples: string): Quad[];
}

/** Where the texts of graphs are had from, by their paths. */
export interface TextSource {
  textOf(path: string): string | undefined;
  /** The paths of the graphs at and below a path; who has enough of them asks no further. */
  pathsUnder(path: string): Iterable<string>;
}

/** @param base absolute URL without a slash at its end */
export function storedGraphs(base: string, source: TextSource): StoredGraphs {
  const innerLabel = innerLabelUnder(base);
  const read = new Map<string, string | undefined>();
  const textOf = (name: string): string | undefined => {
    const path = keyOf(name, base);
    const text = path === undefined ? undefined : source.textOf(path);
    return text === undefined ? undefined : resolveText(text, base);
  };
  return {
    ntriples(name) {
      if (!read.has(name)) read.set(name, textOf(name));
      return read.get(name);
    },
    under(path, most) {
      const names: string[] = [];
      for (const each of source.pathsUnder(path)) {
        if (names.length === most) return undefined;
        names.push(nameOf(each, base));
      }
      return names;
    },
    quads: (ntriples) => readTriples(ntriples, innerLabel),
  };
}

/** The graphs of a snapshot as they are now. */
export function presentTexts(tx: ReadTx): TextSource {
  return {
    textOf: (path) => graphText(tx, path),
    pathsUnder: (path) => pathsIn(tx, path),
  };
}
