import type { ReadTx } from '../disk/transaction.js';
import { changesSince, lastRevision } from './change-log.js';
import { countLines, inGraph, resolveText } from './relative-text.js';
import { Replica } from './replica.js';
import type { Truth } from './truth.js';

/**
 * Makes further statements from a graph, for lookups: N-Triples in, N-Triples out, both absolute. They live in a graph
 * of their own, `{name}#_index`, and only in replicas.
 */
export type Derive = (name: string, ntriples: string) => string;

/** Characters of relative text taken in one turn of the event loop: some 50 ms of work. */
const PIECE = 1 << 20;
/** Graphs changed in one turn. */
const BATCH = 1_000;

/** A replica that follows a truth: `step` by `step` it is filled, then kept up to date. */
export class Follower {
  readonly replica = new Replica();
  /** Quads in the replica, and quads that were taken away but still occupy its memory. */
  quads = 0;
  garbage = 0;
  readonly #truth: Truth;
  readonly #derive: Derive | undefined;
  readonly #epoch: string;
  /** Changes up to this one are applied or pending. */
  #seen: number;
  readonly #pending = new Set<string>();
  /** The path up to which the replica is filled; undefined when it is filled altogether. */
  #filledTo: string | undefined = '';

  constructor(truth: Truth, derive?: Derive) {
    this.#truth = truth;
    this.#derive = derive;
    [this.#epoch, this.#seen] = truth.directory.read((tx) => [epochOf(tx), lastRevision(tx)]);
  }

  /**
   * Does a piece of the work there is. 'current': in this very turn the replica equals the truth; 'behind': call again
   * in another turn; 'lost': it can no longer follow (restored data, too many changes missed), start another.
   * @throws ReplicaPanic
   */
  step(): 'current' | 'behind' | 'lost' {
    return this.#truth.directory.read((tx) => {
      if (epochOf(tx) !== this.#epoch) return 'lost';
      if (this.#filledTo !== undefined) {
        this.#fill(tx, this.#filledTo);
        return 'behind';
      }
      if (lastRevision(tx) !== this.#seen && !this.#note(tx)) return 'lost';
      // Graphs are read in the newest snapshot, so the replica equals it as soon as nothing is pending.
      if (this.#pending.size > 0) this.#apply(tx);
      return this.#pending.size === 0 ? 'current' : 'behind';
    });
  }

  /** Graphs that change while this runs are pending afterwards and are then read again: no snapshot is held. */
  #fill(tx: ReadTx, from: string): void {
    const piece = new Piece(this.#truth.base, this.#derive);
    let last: string | undefined;
    for (const { key, value } of tx.range('graphs', from === '' ? {} : { after: from })) {
      last = String(key);
      piece.add(last, value as string);
      if (piece.size >= PIECE) break;
      last = undefined;
    }
    piece.loadInto(this.replica);
    this.quads += piece.quads;
    this.#filledTo = last;
  }

  #note(tx: ReadTx): boolean {
    const changes = changesSince(tx, this.#seen);
    if (!changes.complete) return false;
    for (const path of changes.paths) this.#pending.add(path);
    this.#seen = changes.revision;
    this.garbage += changes.dropped;
    this.quads -= changes.dropped;
    return true;
  }

  #apply(tx: ReadTx): void {
    const piece = new Piece(this.#truth.base, this.#derive);
    const names: string[] = [];
    const done: string[] = [];
    for (const path of this.#pending) {
      const name = this.#truth.base + path;
      names.push(name);
      if (this.#derive) names.push(indexGraph(name));
      const text = tx.get('graphs', path) as string | undefined;
      if (text !== undefined) piece.add(path, text);
      done.push(path);
      if (piece.size >= PIECE || done.length >= BATCH) break;
    }
    this.replica.clear(names);
    piece.loadInto(this.replica);
    this.quads += piece.quads;
    // Only now: what could not be loaded stays pending, so no query is answered without it.
    for (const path of done) this.#pending.delete(path);
  }
}

/** N-Quads in the making. */
class Piece {
  size = 0;
  quads = 0;
  #text = '';
  #derived = '';

  constructor(
    readonly base: string,
    readonly derive: Derive | undefined,
  ) {}

  add(path: string, text: string): void {
    this.size += text.length;
    this.quads += countLines(text);
    this.#text += inGraph(text, path);
    if (!this.derive) return;
    const name = this.base + path;
    const derived = this.derive(name, resolveText(text, this.base));
    this.quads += countLines(derived);
    this.#derived += inGraph(derived, indexGraph(name));
  }

  loadInto(replica: Replica): void {
    if (this.size === 0) return;
    replica.load(resolveText(this.#text, this.base) + this.#derived);
  }
}

function indexGraph(name: string): string {
  return name + '#_index';
}

function epochOf(tx: ReadTx): string {
  return String(tx.get('meta', 'epoch'));
}
