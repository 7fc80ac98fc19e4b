import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { temporaryFolder } from './disk/temporary.js';
import { BASE } from './samples.js';

const KILLS = 100;
const WRITERS = 3;
/** Directories that are written and killed side by side. */
const LANES = 2;
/** Every so many kills the directory is a new one, so that some kills hit its creation. */
const FRESH = 10;

const script = fileURLToPath(new URL('writer.mjs', import.meta.url));

/** Lets a process write and kills it; resolves to the last number acknowledged to each of its writers. */
async function writeUntilKilled(dir: string, delay: number, started: boolean): Promise<number[]> {
  const child = spawn(process.execPath, [script, dir, BASE, String(WRITERS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const closed = once(child, 'close');
  if (started) await Promise.race([once(child.stdout, 'data'), closed]);
  await wait(delay);
  child.kill('SIGKILL');
  const [code] = (await closed) as [number | null];
  expect(code, 'the writer must not end by itself').toBeNull();
  const last = Array.from({ length: WRITERS }, () => 0);
  for (const line of output.split('\n').slice(0, -1)) {
    const [writer = 0, number = 0] = line.split(' ').map(Number);
    last[writer] = number;
  }
  return last;
}

/** The number that a graph holds; fails when the graph is not whole. */
function numberIn(primary: PrimaryStore, name: string): number | undefined {
  const quads = primary.graph(name);
  if (!quads) return undefined;
  const texts = quads.filter(({ predicate }) => predicate.value.endsWith('#text'));
  const number = Number(texts[0]?.object.value);
  expect(quads).toHaveLength(3 + (number % 40));
  expect(
    quads.every(({ object }) => !/ of /.test(object.value) || object.value.endsWith(` of ${number}`)),
  ).toBe(true);
  return number;
}

function check(primary: PrimaryStore, acknowledged: readonly number[], before: readonly number[]): number[] {
  return acknowledged.map((last, writer) => {
    const home = `${BASE}/records/${writer}`;
    const number = numberIn(primary, home) ?? 0;
    // One change can have been written without anybody having been told.
    expect(number).toBeGreaterThanOrEqual(Math.max(last, before[writer] ?? 0));
    expect(number).toBeLessThanOrEqual(Math.max(last, before[writer] ?? 0) + 1);
    if (number === 0) return 0;
    expect(numberIn(primary, `${home}/notes/pair`)).toBe(number);
    expect(numberIn(primary, `${home}/notes/more/${number % 10}`)).toBe(number);
    const also = primary.directory.read((tx) => tx.get('users', `w${writer}`));
    expect(also).toEqual({ number });
    const more = primary.names(`${home}/notes/more/`).map((name) => numberIn(primary, name) ?? 0);
    expect(Math.min(...more)).toBeGreaterThanOrEqual(number - (number % 7));
    expect(primary.revision(`/records/${writer}/notes/pair`)).toBe(primary.revision(`/records/${writer}`));
    return number;
  });
}

describe('a process that is killed while it writes', () => {
  test(
    `loses nothing it acknowledged and leaves nothing half done, ${KILLS} times`,
    { timeout: 240_000 },
    async () => {
      const folder = await temporaryFolder();
      let written = 0;
      const lane = async (number: number): Promise<void> => {
        let before: number[] = [];
        for (let kill = 0; kill < KILLS / LANES; kill++) {
          const fresh = kill % FRESH === 0;
          if (fresh) before = [];
          const dir = join(folder, `${number}-${Math.floor(kill / FRESH)}`);
          const delay = Math.random() * (fresh ? 250 : 40);
          const acknowledged = await writeUntilKilled(dir, delay, !fresh);
          const directory = await openDataDirectory(dir, { create: fresh });
          try {
            const primary = openPrimaryStore(directory, BASE);
            const changes = primary.changesSince(0);
            expect(changes.complete).toBe(true);
            expect(changes.revision).toBe(primary.revision(''));
            before = check(primary, acknowledged, before);
            written += acknowledged.filter((last) => last > 0).length;
          } finally {
            await directory.close();
          }
        }
      };
      await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
      // Else the kills came before anything was written, and the test has shown nothing.
      expect(written).toBeGreaterThan(KILLS);
    },
  );
});
