import { isObject } from '../rdf/json-object.js';
import type { Quad } from '../rdf/terms.js';
import { mapping } from '../rdf/vocabulary.js';

/** A row of a table: its values by property. */
export interface Row {
  readonly iri: string;
  all(property: string): readonly string[];
  one(property: string): string | undefined;
}

/** The rows of some tables that have a property. */
export function rowsWith(tables: readonly Quad[], property: string): Row[] {
  const subjects = new Map<string, Map<string, string[]>>();
  for (const { subject, predicate, object } of tables) {
    const values = subjects.get(subject.value) ?? new Map<string, string[]>();
    subjects.set(subject.value, values);
    values.set(predicate.value, [...(values.get(predicate.value) ?? []), object.value]);
  }
  return [...subjects]
    .filter(([, values]) => values.has(property))
    .map(([iri, values]) => ({
      iri,
      all: (name) => values.get(name) ?? [],
      one: (name) => values.get(name)?.[0],
    }));
}

/**
 * Returns the names that a table can have for an element, the narrowest first: `*.status` is that of any resource,
 * `**[?]` the part in brackets of any element.
 */
export function namesOf(path: string): string[] {
  const rest = path.replace(/^[^.]+/u, '*');
  const last = path.replace(/^.*\./u, '**.');
  return [path, path.replace(/(\.value)[A-Z]\w*$/u, '$1[x]'), rest, last, last.replace(/^[^[]*/u, '**')];
}

/** The text, codes and displays of a CodeableConcept, a Coding or a plain value. */
export function saidBy(value: unknown): string[] {
  if (!isObject(value)) return value === undefined || value === null ? [] : [String(value as string)];
  const { text, coding, code, display } = value;
  return [
    ...[text, code, display].filter((each) => typeof each === 'string'),
    ...[coding ?? []].flat().flatMap(saidBy),
  ];
}

interface Meaning {
  readonly iri: string;
  /** Whether nothing may follow its words. */
  readonly alone: boolean;
  readonly says: readonly string[];
  readonly grade: number;
}

/**
 * The meanings of codes and words, by the rows with `map:element`: in a code of any system, a display or a text, and
 * with anything after it, unless the row has `map:alone`. `Refuted (by test)` is refuted, `unconfirmed` not confirmed.
 */
export class Meanings {
  readonly #rows = new Map<string, Meaning[]>();

  constructor(tables: readonly Quad[]) {
    for (const row of rowsWith(tables, mapping.element)) {
      const meaning = {
        iri: row.iri,
        alone: row.one(mapping.alone) !== undefined,
        says: row.all(mapping.says).map(plain),
        grade: Number(row.one(mapping.grade) ?? 0),
      };
      for (const path of row.all(mapping.element))
        this.#rows.set(path, [...(this.#rows.get(path) ?? []), meaning]);
    }
  }

  /** Returns all meanings of an element; empty if no row has one. */
  of(path: string, value: unknown): Meaning[] {
    const rows =
      namesOf(path)
        .map((name) => this.#rows.get(name))
        .find(Boolean) ?? [];
    if (rows.length === 0) return [];
    const said = saidBy(value).map(plain);
    return rows.filter(({ says, alone }) =>
      says.some((word) => said.some((each) => (alone ? each === word : begins(each, word)))),
    );
  }

  /** Whether a text has a word that begins like a row of the element. */
  isNamedIn(path: string, text: unknown): boolean {
    const words = saidBy(text).flatMap((each) => plain(each).split(' '));
    const rows = this.#rows.get(path) ?? [];
    return rows.some(({ says }) => says.some((start) => words.some((word) => word.startsWith(start))));
  }
}

/** Letters and digits in lower case, with one space between words; a text of signs only stays. */
function plain(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words || text.trim();
}

/** Whether a text begins with a word. One or two letters, which may be a code, must stand alone. */
const begins = (text: string, word: string): boolean =>
  text === word || (word.length > 2 && text.startsWith(`${word} `));

/** Code systems by their names: a URI, and the OID of the same system. */
export class CodeSystems {
  readonly #names = new Map<string, string>();
  readonly #forms = new Map<string, RegExp>();

  constructor(tables: readonly Quad[]) {
    for (const row of rowsWith(tables, mapping.system)) {
      const name = row.one(mapping.system) ?? '';
      this.#names.set(name, name);
    }
    for (const row of rowsWith(tables, mapping.prefix)) {
      const name = row.one(mapping.system) ?? '';
      for (const each of [name, ...row.all(mapping.also)]) this.#names.set(each, name);
      const form = row.one(mapping.form);
      if (form !== undefined) this.#forms.set(name, new RegExp(form, 'u'));
    }
  }

  /** Returns the name of a system in the tables, or its own if they do not have it. */
  nameOf(system: string): string {
    return this.#names.get(system) ?? system;
  }

  isKnown(system: unknown): boolean {
    return this.#names.has(String(system));
  }

  /** Whether a code fits its system; in a system without a form any code does. */
  canHave(system: unknown, code: unknown): boolean {
    return this.#forms.get(this.nameOf(String(system)))?.test(String(code).trim()) ?? true;
  }
}
