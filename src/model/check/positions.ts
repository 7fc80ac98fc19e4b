import { Lexer } from 'n3';
import { parseUrl } from '../../rdf/parse-url.js';
import { rdf } from '../../rdf/vocabulary.js';
import { ONTOLOGY_BASE, type OntologyFile } from '../ontology/directory.js';

/** A position in a file; lines count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
}

/** Finds where a subject is described or, with `near`, where a term occurs in its description. */
export type Locate = (subject: string, near?: string) => Position | undefined;

/**
 * Reads the position of each subject: where its type is stated, else where it first begins a sentence, else where it
 * is first named. Blank nodes count as part of the subject that holds them.
 */
export function positionsIn(files: readonly OntologyFile[]): Locate {
  const declared = new Map<string, Position>();
  const begun = new Map<string, Position>();
  const named = new Map<string, Position>();
  const beside = new Map<string, Position>();
  for (const { path: file, text } of files) {
    let start: Position | undefined;
    for (const { iri, line, subject, isSubject, isTypeWord } of mentionsOf(
      new TextDecoder().decode(text),
      ONTOLOGY_BASE,
    )) {
      const position = { file, line };
      if (isSubject) {
        start = position;
        note(begun, iri, position);
      }
      if (subject !== undefined && start && (isTypeWord || iri === rdf.type)) note(declared, subject, start);
      note(named, iri, position);
      if (subject !== undefined && !isSubject) note(beside, keyOf(subject, iri), position);
    }
  }
  return (subject, near) =>
    (near === undefined ? undefined : beside.get(keyOf(subject, near))) ??
    declared.get(subject) ??
    begun.get(subject) ??
    named.get(subject);
}

/** Like `positionsIn`, but reads the files only when first asked. */
export function positionsWhenAsked(files: readonly OntologyFile[]): Locate {
  let locate: Locate | undefined;
  return (subject, near) => (locate ??= positionsIn(files))(subject, near);
}

function note(places: Map<string, Position>, key: string, position: Position): void {
  if (!places.has(key)) places.set(key, position);
}

const keyOf = (subject: string, term: string): string => `${subject} ${term}`;

/** An IRI in a Turtle text, resolved, with its line (from 1). */
interface Mention {
  readonly iri: string;
  readonly line: number;
  readonly subject: string | undefined;
  readonly isSubject: boolean;
  readonly isTypeWord: boolean;
}

/** Lists every IRI of a well-formed Turtle text in order. Uses the parser's lexer, the only part that knows lines. */
export function mentionsOf(text: string, base: string): Mention[] {
  const mentions: Mention[] = [];
  const prefixes = new Map<string, string>();
  let depth = 0;
  let hasBegun = false;
  let subject: string | undefined;
  let declared: string | undefined;
  const resolve = (iri: string): string =>
    /^[A-Za-z][A-Za-z0-9+.-]*:/.test(iri) ? iri : (parseUrl(iri, base)?.href ?? iri);
  const mention = (iri: string, line: number, isTypeWord = false): void => {
    const isSubject = !hasBegun;
    hasBegun = true;
    if (isSubject) subject = iri;
    mentions.push({ iri, line, subject, isSubject, isTypeWord });
  };
  for (const { type, value = '', prefix = '', line } of new Lexer({ n3: false }).tokenize(text)) {
    if (type === 'prefix') declared = `${value}:`;
    else if (/^@?base$/i.test(type)) declared = '';
    else if (type === 'IRI' && declared !== undefined) {
      if (declared === '') base = resolve(value);
      else prefixes.set(declared, resolve(value));
      declared = undefined;
    } else if (type === 'IRI' || type === 'typeIRI') mention(resolve(value), line);
    else if (type === 'prefixed' || type === 'type')
      mention((prefixes.get(`${prefix}:`) ?? '') + value, line);
    else if (type === 'abbreviation') mention('a', line, true);
    else if (type === '.' && depth === 0) {
      hasBegun = false;
      subject = undefined;
    } else {
      if (type === '[' || type === '(') depth++;
      if (type === ']' || type === ')') depth--;
      // The subject of a sentence about a blank node has no name.
      if (type === 'blank' || depth > 0) hasBegun = true;
    }
  }
  return mentions;
}
