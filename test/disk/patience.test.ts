import { afterEach, expect, test, vi } from 'vitest';
import { patiently } from '../../src/disk/patience.js';

afterEach(() => void vi.useRealTimers());

test('a clock that is set back makes nobody wait for longer', { timeout: 10_000 }, async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const attempt = (): boolean => {
    vi.setSystemTime(Date.now() - 60 * 60 * 1000);
    return false;
  };
  const isThere = { isAlive: () => true, waiting: () => '', refusal: () => 'Somebody is there.' };
  await expect(patiently(attempt, isThere)).rejects.toThrow('Somebody is there.');
});
