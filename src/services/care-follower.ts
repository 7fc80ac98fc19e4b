import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  beginCareIndex,
  forgetCare,
  indexCare,
  indexedRecords,
  isCareIndexOf,
  isIndexed,
  practitionerKey,
  type Period,
  type Seen,
} from '../access/accounts/care-index.js';
import type { SecretKey } from '../access/accounts/secret-key.js';
import { faultFacts } from '../http/fault-facts.js';
import { relationIn, type AccessQuery } from '../model/query/access-queries.js';
import { namedNode } from '../rdf/terms.js';
import { recordPart } from '../records/record-partition.js';
import { recordPath, recordsStart } from '../records/resource-paths.js';
import { changesSince, epochOf, lastRevision, revisionOf } from '../store/change-log.js';
import { Chunk } from '../store/chunk.js';
import { loadEngine } from '../store/engine.js';
import { CommitWatch } from '../store/commit-watch.js';
import type { ReadTx } from '../store/disk/data-directory.js';
import { leaseHolder, takeLease } from '../store/disk/lease.js';
import { SHARED, survey, type Partition } from '../store/parts.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { readRows } from '../store/rows.js';
import { graphsIn } from '../store/stored-graphs.js';
import { WorkingSet } from '../store/working-set.js';

export interface CareParts {
  readonly primary: PrimaryStore;
  readonly queries: ReadonlyMap<string, AccessQuery>;
  readonly key: SecretKey;
  /** From `careDigest`. */
  readonly digest: string;
  readonly log: Logger;
}

interface Indexing {
  readonly record: string;
  readonly seen: Seen;
  /** Undefined for a record that is gone. */
  readonly periods: Map<string, Period[]> | undefined;
}

const TICK_MS = 10_000;
const TURN_MS = 8;
const MAX_WRITTEN = 100;
const SURVEYED = 500;
const MAX_BYTES = 512 * 1024 * 1024;
/** Characters: the engine reserves much memory for larger pieces, and keeps it. */
const LOADED_AT_ONCE = 16_000;

const recordOf = (path: string): string | undefined => recordPath(path, '')?.recordId;

const records: Partition = {
  partOf(path) {
    const record = recordOf(path);
    return record === undefined ? SHARED : recordPart(record);
  },
};

/**
 * Keeps the index of who cares for whom, after each commit, by the access queries. A record that changed since it was
 * indexed opens by it to nobody.
 */
export class CareFollower {
  readonly #watch: CommitWatch;
  readonly #holder: string;
  readonly #chunk: Chunk;
  #empty: WorkingSet | undefined;
  #epoch = '';
  #seen = 0;
  #timer: NodeJS.Timeout | undefined;
  #pass: Promise<void> | undefined;
  #mustLookAgain = false;
  #isStopped = false;

  constructor(private readonly parts: CareParts) {
    const { directory, base } = parts.primary;
    this.#watch = new CommitWatch(directory);
    this.#holder = leaseHolder(directory);
    this.#chunk = new Chunk(base, undefined);
  }

