import { afterEach, expect, test, vi } from 'vitest';
import { waitForLock } from '../../../src/store/disk/lock.js';

afterEach(() => void vi.useRealTimers());

test('a clock that is set back makes nobody wait for longer', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const attempt = (): boolean => {
    vi.setSystemTime(Date.now() - 60 * 60 * 1000);
    return false;
  };
  const isThere = { isAlive: () => true, waiting: () => '', refusal: () => 'Somebody is there.' };
  await expect(waitForLock(attempt, isThere)).rejects.toThrow('Somebody is there.');
});
