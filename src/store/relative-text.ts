import { readTriples, writePredicate, writeTerm } from '../rdf/ntriples.js';
import { replaceEach } from '../rdf/replace-each.js';
import { INNER_MARK, isInnerName, numberBlankNodes } from '../rdf/skolem-iris.js';
import { namedNode, type Quad, type Term } from '../rdf/terms.js';
import { ownUrn } from '../rdf/vocabulary.js';

/** Returns a function for `readTriples` that maps names of blank nodes to unique labels. */
export function innerLabelUnder(base: string): (iri: string) => string | undefined {
  return (iri) => {
    if (!isInnerName(iri, base)) return undefined;
    return label(iri.startsWith(`${base}/`) ? iri.slice(base.length + 1) : iri);
  };
}

function label(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9-]/gu, (character) =>
    character === '/' ? '.' : `_${(character.codePointAt(0) ?? 0).toString(16)}_`,
  );
}

const BASE = 'http://localhost';

/** Parses a stored text like a working set does. @throws Error when it cannot be read */
export function checkText(_path: string, text: string): void {
  readTriples(resolveText(text, BASE), () => undefined);
}

const lessThan = [['<', '\\u003C']] as const;

/**
 * Writes a graph in its stored form: sorted, distinct lines of canonical N-Triples, with IRIs relative to the base
 * (`</records/1>`) and blank nodes as `{name}#_b0`, `#_b1` … from `numberBlankNodes`. Literals escape `<`, so every
 * `</` begins such an IRI, and one replacement resolves the data under any base.
 * @param name of the graph
 * @param base without a trailing slash
 * @throws TypeError for terms that N-Triples cannot carry, and for names reserved for the store
 * @throws RdfLimitError like `numberBlankNodes`
 */
export function writeRelative(name: string, quads: readonly Quad[], base: string): string {
  const start = `${base}/`;
  const numbers = numberBlankNodes(quads);
  const own = relativeTerm(namedNode(name), start).slice(0, -1);
  const relative = (term: Term): string =>
    term.termType === 'BlankNode'
      ? `${own}${INNER_MARK}${numbers.get(term.value)}>`
      : relativeTerm(term, start);
  let subject: Term | undefined;
  let subjectText = '';
  const lines = quads.map((quad) => {
    if (quad.subject !== subject) [subject, subjectText] = [quad.subject, relative(quad.subject)];
    return `${subjectText} ${relativePredicate(quad.predicate, start)} ${relative(quad.object)} .\n`;
  });
  lines.sort();
  let text = '';
  // Duplicates are adjacent now; a set would have to hash every line.
  for (const [index, line] of lines.entries()) if (line !== lines[index - 1]) text += line;
  return text;
}

/** Resolves a text from `writeRelative` to absolute N-Triples. */
export function resolveText(text: string, base: string): string {
  return text.replaceAll('</', literally(`<${base}/`));
}

export function inGraph(text: string, name: string): string {
  // Line feeds inside literals are escaped.
  return text.replaceAll(' .\n', literally(` <${name}> .\n`));
}

function literally(text: string): string {
  return text.includes('$') ? text.replaceAll('$', '$$$$') : text;
}

function relativePredicate(term: Term, start: string): string {
  return term.value.startsWith(start) || term.value.startsWith(ownUrn)
    ? relativeTerm(term, start)
    : writePredicate(term);
}

function relativeTerm(term: Term, start: string): string {
  const text = writeTerm(term);
  if (term.termType === 'NamedNode') {
    refuseInnerName(term.value, start);
    return term.value.startsWith(start) ? `<${text.slice(start.length)}` : text;
  }
  if (term.termType !== 'Literal') return text;
  if (!text.includes('<')) return text;
  refuseInnerName(term.datatype.value, start);
  // Language tags and datatypes hold no quotation marks.
  const close = text.lastIndexOf('"');
  return replaceEach(text.slice(0, close), lessThan) + text.slice(close).replace(`<${start}`, '</');
}

/** A name reserved for the store could refer into another graph. */
function refuseInnerName(iri: string, start: string): void {
  if (!iri.includes('#_')) return;
  if (isInnerName(iri, start.slice(0, -1)))
    throw new TypeError(`${JSON.stringify(iri)} is a name that only the store gives`);
}
