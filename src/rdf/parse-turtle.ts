import { Parser } from 'n3';
import type { DataFactory } from '@rdfjs/types';
import { RdfLimitError, RdfSyntaxError } from './rdf-errors.js';
import { formats, type RdfFormat } from './formats.js';
import type { InputTerms } from './input-terms.js';
import { noteLine, type SubjectLines } from './subject-lines.js';
import type { Quad } from './terms.js';

/** What we read of n3's state: its version is pinned, and a test fails should these names ever change. */
interface ParserState {
  readonly _contextStack: readonly unknown[];
  readonly _lexer: { readonly _line: number };
}

/**
 * Reads Turtle, TriG, N-Triples or N-Quads. n3 keeps open brackets in a list, not on the call stack, so that depth can
 * be checked as each opens. Throws RdfSyntaxError and RdfLimitError with their line.
 */
export function parseTurtle(
  text: string,
  options: {
    terms: InputTerms;
    format: RdfFormat;
    baseIRI: string | undefined;
    maxDepth: number;
    lines?: SubjectLines | undefined;
  },
): Quad[] {
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
  try {
    return parser.parse(text) as Quad[];
  } catch (error) {
    throw located(error, state._lexer._line);
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

/** The parser names the last term of a sentence, which it does not know where that was a blank node. */
function readable(reason: string): string {
  return /^Expected punctuation\b/.test(reason)
    ? 'expected a full stop, semicolon or comma before this'
    : reason;
}
