import { Writer } from 'n3';
import { byKey } from './by-key.js';
import type { RdfFormat } from './formats.js';
import { numberBlankNodes } from './skolem-iris.js';
import { writeTerm } from './ntriples.js';
import { writeRdfXml } from './write-rdfxml.js';
import { blankNode, quad, type Quad, type Term } from './terms.js';
import { prefixes } from './vocabulary.js';
import { writeJsonLd } from './write-jsonld.js';

export interface WriteOptions {
  /** Prefix → namespace; by default the shared ones. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** For JSON-LD; by default the prefixes in use. */
  readonly context?: object | undefined;
}

/**
 * Writes a dataset in a format: the same text for isomorphic input. RDF/XML, Turtle and N-Triples leave graph names
 * out.
 * @throws UnwritableError for what RDF/XML cannot carry
 * @throws TypeError for terms without a form
 * @throws RdfLimitError for blank nodes that are too entangled
 */
export async function writeRdf(
  quads: readonly Quad[],
  format: RdfFormat,
  options: WriteOptions = {},
): Promise<string> {
  switch (format) {
    case 'rdfxml':
      return writeRdfXml(quads, options.prefixes);
    case 'ntriples':
      return sorted(flat(quads)).lines.join('');
    case 'nquads':
      return sorted(quads).lines.join('');
    case 'turtle':
      return writeTurtle(sorted(flat(quads)).quads, format, options);
    case 'trig':
      return writeTurtle(sorted(quads).quads, format, options);
    case 'jsonld': {
      const { quads: found } = sorted(quads);
      return writeJsonLd(found, options.context ?? usedPrefixes(found, options));
    }
  }
}

function flat(quads: readonly Quad[]): Quad[] {
  return quads.map(({ subject, predicate, object }) => quad(subject, predicate, object));
}

/** Returns each quad once with canonical labels, and its N-Quads line; sorted by graph, then by line. */
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

/** Chooses prefixes that shorten an IRI and are no IRI's scheme, because `sp:x` would have two meanings. */
function usedPrefixes(quads: readonly Quad[], options: WriteOptions): Record<string, string> {
  const iris = new Set<string>();
  for (const { subject, predicate, object, graph } of quads) {
    for (const term of [subject, predicate, object, graph]) {
      if (term.termType === 'NamedNode') iris.add(term.value);
      if (term.termType === 'Literal') iris.add(term.datatype.value);
    }
  }
  const all = [...iris];
  const entries = Object.entries(options.prefixes ?? prefixes).filter(
    ([prefix, namespace]) =>
      all.some((iri) => iri.startsWith(namespace)) && !all.some((iri) => iri.startsWith(prefix + ':')),
  );
  return Object.fromEntries(entries);
}