  start(): void {
    this.#watch.add(() => this.#look());
    // For what failed, and for the lease of a gateway that is gone.
    this.#timer = setInterval(() => this.#look(), TICK_MS).unref();
    this.#look();
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    this.#watch.close();
    clearInterval(this.#timer);
    await this.#pass;
  }

  #look(): void {
    if (this.#isStopped) return;
    this.#mustLookAgain = this.#pass !== undefined;
    this.#pass ??= this.#follow()
      .catch((error: unknown) => {
        this.#epoch = '';
        this.parts.log.error(
          faultFacts(error),
          'who cares for whom could not be indexed, and is tried again',
        );
      })
      .finally(() => {
        this.#pass = undefined;
        if (this.#mustLookAgain) this.#look();
      });
  }

  async #follow(): Promise<void> {
    const { directory } = this.parts.primary;
    const isOfAnother = directory.read((tx) => tx.count('care') > 0 && !isCareIndexOf(tx, this.parts.digest));
    if (isOfAnother || !(await takeLease(directory, 'care', this.#holder, Date.now())))
      return void (this.#epoch = '');
    const { epoch, changes, revision } = directory.read((tx) => ({
      epoch: epochOf(tx),
      revision: lastRevision(tx),
      changes: changesSince(tx, this.#seen),
    }));
    const isOther = epoch !== this.#epoch || !changes.complete;
    let found: Indexing[] = [];
    let began = performance.now();
    for (const record of isOther ? this.#all() : new Set([...changes.paths].map(recordOf))) {
      if (this.#isStopped) return;
      const indexing = record === undefined ? undefined : directory.read((tx) => this.#derive(tx, record));
      if (indexing) found.push(indexing);
      if (found.length === MAX_WRITTEN) found = await this.#write(epoch, found);
      if (performance.now() - began < TURN_MS) continue;
      await nextTurn();
      began = performance.now();
    }
    await this.#write(epoch, found);
    [this.#epoch, this.#seen] = [epoch, revision];
  }

  /** Yields all records, and those that are indexed and gone. */
  *#all(): Generator<string | undefined> {
    const { directory } = this.parts.primary;
    yield* directory.read(indexedRecords);
    for (let from: string | undefined = recordsStart(''); from !== undefined;) {
      const start: string = from;
      const surveyed = directory.read((tx) => survey(tx, records, start, SURVEYED));
      yield* surveyed.parts.map(recordOf);
      // Once for each turn, so that it ends even where there are no records.
      yield undefined;
      from = surveyed.to;
    }
  }

  #derive(tx: ReadTx, record: string): Indexing | undefined {
    if (isIndexed(tx, record)) return undefined;
    const { queries } = this.parts;
    const places = [...queries.values()].flatMap(({ paths }) =>
      paths.map((path) => path.prefix({ record_id: record })),
    );
    const seen = Object.fromEntries(places.map((place) => [place, revisionOf(tx, place)]));
    if (!tx.has('graphs', recordPart(record))) return { record, seen, periods: undefined };
    return { record, seen, periods: this.#periodsIn(tx, record, Object.keys(seen)) };
  }

  /** A query that fails opens nothing. */
  #periodsIn(tx: ReadTx, record: string, places: readonly string[]): Map<string, Period[]> {
    const periods = new Map<string, Period[]>();
    try {
      const workingSet = this.#filled(tx, places);
      if (!workingSet) return periods;
      const terms = { record: namedNode(this.parts.primary.base + recordPart(record)) };
      for (const { template, days } of this.parts.queries.values()) {
        for (const row of readRows(workingSet.select(template.bind(terms)), () => undefined)) {
          const relation = relationIn(row, days);
          if (!relation) continue;
          const name = practitionerKey(this.parts.key, relation.practitioner);
          periods.set(name, [...(periods.get(name) ?? []), [relation.from, relation.until]]);
        }
      }
      this.#empty = workingSet.emptied();
      return periods;
    } catch (error) {
      const says =
        'who cares for a patient could not be found: the record opens to those whom it is given to';
      this.parts.log.error({ ...faultFacts(error), record }, says);
      return new Map();
    }
  }

  /** Returns the statements of some places; undefined if there are none. */
  #filled(tx: ReadTx, places: readonly string[]): WorkingSet | undefined {
    let workingSet: WorkingSet | undefined;
    const chunk = this.#chunk;
    const load = (): void => {
      if (chunk.graphs === 0) return;
      // Taken, so that a broken one is not used again.
      workingSet ??= this.#empty ?? new WorkingSet(loadEngine(MAX_BYTES));
      this.#empty = undefined;
      chunk.loadInto(workingSet);
      chunk.clear();
    };
    chunk.clear();
    for (const place of places) {
      for (const { path, text } of graphsIn(tx, place, '')) {
        chunk.add(path, text);
        if (chunk.size >= LOADED_AT_ONCE) load();
      }
    }
    load();
    return workingSet;
  }

  /** Writes nothing into an index of another model, or one that a restore has emptied meanwhile. */
  async #write(epoch: string, found: readonly Indexing[]): Promise<[]> {
    const { primary, digest } = this.parts;
    if (found.length === 0) return [];
    await primary.directory.transact((tx) => {
      if (epochOf(tx) !== epoch) return;
      if (tx.count('care') === 0) beginCareIndex(tx, digest);
      if (!isCareIndexOf(tx, digest)) return;
      for (const { record, seen, periods } of found) {
        if (periods) indexCare(tx, record, seen, periods);
        else forgetCare(tx, record);
      }
    });
    return [];
  }
}
