import { ownString } from './own-string.js';
import { RdfSyntaxError } from './rdf-errors.js';
import { replaceEach } from './replace-each.js';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from './terms.js';
import { rdf, xsd } from './vocabulary.js';

const special = /["\\\u0000-\u001f\u007f]|\p{Surrogate}/u;

const loneSurrogate = /\p{Surrogate}/u;

/** RDF 1.2 N-Triples §4, canonical form; other control characters are `\u00XX`. */
const letters: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};

/** Characters that JSON escapes differently from N-Triples. */
const unlikeJson = /[\u0000-\u0007\u000b\u000e-\u001f\u007f]/;

const written = (code: number): readonly [string, string] => {
  const character = String.fromCharCode(code);
  return [character, letters[character] ?? '\\u' + code.toString(16).toUpperCase().padStart(4, '0')];
};

/** The backslash comes first, because all replacements contain one. */
const controls = [0x5c, 0x22, ...Array(0x20).keys(), 0x7f].map(written);

const language = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;
const label = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_-])?$/u;

/**
 * Writes a term in canonical N-Triples, which is also Turtle and SPARQL: text never becomes syntax.
 * @throws TypeError for a term without such a form: illegal characters, lone surrogates, other kinds of terms
 */
export function writeTerm(term: Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return writeIri(term.value);
    case 'BlankNode':
      if (!label.test(term.value))
        throw new TypeError(`a blank node cannot be labelled ${shown(term.value)}`);
      return '_:' + term.value;
    case 'Literal': {
      const text = special.test(term.value) ? escaped(term.value) : term.value;
      if (term.language !== '') {
        if (!language.test(term.language)) throw new TypeError(`${shown(term.language)} is no language tag`);
        return `"${text}"@${term.language}`;
      }
      return term.datatype.value === xsd.string
        ? `"${text}"`
        : `"${text}"^^${writeWord(term.datatype.value)}`;
    }
    default:
      throw new TypeError(`N-Triples has no form for a ${term.termType}`);
  }
}

/** Cached predicates and datatypes: every graph has the same few. */
const vocabulary = new Map<string, string>();
const MAX_WORDS = 4096;

/** Like `writeTerm`, but fast for the IRIs of a vocabulary. */
export function writePredicate(term: Term): string {
  return term.termType === 'NamedNode' ? writeWord(term.value) : writeTerm(term);
}

function writeWord(iri: string): string {
  let text = vocabulary.get(iri);
  if (text === undefined) {
    text = writeIri(iri);
    // Limits the memory that a sender of ever new IRIs can use.
    if (vocabulary.size >= MAX_WORDS) vocabulary.clear();
    vocabulary.set(ownString(iri), text);
  }
  return text;
}

/** Writes a line `s p o .` per quad, in order, without graphs. @throws as `writeTerm` does */
export function writeTriples(quads: Iterable<Quad>): string {
  let text = '';
  for (const { subject, predicate, object } of quads) {
    text += `${writeTerm(subject)} ${writeTerm(predicate)} ${writeTerm(object)} .\n`;
  }
  return text;
}

function writeIri(iri: string): string {
  if (!isWritableIri(iri)) throw new TypeError(`${shown(iri)} holds a character that no IRI can hold`);
  return `<${iri}>`;
}

function escaped(text: string): string {
  const lone = loneSurrogate.exec(text);
  if (lone) throw new TypeError(`a literal cannot hold the lone surrogate ${describeCharacter(lone[0])}`);
  // By far the fastest for long texts.
  return unlikeJson.test(text) ? replaceEach(text, controls) : JSON.stringify(text).slice(1, -1);
}

