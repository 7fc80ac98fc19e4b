// Ends itself by SIGTERM while a thread is about to put something into a folder that is being removed.
import { pbkdf2 } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeOnSignal } from '../../../dist/store/disk/remove-on-signal.js';

const THREADS = 4;
const [, , parent] = process.argv;
const dir = mkdtempSync(join(parent, 'work-'));
mkdirSync(join(dir, 'files'));
// To remove so many takes longer than what the threads do first.
for (let number = 0; number < 5000; number++) writeFileSync(join(dir, 'files', String(number)), '');
await removeOnSignal(
  () => rmSync(dir, { recursive: true }),
  async () => {
    for (let busy = 0; busy < THREADS; busy++) pbkdf2('', '', 20_000, 32, 'sha256', () => undefined);
    void mkdir(join(dir, 'late'));
    process.kill(process.pid, 'SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
);
