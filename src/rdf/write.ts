import { Writer } from 'n3';
import { byKey } from './by-key.js';
import type { RdfFormat } from './formats.js';
import { openEnd, withOpenRings } from './list-rings.js';
import { numberBlankNodes } from './skolem-iris.js';
import { nestNodes } from './nest-nodes.js';
import { writeTerm } from './ntriples.js';
import { writeRdfXml } from './rdfxml.js';
import { blankNode, quad, type Quad, type Term } from './terms.js';
import { prefixes as ownPrefixes, rdf, xsd } from './vocabulary.js';

export interface WriteOptions {
  /** Prefix → namespace, for the formats that have prefixes; the project's own table when left out. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** JSON-LD context to compact with; the prefixes in use when left out. */
  readonly context?: object | undefined;
}

/**
 * A dataset as text of a format, ending in a line feed: the same text for isomorphic input. RDF/XML, Turtle and
 * N-Triples carry triples only: graph names are left out. Throws UnwritableError for what RDF/XML cannot carry,
 * TypeError for terms that no format can, RdfLimitError for blank nodes too entangled to be numbered.
 */
export async function writeRdf(
  quads: readonly Quad[],
  format: RdfFormat,
  options: WriteOptions = {},
): Promise<string> {
  switch (format) {
    case 'rdfxml':
      return writeRdfXml(quads, { prefixes: options.prefixes });
    case 'ntriples':
      return sorted(flat(quads)).lines.join('');
    case 'nquads':
      return sorted(quads).lines.join('');
    case 'turtle':
      return writeTurtle(sorted(flat(quads)).quads, format, options);
    case 'trig':
      return writeTurtle(sorted(quads).quads, format, options);
    case 'jsonld':
      return writeJsonLd(sorted(quads).quads, options);
  }
}

function flat(quads: readonly Quad[]): Quad[] {
  return quads.map(({ subject, predicate, object }) => quad(subject, predicate, object));
}

/** Each quad once with canonical blank node labels, and its N-Quads line; by graph, then by line. */
function sorted(quads: readonly Quad[]): { quads: Quad[]; lines: string[] } {
  const numbers = numberBlankNodes(quads);
  const name = (term: Term): Term =>
    term.termType === 'BlankNode' ? blankNode(`b${numbers.get(term.value) ?? '_' + term.value}`) : term;
  const keyed = new Map<string, { quad: Quad; line: string }>();
  for (const each of quads) {
    const renamed = quad(name(each.subject), each.predicate, name(each.object), name(each.graph));
    const statement = [renamed.subject, renamed.predicate, renamed.object].map(writeTerm).join(' ');
    const graph = renamed.graph.termType === 'DefaultGraph' ? '' : writeTerm(renamed.graph) + ' ';
    keyed.set(`${graph}${statement}`, { quad: renamed, line: `${statement} ${graph}.\n` });
  }
  const found = byKey(keyed);
  return { quads: found.map((entry) => entry.quad), lines: found.map(({ line }) => line) };
}

function writeTurtle(quads: readonly Quad[], format: RdfFormat, options: WriteOptions): string {
  const writer = new Writer({ format, prefixes: usedPrefixes(quads, options) });
  for (const each of quads) writer.addQuad(each);
  let text = '';
  writer.end((error, result: string) => {
    if (error) throw error;
    text = result;
  });
  return text;
}

async function writeJsonLd(quads: readonly Quad[], options: WriteOptions): Promise<string> {
  const { default: jsonld } = await import('jsonld');
  const settings = { documentLoader: () => Promise.reject(new Error('no context is loaded from elsewhere')) };
  const document = nestNodes(
    withNativeValues(await jsonld.fromRDF(withOpenRings(quads), settings)) as object[],
  );
  const context = options.context ?? usedPrefixes(quads, options);
  return JSON.stringify(await jsonld.compact(document, context, settings), null, 2) + '\n';
}

/** Literals that JSON has itself, and whose text is the only one of its value. */
const native: Readonly<Record<string, RegExp>> = {
  [xsd.integer]: /^(?:0|-?[1-9]\d{0,14})$/,
  [xsd.boolean]: /^(?:true|false)$/,
};

/**
 * An expanded document with the ends of lists as they are, and with JSON's own numbers and truth values where they keep
 * a literal as it is written. What jsonld has for this is for all literals or none, and gives every plain string a type.
 */
function withNativeValues(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(withNativeValues);
  if (typeof item !== 'object' || item === null) return item;
  if ('@value' in item) return nativeValue(item);
  if ('@id' in item && item['@id'] === openEnd) return { '@id': rdf.nil };
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [key, withNativeValues(value)]));
}

function nativeValue(literal: { '@value': unknown; '@type'?: unknown }): object {
  const { '@value': text, '@type': datatype } = literal;
  const isItself = typeof text === 'string' && native[String(datatype)]?.test(text) === true;
  return isItself ? { '@value': JSON.parse(text) as unknown } : literal;
}

/**
 * The prefixes that shorten an IRI of the data. A prefix that is also the scheme of one is left out: `sp:x` would then
 * have two meanings.
 */
function usedPrefixes(quads: readonly Quad[], options: WriteOptions): Record<string, string> {
  const iris = new Set<string>();
  for (const { subject, predicate, object, graph } of quads) {
    for (const term of [subject, predicate, object, graph]) {
      if (term.termType === 'NamedNode') iris.add(term.value);
      if (term.termType === 'Literal') iris.add(term.datatype.value);
    }
  }
  const all = [...iris];
  const entries = Object.entries(options.prefixes ?? ownPrefixes).filter(
    ([prefix, namespace]) =>
      all.some((iri) => iri.startsWith(namespace)) && !all.some((iri) => iri.startsWith(prefix + ':')),
  );
  return Object.fromEntries(entries);
}
