import { Parser } from 'n3';
import type { DataFactory } from '@rdfjs/types';
import { RdfLimitError, RdfSyntaxError } from './rdf-errors.js';
import { formats, type RdfFormat } from './formats.js';
import type { InputTerms } from './input-terms.js';
import { inChunks, noteLine, type Steps, type SubjectLines } from './parse-steps.js';
import type { Quad } from './terms.js';

/** The part of n3's state that we read. Its version is pinned, and a test fails if these names change. */
interface ParserState {
  readonly _contextStack: readonly unknown[];
  readonly _lexer: { readonly _line: number };
  _base: string;
}

/**
 * Reads Turtle, TriG, N-Triples or N-Quads, in steps. n3 keeps open brackets in a list, so the depth is checked as
 * each one opens.
 * @throws RdfSyntaxError or RdfLimitError with the line
 */
export function* parseTurtle(
  text: string,
  options: {
    terms: InputTerms;
    format: RdfFormat;
    baseIRI: string | undefined;
    maxDepth: number;
    lines?: SubjectLines | undefined;
  },
): Steps<Quad[]> {
  const { terms, format, baseIRI, maxDepth, lines } = options;
  const factory: InputTerms = {
    ...terms,
    blankNode(label) {
      if (state._contextStack.length >= maxDepth)
        throw new RdfLimitError(`brackets nest deeper than ${maxDepth}`);
      return terms.blankNode(label);
    },
    quad(subject, predicate, object, graph) {
      noteLine(lines, subject, state._lexer._line);
      return terms.quad(subject, predicate, object, graph);
    },
  };
  const settings = {
    format: formats[format].mediaType,
    factory: factory as unknown as DataFactory,
    maxTripleTermDepth: 0,
    ...(baseIRI === undefined ? {} : { baseIRI }),
  };
  const parser = new Parser(settings);
  const state = parser as unknown as ParserState;
  boundBases(state);
  const quads: Quad[] = [];
  try {
    const source = new ChunkSource();
    parser.parse(source as unknown as Parameters<typeof parser.parse>[0], (error, quad) => {
      if (error) throw error;
      if (quad) quads.push(quad as Quad);
    });
    yield* inChunks(text, (chunk) => source.tell('data', chunk));
    source.tell('end', '');
    return quads;
  } catch (error) {
    throw located(error, state._lexer._line);
  }
}

const MAX_BASES = 1000;
const MAX_BASE_LENGTH = 8192;

/** Each base may extend the one before, so many would take quadratic time. */
function boundBases(state: ParserState): void {
  let base = state._base;
  let count = 0;
  Object.defineProperty(state, '_base', {
    get: () => base,
    set: (value: string) => {
      if (++count > MAX_BASES) throw new RdfLimitError(`the document names more than ${MAX_BASES} bases`);
      if (value.length > MAX_BASE_LENGTH)
        throw new RdfLimitError(`a base is longer than ${MAX_BASE_LENGTH} characters`);
      base = value;
    },
  });
}

/** A stream for n3 that works in browsers as well. */
class ChunkSource {
  readonly #listeners = new Map<string, (chunk: string) => void>();

  on(event: string, listener: (chunk: string) => void): this {
    this.#listeners.set(event, listener);
    return this;
  }

  tell(event: 'data' | 'end', chunk: string): void {
    this.#listeners.get(event)?.(chunk);
  }
}

function located(error: unknown, line: number): unknown {
  if (error instanceof RdfSyntaxError) return new RdfSyntaxError(error.reason, error.line ?? line);
  if (error instanceof RdfLimitError) return new RdfLimitError(error.reason, error.line ?? line);
  const parts = error instanceof Error ? /^(.*?)(?: on line (\d+))?\.?$/s.exec(error.message) : null;
  if (!parts) return error;
  return new RdfSyntaxError(readable(parts[1] ?? ''), parts[2] === undefined ? line : Number(parts[2]), {
    cause: error,
  });
}

/** The parser names the last term of a sentence, but not a blank node. */
function readable(reason: string): string {
  return /^Expected punctuation\b/.test(reason)
    ? 'expected a full stop, semicolon or comma before this'
    : reason;
}
