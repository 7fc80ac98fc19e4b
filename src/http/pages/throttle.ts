import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How often somebody may try to sign in; a process counts for itself. */
export interface SignInThrottle {
  /** Counts a try before it is made. @returns the seconds to wait when there were too many, else undefined */
  take(user: string, address: string): Promise<number | undefined>;
  /** Takes a try back that was right. */
  forgive(user: string, address: string): Promise<void>;
}

/** Tries within a quarter of an hour: for one name from one address, and for all names from there. */
export const TRIES = { ofUser: 8, ofAddress: 80, seconds: 15 * 60 } as const;

/** Counts tries in memory. */
export function signInThrottle(): SignInThrottle {
  const duration = TRIES.seconds;
  const addresses = new RateLimiterMemory({ points: TRIES.ofAddress, duration });
  const users = new RateLimiterMemory({ points: TRIES.ofUser, duration });
  const keyOf = (user: string, address: string): string =>
    `${network(address)} ${user.slice(0, 64).toLowerCase()}`;
  return {
    async take(user, address) {
      try {
        // The address first: whoever tries many names fills no memory with them.
        await addresses.consume(network(address));
        await users.consume(keyOf(user, address));
        return undefined;
      } catch (limit) {
        if (limit instanceof RateLimiterRes) return Math.max(1, Math.ceil(limit.msBeforeNext / 1000));
        throw limit;
      }
    },
    async forgive(user, address) {
      await users.delete(keyOf(user, address));
      await addresses.reward(network(address));
    },
  };
}

/** One customer has a whole /64 of IPv6 addresses. */
function network(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail?.split(':') ?? [])]
    .slice(0, 4)
    .join(':');
}
