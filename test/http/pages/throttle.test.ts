import { describe, expect, it } from 'vitest';
import { signInThrottle, TRIES } from '../../../src/http/pages/throttle.js';

describe('the throttle of sign-ins', () => {
  it('counts tries for a name from an address, in any letter case', async () => {
    const throttle = signInThrottle();
    for (let tries = 0; tries < TRIES.ofUser; tries++)
      expect(await throttle.take('ann', '10.0.0.1')).toBeUndefined();
    expect(await throttle.take('ANN', '10.0.0.1')).toBeGreaterThan(0);
    expect(await throttle.take('ann', '10.0.0.2')).toBeUndefined();
    expect(await throttle.take('bob', '10.0.0.1')).toBeUndefined();
  });

  it('counts tries for all names from an address', async () => {
    const throttle = signInThrottle();
    for (let tries = 0; tries < TRIES.ofAddress; tries++) {
      expect(await throttle.take(`user${tries}`, '10.0.0.1')).toBeUndefined();
    }
    expect(await throttle.take('one more', '10.0.0.1')).toBeGreaterThan(0);
  });

  it('takes the addresses of one IPv6 network for one', async () => {
    const throttle = signInThrottle();
    const addresses = ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::ffff'];
    for (let tries = 0; tries < TRIES.ofUser; tries++) await throttle.take('ann', addresses[tries % 3] ?? '');
    expect(await throttle.take('ann', '2001:db8:1:2:aaaa::')).toBeGreaterThan(0);
    expect(await throttle.take('ann', '2001:db8:1:3::1')).toBeUndefined();
    expect(await throttle.take('ann', '::1')).toBeUndefined();
  });

  it('forgets the failures of whoever signs in', async () => {
    const throttle = signInThrottle();
    for (let tries = 0; tries < TRIES.ofUser; tries++) await throttle.take('ann', '10.0.0.1');
    await throttle.forgive('ann', '10.0.0.1');
    expect(await throttle.take('ann', '10.0.0.1')).toBeUndefined();
  });

  it('lets no more through when they come all at once', async () => {
    const throttle = signInThrottle();
    const answers = await Promise.all(Array.from({ length: 40 }, () => throttle.take('ann', '10.0.0.1')));
    expect(answers.filter((wait) => wait === undefined)).toHaveLength(TRIES.ofUser);
  });
});
