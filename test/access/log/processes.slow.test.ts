import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { temporaryFolder } from '../../store/disk/temporary.js';
import { entriesOf } from './opened-log.js';

const program = new URL('append.mjs', import.meta.url).pathname;

describe('several processes with one access log', () => {
  test('every entry of each is there once, in one chain', async () => {
    const dir = await temporaryFolder();
    const children = ['a', 'b', 'c'].map((name) => spawn(process.execPath, [program, dir, name, '1000']));
    await Promise.all(children.map((child) => text(child.stdout)));
    const log = await openAccessLog(dir);
    expect(log.verify()).toEqual({ entries: log.checkpoint().entries, intact: true });
    const ids = (await entriesOf(log)).map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const name of ['a', 'b', 'c'])
      expect(ids.filter((id) => id?.startsWith(`${name}-`)).length).toBeGreaterThanOrEqual(1000);
    await log.close();
  });

  test('killed at any time, twenty times, they lose nothing that was acknowledged', async () => {
    const dir = await temporaryFolder();
    const acknowledged: string[] = [];
    for (let round = 0; round < 10; round++) {
      const children = [0, 1].map((at) => spawn(process.execPath, [program, dir, `${round}.${at}`]));
      const said = children.map((child) => text(child.stdout));
      await Promise.all(children.map((child) => once(child.stdout, 'data')));
      await new Promise((resolve) => setTimeout(resolve, 20 + ((round * 37) % 90)));
      for (const child of children) child.kill('SIGKILL');
      // The last line may be half written: it was not read by anybody.
      for (const lines of await Promise.all(said)) acknowledged.push(...lines.split('\n').slice(0, -1));
    }
    const log = await openAccessLog(dir);
    expect(log.verify()).toEqual({ entries: log.checkpoint().entries, intact: true });
    const recorded = new Set((await entriesOf(log)).map(({ requestId }) => requestId));
    expect(acknowledged.length).toBeGreaterThan(200);
    expect(acknowledged.filter((id) => !recorded.has(id))).toEqual([]);
    await log.close();
  });
});
