import { clinicianMode } from '../../store/disk/clinician-mode.js';
import { liesAhead } from '../../store/disk/clock.js';
import type { ReadTx } from '../../store/disk/transaction.js';
import { caresUntil, recordsInCare } from './care-index.js';
import type { User } from './users.js';

/** How long a record that a clinician opened in an emergency stays open to them. In milliseconds. */
export const EMERGENCY_LIFETIME = 8 * 60 * 60 * 1000;
/** How far the clocks of gateways may differ. */
const TOLERANCE = 5 * 60 * 1000;

/** A record that a clinician opened without a care relation. */
export interface Emergency {
  readonly record: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** What a user may open: every record, or these and those of patients in their care, as the data says. */
export interface Openable {
  readonly isAll: boolean;
  readonly records: ReadonlySet<string>;
  readonly emergencies: readonly Emergency[];
  /** How the index of care names the user. */
  readonly practitioner?: string | undefined;
}

const NOTHING: Openable = { isAll: false, records: new Set(), emergencies: [] };

/** Works out what a user may open; only the emergencies depend on the time. */
export function openableBy(
  tx: ReadTx,
  {
    role,
    records,
    emergencies = [],
    practitionerKey: practitioner,
  }: Pick<User, 'role' | 'records'> & Partial<Pick<Openable, 'emergencies'>> & { practitionerKey?: string },
): Openable {
  if (role === 'person') return { ...NOTHING, records: new Set(records) };
  if (role !== 'clinician') return NOTHING;
  return { isAll: clinicianMode(tx) === 'all', records: new Set(records), emergencies, practitioner };
}

/** @param now milliseconds since 1970 */
export function isGoingOn({ until }: Emergency, now: number): boolean {
  return liesAhead(until, now, EMERGENCY_LIFETIME + TOLERANCE);
}

/** Why a record is open to a user: it was given to them, all are, or until a time in milliseconds since 1970. */
export type WhyOpen =
  { readonly because: 'given' | 'all' } | { readonly because: 'emergency' | 'care'; readonly until: number };

/** Decides whether and why a record is open to a user: all doors to records ask this, and none asks for the role. */
export function whyOpen(
  tx: ReadTx,
  { isAll, records, emergencies, practitioner }: Openable,
  record: string,
  now: number,
): WhyOpen | undefined {
  if (records.has(record)) return { because: 'given' };
  const emergency = emergencies.find((each) => each.record === record && isGoingOn(each, now));
  if (emergency) return { because: 'emergency', until: emergency.until };
  if (isAll) return { because: 'all' };
  const until = practitioner === undefined ? undefined : caresUntil(tx, practitioner, record, now);
  return until === undefined ? undefined : { because: 'care', until };
}

/** Returns the records that are open to a user; undefined: every record. */
export function openRecords(
  tx: ReadTx,
  { isAll, records, emergencies, practitioner }: Openable,
  now: number,
): string[] | undefined {
  if (isAll) return undefined;
  const opened = emergencies.filter((each) => isGoingOn(each, now)).map(({ record }) => record);
  const inCare = practitioner === undefined ? [] : recordsInCare(tx, practitioner, now);
  return [...new Set([...records, ...opened, ...inCare])];
}
