import { parseUrl } from '../../rdf/parse-url.js';
/** A term that a Turtle text names: an IRI as it is meant, and the line, from 1, in which it stands. */
export interface Mention {
  readonly iri: string;
  readonly line: number;
  /** The subject at the beginning of the sentence in which it stands; undefined where that has no name. */
  readonly subject: string | undefined;
  readonly isSubject: boolean;
  /** Whether it stands where the type of the subject is said. */
  readonly isTypeWord: boolean;
}

/** Turtle §6.5 terminals, as far as sentences have to be told apart; longest first where two could match. */
const terminal = new RegExp(
  [
    '(?<space>[\\x20\\t\\r\\n]+|#[^\\r\\n]*)',
    '(?<string>"""(?:(?:"|"")?(?:[^"\\\\]|\\\\.))*"""|\'\'\'(?:(?:\'|\'\')?(?:[^\'\\\\]|\\\\.))*\'\'\'' +
      '|"(?:[^"\\\\\\r\\n]|\\\\.)*"|\'(?:[^\'\\\\\\r\\n]|\\\\.)*\')',
    '<(?<iri>[^<>"{}|^`\\x00-\\x20]*)>',
    '(?<blank>_:[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}\\p{M}_.\\-\\u00B7]*[\\p{L}\\p{N}\\p{M}_\\-\\u00B7])?)',
    '(?<name>(?:[\\p{L}](?:[\\p{L}\\p{N}\\p{M}_.\\-\\u00B7]*[\\p{L}\\p{N}\\p{M}_\\-\\u00B7])?)?:' +
      "(?:(?:[\\p{L}\\p{N}\\p{M}_:.\\-\\u00B7]|%[0-9A-Fa-f]{2}|\\\\[_~.\\-!$&'()*+,;=/?#@%])*" +
      "(?:[\\p{L}\\p{N}\\p{M}_:\\-\\u00B7]|%[0-9A-Fa-f]{2}|\\\\[_~.\\-!$&'()*+,;=/?#@%]))?)",
    '(?<word>@?[A-Za-z][A-Za-z0-9-]*)',
    '(?<number>[+-]?(?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?)',
    '(?<sign>.)',
  ].join('|'),
  'gsu',
);

/**
 * Every IRI that a Turtle text names, in order. The text is taken to be well-formed (the parser has read it); the
 * parser itself says no positions.
 * @param base what relative IRIs are relative to
 */
export function mentionsOf(text: string, base: string): Mention[] {
  const scan = new Scan(base);
  let line = 1;
  for (const match of text.matchAll(terminal)) {
    const [token] = match;
    scan.take(match.groups ?? {}, line);
    if (token.includes('\n')) line += token.split('\n').length - 1;
  }
  return scan.mentions;
}

/** Reads sentences token by token: a sentence begins with its subject and ends with a dot outside of brackets. */
class Scan {
  readonly mentions: Mention[] = [];
  readonly #prefixes = new Map<string, string>();
  #base: string;
  #depth = 0;
  #begun = false;
  #subject: string | undefined;
  /** The directive that is being read, with the prefix that it declares. */
  #directive: { kind: 'prefix' | 'base'; name?: string } | undefined;

  constructor(base: string) {
    this.#base = base;
  }

  take({ space, iri, name, word, sign, blank }: Record<string, string | undefined>, line: number): void {
    if (space !== undefined) return;
    if (this.#directive) return this.#declare(iri, name);
    if (iri !== undefined) return this.#mention(this.#resolve(iri), line);
    if (name !== undefined) return this.#mention(this.#expand(name), line);
    if (word !== undefined && !this.#begun && /^@?(prefix|base)$/i.test(word)) {
      this.#directive = { kind: /prefix/i.test(word) ? 'prefix' : 'base' };
      return;
    }
    if (word === 'a') return this.#mention('a', line, true);
    if (sign === '.' && this.#depth === 0) {
      this.#begun = false;
      this.#subject = undefined;
      return;
    }
    if (sign === '[' || sign === '(') this.#depth++;
    if (sign === ']' || sign === ')') this.#depth--;
    // A sentence about a blank node has no subject with a name.
    if (blank !== undefined || sign !== undefined) this.#begun = true;
  }

  #declare(iri: string | undefined, name: string | undefined): void {
    const directive = this.#directive;
    if (directive?.kind === 'prefix' && name !== undefined) directive.name = name.slice(0, -1);
    if (iri === undefined) return;
    if (directive?.kind === 'base') this.#base = this.#resolve(iri);
    else this.#prefixes.set(directive?.name ?? '', this.#resolve(iri));
    this.#directive = undefined;
  }

  #mention(iri: string | undefined, line: number, isTypeWord = false): void {
    if (iri === undefined) return;
    const isSubject = !this.#begun;
    this.#begun = true;
    if (isSubject) this.#subject = iri;
    this.mentions.push({ iri, line, subject: this.#subject, isSubject, isTypeWord });
  }

  #expand(name: string): string | undefined {
    const colon = name.indexOf(':');
    const namespace = this.#prefixes.get(name.slice(0, colon));
    return namespace === undefined ? undefined : namespace + name.slice(colon + 1).replace(/\\(.)/g, '$1');
  }

  #resolve(reference: string): string {
    if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(reference)) return reference;
    return parseUrl(reference, this.#base)?.href ?? reference;
  }
}
