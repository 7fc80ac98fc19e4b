import { rdf } from '../../rdf/vocabulary.js';
import { ONTOLOGY_BASE, type OntologyFile } from '../directory.js';
import { mentionsOf } from './turtle-scan.js';

/** A place in a file; lines count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
}

/** Finds the place where a subject is described or, beside that, where a term stands in its description. */
export type Locate = (subject: string, near?: string) => Position | undefined;

/**
 * Reads where each subject is described: where its type is stated if anywhere, else where it first begins a sentence,
 * else where it is first named at all. blank nodes count as part of the subject that holds them.
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

/** The same, but the files are gone through when somebody first asks. */
export function positionsWhenAsked(files: readonly OntologyFile[]): Locate {
  let locate: Locate | undefined;
  return (subject, near) => (locate ??= positionsIn(files))(subject, near);
}

/** The first place counts. */
function note(places: Map<string, Position>, key: string, position: Position): void {
  if (!places.has(key)) places.set(key, position);
}

const keyOf = (subject: string, term: string): string => `${subject} ${term}`;
