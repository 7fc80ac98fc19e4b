import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../setup/runs.js';
import { editLines, entriesOf, openedLog, reading, segmentFiles, type OpenedLog } from './opened-log.js';

const DAY = 24 * 60 * 60 * 1000;

/** Thirty entries in several segments. */
async function chain(): Promise<OpenedLog & { files: string[] }> {
  const opened = await openedLog({ limits: { bytes: 1000 } });
  for (let at = 0; at < 30; at++)
    await opened.log.record({ ...reading, record: String(at), purpose: at % 2 ? 'Überweisung' : 'care' });
  return { ...opened, files: await segmentFiles(opened.dir) };
}

/** The index of the line of an entry in its file. */
function find(files: readonly string[], entry: number): { file: string; line: number } {
  for (const file of files) {
    const line = readFileSync(file, 'utf8')
      .split('\n')
      .findIndex((text) => text.startsWith(`${entry} `) && !text.endsWith(' closed'));
    if (line >= 0) return { file, line };
  }
  throw new Error(`no entry ${entry}`);
}

/** A line with another last character. */
function otherEnd(line: string): string {
  return line.slice(0, -1) + (line.endsWith('A') ? 'B' : 'A');
}

describe('verifying the chain', () => {
  test('finds nothing wrong with what nobody touched', async () => {
    const { log, files } = await chain();
    expect(files.length).toBeGreaterThan(3);
    expect(log.verify()).toEqual({ entries: 30, intact: true });
    expect(log.verify(log.checkpoint())).toEqual({ entries: 30, intact: true });
  });

  test('finds any byte that was changed', async () => {
    const { log, files } = await chain();
    const sizes = files.map((file) => readFileSync(file).length);
    fc.assert(
      fc.property(fc.nat(files.length - 1), fc.nat(), fc.integer({ min: 1, max: 255 }), (which, at, flip) => {
        const file = files[which] ?? '';
        const before = readFileSync(file);
        // The last line feed of all is the end of the log: that is truncation.
        const position = at % ((sizes[which] ?? 1) - (which === files.length - 1 ? 1 : 0));
        const after = Buffer.from(before);
        after[position] = (after[position] ?? 0) ^ flip;
        writeFileSync(file, after);
        expect(log.verify()).toMatchObject({ intact: false });
        writeFileSync(file, before);
      }),
      { numRuns: runs(400) },
    );
    expect(log.verify().intact).toBe(true);
  });

  test('says which entry was changed, in which line of which file', async () => {
    const { log, files } = await chain();
    const { file, line } = find(files, 17);
    editLines(file, (lines) => lines.map((text, at) => (at === line ? otherEnd(text) : text)));
    expect(log.verify()).toEqual({
      entries: 16,
      intact: false,
      brokenAt: 17,
      file,
      line: line + 1,
      reason: 'the entry has been changed',
    });
  });

  const edits: Record<
    string,
    { edit: (lines: string[], at: number) => string[]; brokenAt: number; reason: RegExp }
  > = {
    'a missing entry': {
      edit: (lines, at) => lines.toSpliced(at, 1),
      brokenAt: 17,
      reason: /^entries 17 to 17 are missing$/,
    },
    'two entries in another order': {
      edit: (lines, at) => lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? ''),
      brokenAt: 17,
      reason: /^entries 17 to 17 are missing$/,
    },
    'an entry that stands twice': {
      edit: (lines, at) => lines.toSpliced(at, 0, lines[at] ?? ''),
      brokenAt: 18,
      reason: /^entry 17 stands where 18 belongs$/,
    },
    'an invented entry': {
      edit: (lines, at) => lines.toSpliced(at, 0, otherEnd(lines[at] ?? '')),
      brokenAt: 17,
      reason: /^the entry has been changed$/,
    },
    'a line that is none': {
      edit: (lines, at) => lines.toSpliced(at, 0, 'hello'),
      brokenAt: 17,
      reason: /^the line is none of the log$/,
    },
    'an entry whose number was written in another way': {
      edit: (lines, at) => lines.with(at, `0${lines[at] ?? ''}`),
      brokenAt: 17,
      reason: /^the line is none of the log$/,
    },
  };
  for (const [name, { edit, brokenAt, reason }] of Object.entries(edits)) {
    test(`finds ${name}`, async () => {
      const { log, files } = await chain();
      const { file, line } = find(files, 17);
      expect(readFileSync(file, 'utf8').split('\n')[line + 1]).toMatch(/^18 \S+ \S+\.\d+\./);
      editLines(file, (lines) => edit(lines, line));
      const found = log.verify();
      expect(found).toMatchObject({ intact: false, brokenAt, file });
      expect(found.reason).toMatch(reason);
    });
  }

  test('finds a segment that is missing: the first, one between, and the last', async () => {
    for (const which of [0, 1, -1]) {
      const { log, files } = await chain();
      rmSync(files.at(which) ?? '');
      expect(log.verify()).toMatchObject({ intact: false });
    }
  });

  test('finds that the newest entries were taken away, with a checkpoint from before', async () => {
    const { log, files } = await chain();
    const kept = log.checkpoint();
    const last = files.at(-1) ?? '';
    const lines = readFileSync(last, 'latin1').split('\n');
    truncateSync(last, readFileSync(last).length - (lines.at(-2) ?? '').length - 1);
    expect(log.verify()).toEqual({ entries: 29, intact: true });
    expect(log.verify(kept)).toMatchObject({
      entries: 29,
      intact: false,
      brokenAt: 30,
      reason: 'the checkpoint knows 30 entries',
    });
  });

  test('finds that the end was written anew, with a checkpoint from before', async () => {
    const { log, dir, files } = await chain();
    const kept = log.checkpoint();
    await log.close();
    const last = files.at(-1) ?? '';
    const lines = readFileSync(last, 'latin1').split('\n');
    truncateSync(last, readFileSync(last).length - (lines.at(-2) ?? '').length - 1);
    const { log: forger } = await openedLog({}, dir);
    await forger.record({ ...reading, record: 'another' });
    expect(forger.verify()).toEqual({ entries: 30, intact: true });
    expect(forger.verify(kept)).toMatchObject({ intact: false, brokenAt: 30 });
  });

  test('finds that the whole log was begun anew, with a checkpoint from before', async () => {
    const { log } = await chain();
    const { log: other } = await chain();
    expect(other.verify(log.checkpoint())).toMatchObject({ intact: false, brokenAt: 1 });
  });
});

