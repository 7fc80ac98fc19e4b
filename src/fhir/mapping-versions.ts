import { isDeepStrictEqual } from 'node:util';
import { allKnown, COUNTS, setKnown, type KnownResource } from '../records/statement-origins.js';
import type { ReadTx, WriteTx } from '../store/disk/data-directory.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { Mapping } from './mapping.js';
import { nameOf, type ResourceName } from './resource-names.js';

/** How many resources of a type each version of the mapping turned into statements: `Condition 1a2b3c4d`. */
type Counts = Record<string, number>;

const keyOf = (type: string, { mapping = '' }: KnownResource): string => `${type} ${mapping}`;

/** Counts, in one transaction, which version of the mapping made statements. */
export class VersionCounts {
  readonly #counts: Counts;
  #isChanged = false;

  constructor(private readonly tx: WriteTx) {
    this.#counts = { ...countsIn(tx) };
  }

  /** Notes a change in what is known about a resource. */
  change(type: string, before: readonly KnownResource[], after: readonly KnownResource[]): void {
    for (const [known, step] of [
      [before, -1],
      [after, 1],
    ] as const)
      for (const each of known.filter(({ made }) => made.length > 0)) {
        const key = keyOf(type, each);
        this.#counts[key] = (this.#counts[key] ?? 0) + step;
        this.#isChanged = true;
      }
  }

  write(): void {
    if (!this.#isChanged) return;
    const left = Object.entries(this.#counts).filter(([, count]) => count > 0);
    this.tx.put(...COUNTS, Object.fromEntries(left));
  }
}

/** Returns the counts; if there are none yet, counts all known resources. */
function countsIn(tx: ReadTx): Counts {
  const counted = tx.get(...COUNTS) as Counts | undefined;
  if (counted) return counted;
  const counts: Counts = {};
  for (const [resource, known] of allKnown(tx))
    for (const each of known.filter(({ made }) => made.length > 0)) {
      const key = keyOf(resource.replace(/\/.*$/u, ''), each);
      counts[key] = (counts[key] ?? 0) + 1;
    }
  return counts;
}

/** Returns what other versions of the mapping made, by type, the most first: today it might be different. */
export function madeByOthers({ directory }: PrimaryStore, mapping: Mapping): [type: string, count: number][] {
  const totals = new Map<string, number>();
  for (const [key, count] of Object.entries(directory.read(countsIn))) {
    const [type = '', version] = key.split(' ');
    if (version !== mapping.versions.get(type)) totals.set(type, (totals.get(type) ?? 0) + count);
  }
  return [...totals].sort(([, a], [, b]) => b - a);
}

/** Writes only changes, so repeating a load costs no write. */
export function changeKnown(
  tx: WriteTx,
  resource: ResourceName,
  known: readonly KnownResource[],
  next: readonly KnownResource[],
  counts: VersionCounts,
): void {
  if (isDeepStrictEqual(known, next)) return;
  counts.change(resource.type, known, next);
  setKnown(tx, nameOf(resource), next);
}
