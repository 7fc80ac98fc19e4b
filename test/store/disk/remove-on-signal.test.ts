import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary.js';

test('what a thread puts back while a signal has it removed is removed as well', async () => {
  const parent = await temporaryFolder();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'removed-late.mjs'), parent]);
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  expect(readdirSync(parent)).toEqual([]);
});
