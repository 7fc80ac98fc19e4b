import type { DeadLetter, Subscription } from '../../accounts/subscriptions.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds until the next attempt, after each that failed; after the last of them, three days in all, no more comes. */
export const DELAYS: readonly number[] = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Milliseconds. */
export const LONGEST_DELAY = Math.max(...DELAYS);

/** Older dead letters go: one comes in three days at most. */
const MOST_DEAD_LETTERS = 20;

/** What a delivery tells: that there are changes after one, up to another. */
export type DeliveredRange = Pick<DeadLetter, 'since' | 'revision'>;

/** A subscription after a delivery that was taken. */
export function afterDelivery(subscription: Subscription, { revision }: DeliveredRange): Subscription {
  const { reason: _, ...others } = subscription;
  return { ...others, position: revision, failures: 0, notBefore: 0 };
}

/**
 * A subscription after a delivery that failed: it is tried again later, or is a dead letter, and what comes after it is
 * delivered.
 * @param now milliseconds since 1970
 */
export function afterFailure(
  subscription: Subscription,
  range: DeliveredRange,
  { now, reason, delays = DELAYS }: { now: number; reason: string; delays?: readonly number[] },
): Subscription {
  const delay = delays[subscription.failures];
  const failures = subscription.failures + 1;
  if (delay !== undefined) return { ...subscription, failures, reason, notBefore: now + delay };
  const dead = { ...range, at: now, reason };
  const deadLetters = [...subscription.deadLetters, dead].slice(-MOST_DEAD_LETTERS);
  return { ...afterDelivery(subscription, range), reason, deadLetters };
}

/** A subscription that tells again all changes after one. */
export function replayed(subscription: Subscription, since: number): Subscription {
  const { reason: _, ...others } = subscription;
  const deadLetters = subscription.deadLetters.filter(({ revision }) => revision <= since);
  return { ...others, position: since, failures: 0, notBefore: 0, deadLetters };
}
