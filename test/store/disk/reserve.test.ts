import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openReserve } from '../../../src/store/disk/disk-space.js';
import { temporaryFolder } from './temporary.js';

function failing(code: string, times: number) {
  let tries = 0;
  const work = (): void => {
    if (++tries <= times) throw Object.assign(new Error(code), { code });
  };
  return { work, tries: () => tries };
}

describe('the reserve of a folder', () => {
  test('is given free when the disk is full, and what failed is done again', async () => {
    const folder = await temporaryFolder();
    const reserve = openReserve(folder);
    const { work, tries } = failing('ENOSPC', 1);
    reserve.orElse(work);
    expect([tries(), existsSync(join(folder, 'reserve'))]).toEqual([2, false]);
    expect(() => reserve.orElse(failing('ENOSPC', 1).work)).toThrow('ENOSPC');
  });

  test('is kept for every other error', async () => {
    const folder = await temporaryFolder();
    const reserve = openReserve(folder);
    expect(() => reserve.orElse(failing('EIO', 1).work)).toThrow('EIO');
    expect(existsSync(join(folder, 'reserve'))).toBe(true);
  });
});
