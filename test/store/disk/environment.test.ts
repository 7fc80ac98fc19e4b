import { chmodSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';

test('every file of a data directory is for its owner alone, also one that an earlier version made', async () => {
  const dir = await mkdtemp(join(inject('scratch'), 'modes-'));
  for (let time = 0; time < 2; time++) {
    const directory = await openDataDirectory(dir, { create: true });
    const log = await openAccessLog(dir);
    await log.list();
    const files = readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.some((file) => file.endsWith('keyed-index/data.mdb'))).toBe(true);
    expect(files.filter((file) => (statSync(file).mode & 0o077) !== 0)).toEqual([]);
    await log.close();
    await directory.close();
    for (const file of files.filter((each) => each.endsWith('.mdb'))) chmodSync(file, 0o644);
  }
});
