import { replaceEach } from '../rdf/replace-each.js';
import { INNER_MARK, isInnerName, numberBlankNodes } from '../rdf/skolem-iris.js';
import { writePredicate, writeTerm } from '../rdf/ntriples.js';
import { namedNode, type Quad, type Term } from '../rdf/terms.js';
import { ownUrn } from '../rdf/vocabulary.js';

const lessThan = [['<', '\\u003C']] as const;

/**
 * The form in which a graph is kept: sorted, distinct lines of canonical N-Triples in which IRIs under the base are
 * written without it (`</records/1>`), and blank nodes by the names that `nameInnerNodes` gives them. No literal holds
 * a raw `<`, so every `</` begins such an IRI, and the same data can be read under any base by one replacement.
 * @param name the graph's
 * @param base without a slash at its end
 * @throws TypeError for terms that N-Triples cannot carry, and for names that only the store gives
 * @throws RdfLimitError as `nameInnerNodes` does
 */
export function writeRelative(name: string, quads: readonly Quad[], base: string): string {
  const start = `${base}/`;
  const numbers = numberBlankNodes(quads);
  const own = relativeTerm(namedNode(name), start).slice(0, -1);
  const relative = (term: Term): string =>
    term.termType === 'BlankNode'
      ? `${own}${INNER_MARK}${numbers.get(term.value)}>`
      : relativeTerm(term, start);
  // The quads of a subject mostly stand together.
  let subject: Term | undefined;
  let subjectText = '';
  const lines = quads.map((quad) => {
    if (quad.subject !== subject) [subject, subjectText] = [quad.subject, relative(quad.subject)];
    return `${subjectText} ${relativePredicate(quad.predicate, start)} ${relative(quad.object)} .\n`;
  });
  lines.sort();
  let text = '';
  // Sorted ones that are equal stand side by side; a set would have to hash every line.
  for (const [index, line] of lines.entries()) if (line !== lines[index - 1]) text += line;
  return text;
}

/** The absolute N-Triples of a text of `writeRelative`. */
export function resolveText(text: string, base: string): string {
  return text.replaceAll('</', literally(`<${base}/`));
}

/** The same lines as N-Quads of a graph; the name is written as it is, relative or absolute. */
export function inGraph(text: string, name: string): string {
  // A line feed inside a literal is escaped, so this is the end of a line.
  return text.replaceAll(' .\n', literally(` <${name}> .\n`));
}

/** A replacement in which a dollar sign stands for itself. */
function literally(text: string): string {
  return text.includes('$') ? text.replaceAll('$', '$$$$') : text;
}

function relativePredicate(term: Term, start: string): string {
  return term.value.startsWith(start) || term.value.startsWith(ownUrn)
    ? relativeTerm(term, start)
    : writePredicate(term);
}

/** @param start the base with a slash at its end */
function relativeTerm(term: Term, start: string): string {
  const text = writeTerm(term);
  if (term.termType === 'NamedNode') {
    refuseInnerName(term.value, start);
    return term.value.startsWith(start) ? `<${text.slice(start.length)}` : text;
  }
  if (term.termType !== 'Literal') return text;
  if (!text.includes('<')) return text;
  refuseInnerName(term.datatype.value, start);
  // Neither a language tag nor a datatype can hold a quotation mark.
  const close = text.lastIndexOf('"');
  return replaceEach(text.slice(0, close), lessThan) + text.slice(close).replace(`<${start}`, '</');
}

/** Names of blank nodes are ours to give: who could send them could speak about the inside of another graph. */
function refuseInnerName(iri: string, start: string): void {
  if (!iri.includes('#_')) return;
  if (isInnerName(iri, start.slice(0, -1)))
    throw new TypeError(`${JSON.stringify(iri)} is a name that only the store gives`);
}
