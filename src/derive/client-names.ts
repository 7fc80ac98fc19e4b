import { contextName } from './jsonld-context.js';
import { localName } from '../ontology/term-names.js';

/** Gives names that TypeScript can hold, each once. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** The local name of a term; with its prefix, or with a number, where that name is taken already. */
  of(iri: string): string {
    const local = identifier(localName(iri));
    const whole = identifier(contextName(iri) ?? local);
    const free = [local, whole].find((name) => !this.#taken.has(name));
    return this.take(free ?? whole);
  }

  /** The name itself where it is free, else with a number. */
  take(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count++) name = `${wanted}_${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** A text as an identifier: `family-name` becomes `family_name`. */
export function identifier(text: string): string {
  const name = text.replace(/[^\p{L}\p{N}_]/gu, '_');
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}

/** `get_lab_results` as the beginning of a type's name: `GetLabResults`. */
export function pascalCase(name: string): string {
  return identifier(name)
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
