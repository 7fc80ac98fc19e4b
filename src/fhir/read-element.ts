import { structureOf } from './endpoint/rules/structures.js';
import { canChoose, deciding } from './chosen.js';
import { typeIn } from './element-texts.js';

/**
 * An element of a resource that queries read, by its path (`Condition.code.coding`); the root is the type itself. No
 * query reads elements outside the tree.
 */
export class ReadElement {
  readonly children = new Map<string, ReadElement>();
  /** Whether a query reads the place in its list, the resource referred to, or the value in a list. */
  index = false;
  link = false;
  value = false;
  /** Whether a query reads its meaning by the tables. */
  means = false;
  /** Whether a query reads the first of a list, the chosen one, its words, and whether one reads all. */
  first = false;
  chosen = false;
  words = false;
  all = false;
  /** The elements in it that a query reads in words, by name, or `value` for `value[x]`. */
  readonly said = new Set<string>();
  #modifiers: readonly string[] | undefined;

  /** @param type of R4, undefined if R4 has no such element */
  constructor(
    readonly path: string,
    readonly type: string | undefined,
    private readonly above?: ReadElement,
  ) {}

  /** Returns the element with a name below this one; makes it if needed. */
  child(name: string): ReadElement {
    let found = this.children.get(name);
    if (!found)
      this.children.set(
        name,
        (found = new ReadElement(`${this.path}.${name}`, typeIn(this.type, name), this)),
      );
    return found;
  }

  /** Whether the triples have the element itself, not only its words. */
  get isWritten(): boolean {
    return this.all || this.first || this.chosen;
  }

  /** Unread elements that can change its meaning (R4, isModifier). */
  get modifiers(): readonly string[] {
    this.#modifiers ??= modifiersOf(this.type).filter((key) => !this.children.has(key) && !this.decides(key));
    return this.#modifiers;
  }

  /** Whether it is a list in R4. */
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

  /** Whether its words or its meaning cover all of it. */
  get isTold(): boolean {
    return this.words || this.means || (this.above?.isTold ?? false);
  }

  /** Whether a member decides which element of a list is chosen, so that it is read with that. */
  decides(key: string): boolean {
    return this.chosen && deciding.has(key) && canChoose(this.type);
  }

  /** Returns the paths of the lists in it whose first element a query reads. */
  firsts(): string[] {
    const inner = [...this.children.values()].flatMap((child) => child.firsts());
    return this.first ? [this.path, ...inner] : inner;
  }

  /** Adds the reads of the same element by another query. */
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

/** Returns the modifiers of an R4 type; for unknown types, the one that anything can have. */
export function modifiersOf(type: string | undefined): string[] {
  const structure = type === undefined ? undefined : structureOf(type);
  if (!structure) return type === undefined ? ['modifierExtension'] : [];
  return [...structure.elements].filter(([, { isModifier }]) => isModifier).map(([key]) => key);
}
