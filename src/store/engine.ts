import { createRequire } from 'node:module';
import type * as Oxigraph from 'oxigraph';
import { withMemoryLimit } from './engine-limit.js';

/** The linear memory of a WebAssembly instance, which only grows. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer;
  /** @param pages of 64 KB */
  grow(pages: number): number;
}

/** The table of JavaScript values that an instance has at hand. */
interface ValueTable {
  readonly length: number;
  grow(entries: number): number;
  get(at: number): unknown;
  set(at: number, value: unknown): void;
}

/** The engine's module in a WebAssembly instance of its own. */
export interface Engine {
  readonly oxigraph: typeof Oxigraph;
  readonly memory: LinearMemory;
  readonly values: ValueTable;
  /** While it is set, a text of `LARGE` bytes or more is read in the engine's memory, and an empty one is handed over. */
  readLarge: ((utf8: Uint8Array) => void) | undefined;
}

/** Bytes of a text that nothing but the answer to a query is as long as. */
const LARGE = 1024 * 1024;

interface Instance {
  readonly exports: { readonly memory: LinearMemory; readonly __wbindgen_externrefs: ValueTable };
}

/** As much of the JavaScript interface of WebAssembly as is used here; Node.js has no types for it. */
interface WebAssemblyInterface {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => Instance;
}

const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WebAssemblyInterface };

/**
 * Loads the engine's module as if for the first time, which gives it a memory of its own.
 * @param mostBytes what that memory may grow to; default: what WebAssembly allows, 4 GB
 */
export function loadEngine(mostBytes?: number): Engine {
  // A parent of its own, too: the list of children of a lasting one would keep every instance alive.
  const require = createRequire(import.meta.url);
  const file = require.resolve('oxigraph');
  const { Module, Instance } = wasm;
  const { TextDecoder } = globalThis;
  const made: Instance[] = [];
  Reflect.deleteProperty(require.cache, file);
  // The package keeps its instance to itself, and loads in one turn: only meanwhile others stand in these places.
  wasm.Instance = class extends Instance {
    constructor(module: object, imports: object) {
      super(module, imports);
      made.push(this);
    }
  };
  wasm.Module = compiledOnce(Module, mostBytes);
  globalThis.TextDecoder = class extends TextDecoder {
    override decode(...[input, options]: Parameters<InstanceType<typeof TextDecoder>['decode']>): string {
      if (!(engine?.readLarge && input instanceof Uint8Array && input.byteLength >= LARGE))
        return super.decode(input, options);
      engine.readLarge(input);
      return '';
    }
  };
  let engine: Engine | undefined;
  try {
    const oxigraph = require(file) as typeof Oxigraph;
    const [instance] = made;
    if (!instance) throw new Error('The engine was loaded without a WebAssembly instance.');
    const { memory, __wbindgen_externrefs: values } = instance.exports;
    return (engine = { oxigraph, memory, values, readLarge: undefined });
  } finally {
    Object.assign(wasm, { Module, Instance });
    globalThis.TextDecoder = TextDecoder;
    Reflect.deleteProperty(require.cache, file);
  }
}

/** Modules by the limit of their memory. What V8 has optimised of one serves all its instances. */
const compiled = new Map<number | undefined, object>();

function compiledOnce(
  Module: WebAssemblyInterface['Module'],
  mostBytes: number | undefined,
): WebAssemblyInterface['Module'] {
  function Once(bytes: Uint8Array): object {
    const known = compiled.get(mostBytes);
    if (known) return known;
    const module = new Module(mostBytes === undefined ? bytes : withMemoryLimit(bytes, mostBytes));
    compiled.set(mostBytes, module);
    return module;
  }
  return Once as unknown as WebAssemblyInterface['Module'];
}
