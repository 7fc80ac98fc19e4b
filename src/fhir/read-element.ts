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
  /** Whether a query reads the first of a list, and whether one reads all. */
  first = false;
  all = false;

  constructor(readonly path: string) {}

  /** The element of a name below this one, made if it is not there yet. */
  child(name: string): ReadElement {
    let found = this.children.get(name);
    if (!found) this.children.set(name, (found = new ReadElement(`${this.path}.${name}`)));
    return found;
  }

  /** Adds what another query reads of the same element. */
  merge(other: ReadElement): void {
    this.index ||= other.index;
    this.link ||= other.link;
    this.value ||= other.value;
    this.first ||= other.first;
    this.all ||= other.all;
    for (const [name, child] of other.children) this.child(name).merge(child);
  }
}
