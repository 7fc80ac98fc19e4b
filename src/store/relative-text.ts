import { writeTerm } from '../rdf/ntriples.js';
import type { Quad, Term } from '../rdf/terms.js';

/**
 * The form in which a graph is kept: sorted, distinct lines of canonical N-Triples in which IRIs under the base are
 * written without it (`</records/1>`). No literal holds a raw `<`, so every `</` begins such an IRI, and the same
 * data can be read under any base by one replacement.
 * @param base without a slash at its end
 * @throws TypeError for terms that N-Triples cannot carry
 */
export function writeRelative(quads: readonly Quad[], base: string): string {
  const written = new Map<Term, string>();
  const relative = (term: Term): string => {
    let text = written.get(term);
    if (text === undefined) written.set(term, (text = relativeTerm(term, base)));
    return text;
  };
  const lines = quads.map(
    ({ subject, predicate, object }) => `${relative(subject)} ${relative(predicate)} ${relative(object)} .\n`,
  );
  return [...new Set(lines)].sort().join('');
}

/** The absolute N-Triples of a text of `writeRelative`. */
export function resolveText(text: string, base: string): string {
  return text.replaceAll('</', `<${base}/`);
}

/** The same lines as N-Quads of a graph; the name is written as it is, relative or absolute. */
export function inGraph(text: string, name: string): string {
  // A line feed inside a literal is escaped, so this is the end of a line.
  return text.replaceAll(' .\n', ` <${name}> .\n`);
}

/** How many statements a text holds. */
export function countLines(text: string): number {
  let count = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) count++;
  return count;
}

function relativeTerm(term: Term, base: string): string {
  const text = writeTerm(term);
  if (term.termType === 'NamedNode') return cut(text, base);
  if (term.termType !== 'Literal') return text;
  // Neither a language tag nor a datatype can hold a quotation mark.
  const close = text.lastIndexOf('"');
  return text.slice(0, close).replaceAll('<', '\\u003C') + cut(text.slice(close), base);
}

function cut(text: string, base: string): string {
  return text.replace(`<${base}/`, '</');
}
