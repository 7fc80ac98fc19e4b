import { structureOf } from './endpoint/rules/structures.js';
import { canChoose, deciding } from './chosen.js';
import { typeIn } from './words.js';

/**
 * An element of a resource that queries read, by its path (`Condition.code.coding`); the root is the type itself. What
 * is not in the tree is read by no query.
 */
export class ReadElement {
  readonly children = new Map<string, ReadElement>();
  /** Whether a query asks for the place in its list, for the resource referred to, or for the value in a list. */
  index = false;
  link = false;
  value = false;
  /** Whether a query asks what it means by the tables. */
  means = false;
  /** Whether a query reads the first of a list, what of it counts, its words, and whether one reads all. */
  first = false;
  chosen = false;
  words = false;
  all = false;
  /** What of it a query asks for in words: names of elements, or `value` for `value[x]`. */
  readonly said = new Set<string>();
  #modifiers: readonly string[] | undefined;

  /** @param type of R4, undefined where R4 has no such element */
  constructor(
    readonly path: string,
    readonly type: string | undefined,
    private readonly above?: ReadElement,
  ) {}

  /** The element of a name below this one, made if it is not there yet. */
  child(name: string): ReadElement {
    let found = this.children.get(name);
    if (!found)
      this.children.set(
        name,
        (found = new ReadElement(`${this.path}.${name}`, typeIn(this.type, name), this)),
      );
    return found;
  }

  /** Whether it stands in the triples itself, and not only its words. */
  get isWritten(): boolean {
    return this.all || this.first || this.chosen;
  }

  /** What can change its meaning and is read by no query (R4, isModifier). */
  get modifiers(): readonly string[] {
    this.#modifiers ??= modifiersOf(this.type).filter((key) => !this.children.has(key) && !this.decides(key));
    return this.#modifiers;
  }

  /** Whether R4 has a list of it. */
  get repeats(): boolean {
    return this.#inR4?.repeats ?? false;
  }

  /** Whether it is one type of a choice, as `valueQuantity` is of `value[x]`. */
  get isChoice(): boolean {
    const choices = structureOf(this.above?.type ?? '')?.choices ?? [];
    return choices.some((keys) => keys.includes(this.#name));
  }

  get #name(): string {
    return this.path.slice(this.path.lastIndexOf('.') + 1);
  }

  get #inR4() {
    return structureOf(this.above?.type ?? '')?.elements.get(this.#name);
  }

  /** Whether its words, or what it means, say all of it. */
  get isTold(): boolean {
    return this.words || this.means || (this.above?.isTold ?? false);
  }

  /** Whether a member decides which of a list is chosen, so that it is read with what is. */
  decides(key: string): boolean {
    return this.chosen && deciding.has(key) && canChoose(this.type);
  }

  /** The paths of the lists in it of which a query reads the first. */
  firsts(): string[] {
    const inner = [...this.children.values()].flatMap((child) => child.firsts());
    return this.first ? [this.path, ...inner] : inner;
  }

  /** Adds what another query reads of the same element. */
  merge(other: ReadElement): void {
    this.index ||= other.index;
    this.link ||= other.link;
    this.value ||= other.value;
    this.means ||= other.means;
    this.first ||= other.first;
    this.chosen ||= other.chosen;
    this.words ||= other.words;
    this.all ||= other.all;
    for (const name of other.said) this.said.add(name);
    for (const [name, child] of other.children) this.child(name).merge(child);
  }
}

/** The elements of a type of R4 that can change its meaning; of what R4 does not have the one that anything can have. */
export function modifiersOf(type: string | undefined): string[] {
  const structure = type === undefined ? undefined : structureOf(type);
  if (!structure) return type === undefined ? ['modifierExtension'] : [];
  return [...structure.elements].filter(([, { isModifier }]) => isModifier).map(([key]) => key);
}
