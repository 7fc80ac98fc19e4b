import type { TableName } from '../disk/tables.js';
import type { Key } from '../disk/transaction.js';
import type { PostgresStore } from './postgres-store.js';

/** The position of a shared store: its number of commits, and a random name for the last. */
export interface Position {
  readonly sequence: number;
  readonly commit: string;
}

/** A stored value; undefined if it was removed. */
export interface StoredEntry {
  readonly table: TableName;
  readonly key: Key;
  readonly value: Uint8Array | undefined;
}

export type Take = (entries: readonly StoredEntry[]) => Promise<void> | void;

/** Passes on all entries up to another position, and resolves to it. */
export type Advance = (take: Take) => Promise<Position>;

export interface Turn {
  readonly head: Position;
  /** Passes on what was written since a position. @returns the position reached @throws HistoryLost */
  since(position: Position, take: Take): Promise<Position>;
  /** Nobody sees the entries before the turn ends. @returns the new position */
  write(entries: readonly StoredEntry[]): Promise<Position>;
}

/** The store does not know the state of a copy, so it must be made again. */
export class HistoryLost extends Error {
  constructor() {
    super('The shared store does not know the state that this copy is in.');
    this.name = 'HistoryLost';
  }
}

/** The primary store of several gateways, each with a copy. Every method throws Problem unavailable. */
export type SharedStore = Omit<PostgresStore, never>;
