import { nameOf } from './paths.js';
import { countLines } from '../rdf/count-lines.js';
import { inGraph, resolveText } from './relative-text.js';
import type { WorkingSet } from './working-set.js';

/** Derives lookup statements from a graph; stored in `{name}#_index`, only in working sets. */
export type Derive = (name: string, ntriples: string) => string;

/** Selects the statements of a graph to load: N-Triples in, N-Triples out. */
export type Missing = (name: string, ntriples: string) => string;

/** Replaces a graph in a working set: absolute N-Triples in, N-Quads out, one statement a line. */
export type View = (name: string, ntriples: string) => string;

/** Average line length from which quads are taken as objects: the engine is slow at writing long texts. */
const LONG_LINE = 1000;
const INITIAL_BYTES = 1 << 16;
const MAX_REUSED_BYTES = 1 << 22;
/** Maximum UTF-8 bytes per UTF-16 unit. */
const MAX_UTF8_BYTES = 3;

/** N-Quads as bytes for the engine. Reusing a cleared chunk is faster than allocating memory. */
export class Chunk {
  size = 0;
  graphs = 0;
  quads = 0;
  derived = 0;
  #long: string[] = [];
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #end = 0;

  constructor(
    readonly base: string,
    readonly derive: Derive | undefined,
    readonly view?: View | undefined,
  ) {}

  clear(): void {
    this.size = this.graphs = this.quads = this.derived = this.#end = 0;
    this.#long = [];
    if (this.#bytes.length > MAX_REUSED_BYTES) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  }

  add(path: string, text: string, missing: Missing = all): void {
    const name = nameOf(path, this.base);
    const absolute = resolveText(text, this.base);
    this.size += text.length;
    this.graphs++;
    if (this.view) return void this.#addQuads(this.view(name, absolute));
    if (absolute.length > countLines(absolute) * LONG_LINE) this.#long.push(name);
    this.#addLines(missing(name, absolute), name);
    if (!this.derive) return;
    const index = indexGraph(name);
    this.derived += this.#addLines(missing(index, this.derive(name, absolute)), index);
  }

  loadInto(workingSet: WorkingSet): void {
    if (this.#end > 0) workingSet.load(this.#bytes.subarray(0, this.#end), this.#long);
  }

  /** Adds N-Triples lines as N-Quads of a graph. @returns their number */
  #addLines(ntriples: string, name: string): number {
    if (ntriples === '') return 0;
    if (!ntriples.endsWith('\n')) throw new Error('What is stored of a graph is damaged.');
    return this.#addQuads(inGraph(ntriples, name));
  }

  #addQuads(nquads: string): number {
    this.#reserve(nquads.length * MAX_UTF8_BYTES);
    this.#end += this.#bytes.write(nquads, this.#end);
    const count = countLines(nquads);
    this.quads += count;
    return count;
  }

  #reserve(more: number): void {
    if (this.#end + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow((this.#end + more) * 2);
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

const all: Missing = (_, ntriples) => ntriples;

export function indexGraph(name: string): string {
  return name + '#_index';
}