describe('retention', () => {
  test('drops what is too old, and what is left can be verified and read', async () => {
    let ahead = 0;
    const { log, dir } = await openedLog({ limits: { bytes: 1000 }, clock: () => Date.now() + ahead });
    for (let at = 0; at < 30; at++) await log.record({ ...reading, record: String(at % 3) });
    const early = log.checkpoint();
    await log.maintain({ days: 10 });
    expect(await entriesOf(log)).toHaveLength(30);
    ahead = 11 * DAY;
    await log.maintain({ days: 10 });
    const left = await entriesOf(log);
    expect(left.length).toBeLessThan(10);
    expect(left.at(-1)).toMatchObject({ number: 31, action: 'access-log.dropped' });
    expect(left.at(-1)?.dropped?.through).toBe((left[0]?.number ?? 0) - 1);
    expect(log.verify()).toEqual({ entries: left.length, intact: true });
    expect(log.verify(early)).toEqual({ entries: left.length, intact: true });
    for (let at = 0; at < 30; at++) await log.record({ ...reading, record: String(at % 3) });
    expect(await entriesOf(log, { record: '1' })).toEqual(
      (await entriesOf(log)).filter(({ record }) => record === '1'),
    );
    await log.maintain({ days: 10 });
    ahead = 22 * DAY;
    await log.maintain({ days: 10 });
    expect(log.verify()).toMatchObject({ intact: true });
    expect((await segmentFiles(dir)).length).toBe(1);
  });

  test('somebody who removes the oldest segments without telling is found out', async () => {
    const { log, files } = await chain();
    for (const file of files.slice(0, 2)) rmSync(file);
    const found = log.verify();
    expect(found.intact).toBe(false);
    expect(found.reason).toMatch(
      /^entries up to \d+ are missing, and no entry tells that they were dropped$/,
    );
  });
});
