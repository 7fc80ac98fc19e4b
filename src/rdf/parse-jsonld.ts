import { RdfLimitError, RdfSyntaxError } from './rdf-errors.js';
import type { InputTerms } from './input-terms.js';
import { shown } from './ntriples.js';
import type { Quad, Term } from './terms.js';

type PlainTerm =
  | { termType: 'NamedNode' | 'BlankNode' | 'DefaultGraph'; value: string }
  | { termType: 'Literal'; value: string; language?: string; datatype: { value: string } };

interface JsonLdEvent {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/** Warnings of a JSON-LD processor that mean lost content; here they are errors. */
const losses = new Set([
  'blank node predicate',
  'free-floating scalar',
  'invalid @language value',
  'invalid property',
  'relative graph reference',
  'relative object reference',
  'relative predicate reference',
  'relative subject reference',
  'reserved @id value',
  'reserved @reverse value',
  'reserved term',
]);

/** A context that a document may name by its address; made when it does. */
export interface KnownContext {
  readonly iri: string;
  readonly make: () => object;
}

/**
 * Reads JSON-LD 1.1. No remote context is loaded; nesting is limited before anything recurses.
 * @throws RdfSyntaxError or RdfLimitError
 */
export async function parseJsonLd(
  text: string,
  options: {
    terms: InputTerms;
    baseIRI: string | undefined;
    maxDepth: number;
    maxJsonValues: number;
    maxText: number;
    knownContext?: KnownContext | undefined;
  },
): Promise<Quad[]> {
  const { terms, baseIRI, maxDepth, maxJsonValues, maxText, knownContext } = options;
  checkDepth(text, maxDepth);
  const document = readJson(text);
  checkWidth(document, maxJsonValues, maxText);
  if (knownContext) putInContext(document, knownContext);
  // Loaded on first use: most runs never see JSON-LD.
  const { default: jsonld } = await import('jsonld');
  boundPaths(jsonld.url);
  const toTerm = (term: PlainTerm): Term => {
    switch (term.termType) {
      case 'NamedNode':
        return terms.namedNode(term.value);
      case 'BlankNode':
        return terms.blankNode(term.value);
      case 'Literal':
        return terms.literal(term.value, term.language ?? terms.namedNode(term.datatype.value));
      default:
        return terms.defaultGraph();
    }
  };
  try {
    const dataset = (await jsonld.toRDF(document, {
      base: baseIRI ?? '',
      documentLoader: refuseToLoad,
      eventHandler: refuseLosses,
    })) as readonly Record<'subject' | 'predicate' | 'object' | 'graph', PlainTerm>[];
    return dataset.map(({ subject, predicate, object, graph }) =>
      terms.quad(toTerm(subject), toTerm(predicate), toTerm(object), toTerm(graph)),
    );
  } catch (error) {
    throw asSyntaxError(error);
  }
}

const MAX_PATH_LENGTH = 8192;
const bounded = new WeakSet<object>();

/** jsonld shifts segments off a list, which moves all others each time, so long paths would take quadratic time. */
function boundPaths(url: { removeDotSegments(path: string): string }): void {
  if (bounded.has(url)) return;
  bounded.add(url);
  const { removeDotSegments } = url;
  url.removeDotSegments = (path) => {
    if (path.length > MAX_PATH_LENGTH)
      throw new RdfLimitError(`the path of an IRI is longer than ${MAX_PATH_LENGTH} characters`);
    return removeDotSegments(path);
  };
}

/** Counts open brackets outside strings, before a recursive parser sees them. */
function checkDepth(text: string, maxDepth: number): void {
  let depth = 0;
  let line = 1;
  for (const [token] of text.matchAll(/"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|[[\]{}\n]/g)) {
    if (token === '\n') line++;
    else if (token === '{' || token === '[') {
      if (++depth > maxDepth) throw new RdfLimitError(`JSON nests deeper than ${maxDepth}`, line);
    } else if (token === '}' || token === ']') depth--;
  }
}

/**
 * Limits the number of members and elements. Any value may expand to the longest IRI that the contexts can make,
 * which is at most all of their text.
 */
function checkWidth(document: object, maxValues: number, maxText: number): void {
  if (maxValues === Infinity && maxText === Infinity) return;
  let [values, contextText] = [0, 0];
  const open: { value: object; inContext: boolean }[] = [{ value: document, inContext: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [key, value] of Object.entries(next.value) as [string, unknown][]) {
      const inContext = next.inContext || key === '@context';
      if (++values > maxValues)
        throw new RdfLimitError(`the document holds more than ${maxValues} JSON values`);
      if (inContext) contextText += key.length + (typeof value === 'string' ? value.length : 0);
      if (typeof value === 'object' && value !== null) open.push({ value, inContext });
    }
  }
  if (contextText * values > maxText)
    throw new RdfLimitError('the contexts hold too much text for so many values');
}

/** Once, at the top: elsewhere it could be processed hundreds of times. */
function putInContext(document: { '@context'?: unknown }, { iri, make }: KnownContext): void {
  const stated = document['@context'];
  if (stated === iri) document['@context'] = make();
  else if (Array.isArray(stated) && stated.includes(iri)) stated[stated.indexOf(iri)] = make();
}

function readJson(text: string): object {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const position = /position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
    // V8 quotes the text, which may be about a patient.
    const reason = `the text is not JSON: ${message.replace(/, (?:\.\.\.)?".*$/s, '')}`;
    throw new RdfSyntaxError(reason, line, { cause });
  }
  if (typeof document !== 'object' || document === null)
    throw new RdfSyntaxError('JSON-LD must be an object or array');
  return document;
}

function refuseToLoad(url: string): Promise<never> {
  return Promise.reject(new RdfSyntaxError(`contexts of other documents are not loaded: ${shown(url)}`));
}

function refuseLosses({ event, next }: { event: JsonLdEvent; next: () => void }): void {
  if (!losses.has(event.code)) return next();
  const { property } = (event.details ?? {}) as { readonly property?: string };
  throw new RdfSyntaxError(
    event.code === 'invalid property' && property !== undefined
      ? `no @context says what ${shown(property)} is, so what it holds would be lost`
      : `${event.message.replace(/\.$/, '')} ${shown(JSON.stringify(event.details ?? {}))}`,
  );
}

/** jsonld wraps errors; the innermost one says what is wrong. */
function asSyntaxError(error: unknown): unknown {
  for (let inner: unknown = error; inner instanceof Error; inner = cause(inner)) {
    // By name: another copy of this module in the process may have bounded the paths of the one jsonld.
    if (inner.name === RdfSyntaxError.name || inner.name === RdfLimitError.name) return inner;
  }
  return error instanceof Error ? new RdfSyntaxError(error.message, undefined, { cause: error }) : error;
}

function cause(error: Error): unknown {
  return error.cause ?? (error as { details?: { cause?: unknown } }).details?.cause;
}