const line = /^(<[^<>]*>|_:[^\s<>"]+)[ \t]*(<[^<>]*>)[ \t]*(<[^<>]*>|_:[^\s<>"]+|".*)$/;
const end = /[ \t]*\.[ \t]*$/;
const afterLiteral = /^(?:@([A-Za-z]+(?:-[A-Za-z0-9]+)*)|\^\^<([^<>]*)>)?$/;
const anyEscape = /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/gs;
// prettier-ignore
const unescapes: Record<string, string> = { t: '\t', b: '\b', n: '\n', r: '\r', f: '\f', '"': '"', "'": "'", '\\': '\\' };

/**
 * Reads N-Triples as `writeTriples` and SPARQL engines print them, one statement per line. It does not check IRIs;
 * use `parseRdf` for other people's text. Repeated lines count once; equal terms are one object. IRIs for which
 * `innerLabel` returns a label become blank nodes; labels get `prefix`.
 * @throws RdfSyntaxError with the line
 */
export function readTriples(
  text: string,
  innerLabel?: (iri: string) => string | undefined,
  prefix = '',
): Quad[] {
  const quads: Quad[] = [];
  const terms = new Map<string, Term>();
  const seen = new Set<string>();
  const termOf = (token: string): Term => {
    let term = terms.get(token);
    if (term === undefined) terms.set(token, (term = readTerm(token, innerLabel, prefix)));
    return term;
  };
  let [about, subject]: [written: string, term?: Term] = [''];
  const subjectOf = (statement: string, end: number): Term => {
    // Most statements are about the subject of the one before.
    if (!subject || about.length !== end || !statement.startsWith(about))
      subject = termOf((about = statement.slice(0, end)));
    return subject;
  };
  let start = 0;
  for (let number = 1; start < text.length; number++) {
    let stop = text.indexOf('\n', start);
    if (stop < 0) stop = text.length;
    const statement = text.slice(start, stop);
    start = stop + 1;
    if (seen.size === seen.add(statement).size) continue;
    try {
      const read = readPlain(statement, subjectOf, termOf) ?? readLoose(statement, termOf);
      if (read) quads.push(read);
    } catch (error) {
      if (error instanceof RdfSyntaxError) throw new RdfSyntaxError(error.reason, number);
      throw error;
    }
  }
  return quads;
}

const [SPACE, DOT, LESS, UNDERSCORE, BACKSLASH] = [0x20, 0x2e, 0x3c, 0x5f, 0x5c];

/** Splits the form that every engine prints at its spaces; other forms take the slower way. */
function readPlain(
  statement: string,
  subjectOf: (statement: string, end: number) => Term,
  termOf: (token: string) => Term,
): Quad | undefined {
  const last = statement.length - 1;
  const first = statement.charCodeAt(0);
  if (first !== LESS && first !== UNDERSCORE) return undefined;
  if (statement.charCodeAt(last) !== DOT || statement.charCodeAt(last - 1) !== SPACE) return undefined;
  const one = statement.indexOf(' ');
  const two = statement.indexOf(' ', one + 1);
  if (statement.charCodeAt(one + 1) !== LESS || two >= last - 1) return undefined;
  return quad(
    subjectOf(statement, one),
    termOf(statement.slice(one + 1, two)),
    termOf(statement.slice(two + 1, last - 1)),
  );
}

function readLoose(statement: string, termOf: (token: string) => Term): Quad | undefined {
  const trimmed = statement.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  const parts = end.test(trimmed) ? line.exec(trimmed.replace(end, '')) : null;
  if (!parts) throw new RdfSyntaxError('not a statement of N-Triples');
  const [, subject = '', predicate = '', object = ''] = parts;
  return quad(termOf(subject), termOf(predicate), termOf(object));
}

function readTerm(
  token: string,
  innerLabel: ((iri: string) => string | undefined) | undefined,
  prefix: string,
): Term {
  const last = token.length - 1;
  if (token.startsWith('<') && token.indexOf('>') === last) {
    const iri = unescaped(token.slice(1, -1));
    const inner = innerLabel?.(iri);
    return inner === undefined ? namedNode(iri) : blankNode(inner);
  }
  if (token.startsWith('_:') && last > 1) return blankNode(prefix + token.slice(2));
  const close = token.lastIndexOf('"');
  if (token.startsWith('"') && close > 0) {
    const text = token.slice(1, close);
    // By index: literals can hold megabytes, and backtracking would overflow.
    const parts = hasBareQuote(text) ? null : afterLiteral.exec(token.slice(close + 1));
    if (parts) {
      const [, tag, datatype] = parts;
      return literal(
        unescaped(text),
        tag ??
          (datatype === undefined ? undefined : (datatypes.get(datatype) ?? namedNode(unescaped(datatype)))),
      );
    }
  }
  throw new RdfSyntaxError(`not a term of N-Triples: ${shown(token)}`);
}

/** Returns the text of a literal in N-Triples; undefined for other terms. */
export function literalText(written: string): string | undefined {
  return written.startsWith('"') ? unescaped(written.slice(1, written.lastIndexOf('"'))) : undefined;
}

function hasBareQuote(text: string): boolean {
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((at - first) % 2 === 0) return true;
  }
  return false;
}

const datatypes = new Map(
  [xsd.integer, xsd.decimal, xsd.double, xsd.boolean, xsd.date, xsd.dateTime, xsd.string, rdf.JSON].map(
    (iri) => [iri, namedNode(iri)],
  ),
);

/** Unescapes the text between a literal's quotation marks or an IRI's brackets. @throws RdfSyntaxError */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    // JSON.parse reads everything that `writeTerm` and engines escape, and is by far the fastest.
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return unescapedEach(text);
  }
}

function unescapedEach(text: string): string {
  return text.replace(anyEscape, (all, four?: string, eight?: string, letter?: string) => {
    const code = four ?? eight;
    if (code !== undefined) {
      const point = parseInt(code, 16);
      if (point > 0x10ffff) throw new RdfSyntaxError(`${all} is no character`);
      return String.fromCodePoint(point);
    }
    const character = letter === undefined ? undefined : unescapes[letter];
    if (character === undefined) throw new RdfSyntaxError(`${all} is no escape`);
    return character;
  });
}

/** Characters that IRIs exclude (RDF 1.1 Turtle §6.5, IRIREF; RFC 3987 §2.2, ucschar), and lone surrogates. */
const illegal = /[\u0000-\u0020\u007f-\u009f<>"{}|^`\\]|\p{Surrogate}/u;

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** Whether a text can stand between `<` and `>`. */
export function isWritableIri(iri: string): boolean {
  return !illegal.test(iri);
}

/** Says why a text is no absolute IRI (RFC 3987 §2.2); undefined when it is one. */
export function iriFault(iri: string): string | undefined {
  const bad = illegal.exec(iri);
  if (bad) return `an IRI cannot hold ${describeCharacter(bad[0])}: ${shown(iri)}`;
  if (!scheme.test(iri)) return `the IRI is not absolute: ${shown(iri)}`;
  return undefined;
}

/** Describes a character in a message: `U+0007`, or the quoted character. */
export function describeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return code > 0x20 && code < 0x7f ? `"${character}" (${name})` : name;
}

/** Quotes a text in a message: shortened, and as JSON, so that nothing in it is invisible. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 120 ? text.slice(0, 119) + '…' : text);
}
