import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { entriesOf } from '../../access/log/opened-log.js';
import { writeBackup } from '../../../src/store/backup/backup.js';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';
import { seededCopy } from '../../setup/seeded-copy.js';
import { temporaryFolder } from './temporary.js';

const script = fileURLToPath(new URL('fill-up.mjs', import.meta.url));
const program = fileURLToPath(new URL('../../../dist/cli/chartgraph.js', import.meta.url));

interface Outcome {
  acknowledged: number;
  kept: number;
  refusals: string[];
}

// A limit on the size of a file fails like a full disk, and needs no disk to be filled. Skipped where it cannot be set:
// only Linux is sure to have the shell's `ulimit -f` that the child is started with.
test.skipIf(process.platform !== 'linux')(
  'a disk that is full refuses writes, keeps what was acknowledged, and ends no process',
  async () => {
    const dir = await temporaryFolder();
    const limited = `trap '' XFSZ; ulimit -f 2048; exec "$0" "$@"`;
    const child = spawn('bash', ['-c', limited, process.execPath, script, dir], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const outcome = JSON.parse(await text(child.stdout)) as Outcome;
    expect(outcome.refusals).toHaveLength(3);
    expect(outcome.refusals[0]).toMatch(/^The change could not be written to disk: /);
    expect(outcome.acknowledged).toBeGreaterThan(10);
    expect(outcome.kept).toBe(outcome.acknowledged);
    const directory = await openDataDirectory(dir);
    const kept = directory.read((tx) => [...tx.range('graphs', { values: false })].length);
    expect(kept).toBe(outcome.acknowledged);
    await directory.close();
  },
);

// Skipped for the same reason.
test.skipIf(process.platform !== 'linux')(
  'a restore for which there is no room says so in one line, and changes nothing',
  async () => {
    const source = await openDataDirectory(await seededCopy());
    onTestFinished(() => source.close());
    const [dir, file] = [await temporaryFolder(), join(await temporaryFolder(), 'backup')];
    await writeBackup(source, file);
    await copyFile(join(source.dir, 'secret.key'), join(dir, 'secret.key'));
    const limited = `trap '' XFSZ; ulimit -f 512; exec "$0" "$@"`;
    const child = spawn('bash', ['-c', limited, process.execPath, program, 'restore', file, '--data', dir], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(said).toBe('');
    expect(complained).toMatch(
      /^chartgraph: The change could not be written to disk: no room is left on it, or it fails \([^\n]+\)\.\n$/u,
    );
    const directory = await openDataDirectory(dir);
    onTestFinished(() => directory.close());
    expect(directory.read((tx) => tx.count('graphs'))).toBe(0);
  },
);

// Skipped for the same reason.
test.skipIf(process.platform !== 'linux')(
  'with no room for nonces, signed requests are 503, and none is taken twice',
  { timeout: 120_000 },
  async () => {
    const dir = await temporaryFolder();
    const limited = `trap '' XFSZ; ulimit -f 700; exec "$0" "$@"`;
    const filling = fileURLToPath(new URL('fill-nonces.mjs', import.meta.url));
    const child = spawn('bash', ['-c', limited, process.execPath, filling, dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const outcome = JSON.parse(await text(child.stdout)) as Record<string, unknown>;
    expect(outcome).toMatchObject({ status: 503, retry: expect.stringMatching(/^\d+$/), replayed: 0 });
    expect(outcome['accepted']).toBeGreaterThan(50_000);
  },
);

/** Runs a command where no file may have more than 32 KB. */
async function runLimited(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const limited = `trap '' XFSZ; ulimit -f 32; exec "$0" "$@"`;
  const child = spawn('bash', ['-c', limited, process.execPath, program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const [said, complained, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { said, complained, code, signal };
}

// Skipped for the same reason.
test.skipIf(process.platform !== 'linux')(
  'the access log is read without an index where there is no room for a new one',
  async () => {
    const dir = await seededCopy();
    await (await openAccessLog(dir)).close();
    await rm(join(dir, 'access-log', 'keyed-index'), { recursive: true, force: true });
    const { said, ...others } = await runLimited(['audit', '--data', dir]);
    expect(others).toEqual({ complained: '', code: 0, signal: null });
    expect(said).toMatch(/ audit +begun/u);
  },
);

// Skipped for the same reason.
test.skipIf(process.platform !== 'linux')(
  'the access log is read where there is no room in its index for what is new',
  async () => {
    const dir = await seededCopy();
    const log = await openAccessLog(dir, { limits: { bytes: 16_000 } });
    await entriesOf(log, { record: '1', newestFirst: true });
    for (let number = 0; number < 1000; number++)
      await log.record({
        action: 'read',
        outcome: 'done',
        record: `${number}`,
        app: `${number}@example.org`,
      });
    await log.close();
    const { said, complained, code } = await runLimited(['audit', '--data', dir]);
    // LMDB says by itself that it could not write.
    expect({ complained: complained.includes('chartgraph:'), code }).toEqual({ complained: false, code: 0 });
    expect(said.match(/@example.org +read .* done/gu)).toHaveLength(1000);
  },
);

// Skipped for the same reason.
test.skipIf(process.platform !== 'linux')(
  'where there is no room for a new data directory, a command says so and is not ended by the system',
  async () => {
    const dir = await seededCopy();
    const [file, temporary] = [join(await temporaryFolder(), 'backup'), await temporaryFolder()];
    const directory = await openDataDirectory(dir);
    await writeBackup(directory, file);
    await directory.close();
    const { complained, code, signal } = await runLimited(['backup', 'verify', file, '--data', dir], {
      TMPDIR: temporary,
    });
    expect({ code, signal }).toEqual({ code: 1, signal: null });
    expect(complained).toMatch(/^chartgraph: No room is left on the disk .*\n$/u);
    expect(await readdir(temporary)).toEqual([]);
  },
);
