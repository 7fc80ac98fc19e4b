import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';
import type * as Oxigraph from 'oxigraph';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../rdf/terms.js';

export const PAGE = 65_536;
const MAX_PAGES = 65_536;
const HEADER = 8;
const MEMORY_SECTION = 5;

/** Replaces the memory limit of a module (WebAssembly Core Specification, binary format, memory section). */
function withMemoryLimit(module: Uint8Array, mostBytes: number): Uint8Array {
  for (let at = HEADER; at < module.length;) {
    const start = at;
    const id = module[at];
    const size = readNumber(module, at + 1);
    const end = size.end + size.value;
    if (id === MEMORY_SECTION) {
      const count = readNumber(module, size.end);
      // A flag says whether a maximum follows; the minimum always does.
      const minimum = readNumber(module, count.end + 1);
      const maximum = Math.min(MAX_PAGES, Math.max(minimum.value, Math.ceil(mostBytes / PAGE)));
      const content = [1, 1, ...number(minimum.value), ...number(maximum)];
      const section = [MEMORY_SECTION, ...number(content.length), ...content];
      return Buffer.concat([module.subarray(0, start), Buffer.from(section), module.subarray(end)]);
    }
    at = end;
  }
  throw new TypeError('the module has no memory of its own');
}

function readNumber(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end: at };
  }
}

function number(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest = Math.floor(rest / 128);
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest > 0);
  return bytes;
}

/** Copies distinct quads out of the engine and frees its objects. */
export function takeQuads(
  found: readonly Oxigraph.Quad[],
  innerLabel: (iri: string) => string | undefined,
): Quad[] {
  const termOf = (term: Oxigraph.Term): Term => {
    const { termType, value } = term;
    if (termType === 'BlankNode') return blankNode(value);
    if (termType === 'NamedNode') {
      const inner = innerLabel(value);
      return inner === undefined ? namedNode(value) : blankNode(inner);
    }
    if (termType !== 'Literal') throw new TypeError(`a statement cannot hold a ${termType}`);
    const { language } = term;
    return literal(
      value,
      language === '' ? take(term.datatype, ({ value: iri }) => namedNode(iri)) : language,
    );
  };
  const quads = found.map((each) =>
    take(each, ({ subject, predicate, object }) =>
      quad(take(subject, termOf), take(predicate, termOf), take(object, termOf)),
    ),
  );
  return [...new Map(quads.map((each) => [keyOf(each), each])).values()];
}

function take<T extends object, R>(held: T, read: (held: T) => R): R {
  try {
    return read(held);
  } finally {
    // Engine objects occupy its memory until they are freed; its types do not declare `free`.
    (held as { free(): void }).free();
  }
}

function keyOf({ subject, predicate, object }: Quad): string {
  const kind =
    object.termType === 'Literal' ? `${object.datatype.value} ${object.language}` : object.termType;
  return `${subject.termType} ${subject.value} ${predicate.value} ${kind} ${object.value}`;
}

/** The linear memory of a WebAssembly instance; it only grows. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface ValueTable {
  readonly length: number;
  grow(entries: number): number;
  get(at: number): unknown;
  set(at: number, value: unknown): void;
}

export interface Engine {
  readonly oxigraph: typeof Oxigraph;
  readonly memory: LinearMemory;
  readonly values: ValueTable;
  /** Reads texts of `LARGE` bytes or more in the engine's memory; the engine then returns an empty text instead. */
  readLarge: ((utf8: Uint8Array) => void) | undefined;
}

/** Only query answers are this long. */
const LARGE = 1024 * 1024;

interface Instance {
  readonly exports: { readonly memory: LinearMemory; readonly __wbindgen_externrefs: ValueTable };
}

const { WebAssembly: wasm } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object;
    Instance: new (module: object, imports: object) => Instance;
  };
};
const require = createRequire(import.meta.url);
const file = require.resolve('oxigraph');

/** The package's code as a function of its globals, so that they can be replaced. */
let program: ReturnType<typeof compileFunction> | undefined;
/** Modules by memory limit. Instances of one module share V8's optimized code. */
const modules = new Map<number | undefined, object>();

/** Creates an engine instance. @param mostBytes memory limit; default: WebAssembly's maximum, 4 GB */
export function loadEngine(mostBytes?: number): Engine {
  let engine: Engine | undefined;
  let instance: Instance | undefined;
  // Both are called with `new`, which yields what they return.
  function Module(bytes: Uint8Array): object {
    const module =
      modules.get(mostBytes) ??
      new wasm.Module(mostBytes === undefined ? bytes : withMemoryLimit(bytes, mostBytes));
    modules.set(mostBytes, module);
    return module;
  }
  function Instance(module: object, imports: object): Instance {
    return (instance = new wasm.Instance(module, imports));
  }
  class Decoder extends TextDecoder {
    override decode(...[input, options]: Parameters<InstanceType<typeof TextDecoder>['decode']>): string {
      if (!(engine?.readLarge && input instanceof Uint8Array && input.byteLength >= LARGE))
        return super.decode(input, options);
      engine.readLarge(input);
      return '';
    }
  }
  const given = {
    ...{ require, exports: {}, __dirname: dirname(file) },
    ...{ WebAssembly: { Module, Instance }, TextDecoder: Decoder },
  };
  program ??= compileFunction(readFileSync(file, 'utf8'), Object.keys(given), { filename: file });
  program(...Object.values(given));
  if (!instance) throw new Error('The engine was loaded without a WebAssembly instance.');
  const { memory, __wbindgen_externrefs: values } = instance.exports;
  return (engine = { oxigraph: given.exports as typeof Oxigraph, memory, values, readLarge: undefined });
}
