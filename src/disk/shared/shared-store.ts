import type { TableName } from '../tables.js';
import type { Key } from '../transaction.js';

/** Where a shared store stands: how many commits there were, and a random name for the last of them. */
export interface Position {
  readonly sequence: number;
  readonly commit: string;
}

/** A stored value, sealed where its table is; undefined: it was removed. */
export interface StoredEntry {
  readonly table: TableName;
  readonly key: Key;
  readonly value: Uint8Array | undefined;
}

/** Takes some entries of many. */
export type Take = (entries: readonly StoredEntry[]) => Promise<void> | void;

/** Hands over, in parts, all entries that lead from one position to another, and resolves to the latter. */
export type Advance = (take: Take) => Promise<Position>;

/** What came of nonces. */
export interface RecordedNonces {
  /** Whether each was new; undefined where none was recorded, since the store did not stand where it should. */
  readonly isNew: readonly boolean[] | undefined;
  /** Where the store stood after the question came in. */
  readonly head: Position;
}

/** What a caller may do while it alone may commit. */
export interface Turn {
  /** Where the store stands now, and stays until the turn is over. */
  readonly head: Position;
  /** What was written since, in parts. @returns where that leads @throws HistoryLost */
  since(position: Position, take: Take): Promise<Position>;
  /** Writes entries; nobody sees them before the turn is over. @returns where the store will stand */
  write(entries: readonly StoredEntry[]): Promise<Position>;
}

/** The store never was where a copy stands, or no longer knows what came after: the copy has to be made anew. */
export class HistoryLost extends Error {
  constructor() {
    super('The shared store does not know the state that this copy is in.');
    this.name = 'HistoryLost';
  }
}

/**
 * The primary store that several gateways share. Each of them keeps a copy of it in its data directory, which it brings
 * up to date before it reads. Every method throws Problem unavailable when the store cannot be reached.
 */
export interface SharedStore {
  /** Where the store stands now. */
  head(): Promise<Position>;
  /**
   * What was written since, in parts, and at the end where that leads: one snapshot, so no part means anything alone.
   * @param most entries; where there are more, a new copy is cheaper
   * @throws HistoryLost
   */
  since(position: Position, take: Take, most?: number): Promise<Position>;
  /** Everything, in parts, and at the end where that stands: one snapshot. */
  everything(take: Take): Promise<Position>;
  /**
   * Fills an empty store, all or nothing, and compares the digest of each entry with what came.
   * @returns how many entries there are
   * @throws DataDirectoryError when the store is not empty
   */
  fill(entries: Iterable<StoredEntry>): Promise<number>;
  /** SHA-256 of the value of each entry, base64, by table, a space and the bytes of its key in base64. */
  digests(): Promise<ReadonlyMap<string, string>>;
  /** Runs `work` while nobody else commits. What it throws undoes what it has written. */
  exclusively<T>(work: (turn: Turn) => Promise<T>): Promise<T>;
  /**
   * Records digests until a time (milliseconds since 1970), and looks where the store stands: one question for both.
   * @param digests 32 bytes each; none may occur twice
   * @param at where the store has to stand, for anything to be recorded; undefined for wherever it stands
   */
  recordNonces(
    digests: readonly Uint8Array[],
    expiresAt: readonly number[],
    now: number,
    at: Position | undefined,
  ): Promise<RecordedNonces>;
  /**
   * Stores the bytes of a sealed document under the hash of its content, in the place of those that are there: all of
   * them, or none.
   * @param keys the wrapped keys as they were stored when it was sealed
   * @returns false, and nothing is stored, when they are stored otherwise by now
   */
  putDocument(sha256: string, parts: AsyncIterable<Uint8Array>, keys?: Uint8Array): Promise<boolean>;
  /** The first bytes of sealed documents, in the order of their hashes, some of those after one; none at the end. */
  documentHeaders(after: string): Promise<{ readonly sha256: string; readonly header: Uint8Array }[]>;
  /** The bytes of a sealed document in parts; none where there is none. */
  document(sha256: string): AsyncIterable<Uint8Array>;
  /** The hashes of the documents that were stored before a time, in milliseconds since 1970. */
  documentsBefore(time: number): Promise<string[]>;
  removeDocuments(hashes: readonly string[], before: number): Promise<void>;
  /** Removes what earlier versions have left of documents that were not stored to their end. */
  removeUnfinished(): Promise<void>;
  /** Keeps where the access log of a gateway stands, so that a shortened one is found out. */
  anchor(chain: string, gateway: string, entries: number, hash: string): Promise<void>;
  /** The anchor of a chain. */
  anchorOf(chain: string): Promise<{ readonly entries: number; readonly hash: string } | undefined>;
  /** Drops what copies that are up to date need no more. */
  prune(): Promise<void>;
  close(): Promise<void>;
}
