import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';
import { openFileLock } from '../../../src/store/disk/file-lock.js';
import { openWriteGate, type WriteGate } from '../../../src/store/disk/lmdb-locks.js';
import { temporaryFolder } from './temporary.js';

const AWHILE = 100;

async function twoGates(): Promise<[WriteGate, WriteGate]> {
  const folder = await temporaryFolder();
  // Locks belong to open files, so two gates of one process stand for two processes.
  const gates: [WriteGate, WriteGate] = [openWriteGate(folder), openWriteGate(folder)];
  onTestFinished(() => gates.forEach((gate) => gate.close()));
  return gates;
}

/** Something that can be waited for and that somebody else ends. */
function pending(): { ended: Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { ended, end };
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, wait(AWHILE, false)]);
}

describe('the write gate', () => {
  test('who opens waits for all who write, and those who come later wait for it', async () => {
    const [writer, opener] = await twoGates();
    const [first, second] = [pending(), pending()];
    const writes = [writer.writing(() => first.ended), writer.writing(() => second.ended)];
    const opening = opener.opening(() => 'opened');
    first.end();
    await writes[0];
    expect(await isSettled(opening)).toBe(false);
    const order: string[] = [];
    void opening.then(() => order.push('opened'));
    const later = writer.writing(() => order.push('written'));
    expect(await isSettled(later)).toBe(false);
    second.end();
    expect(await opening).toBe('opened');
    await later;
    expect(order).toEqual(['opened', 'written']);
  });

  test('several write at once, in the turn in which they come', async () => {
    const [one, other] = await twoGates();
    const order: number[] = [];
    const both = [one.writing(() => order.push(1)), other.writing(() => order.push(2))];
    expect(order).toEqual([1, 2]);
    await Promise.all(both);
  });

  test('what fails inside leaves the gate open', async () => {
    const [one, other] = await twoGates();
    const fails = (): never => {
      throw new Error('no');
    };
    await expect(one.writing(fails)).rejects.toThrow('no');
    await expect(one.opening(fails)).rejects.toThrow('no');
    expect(await other.opening(() => 1)).toBe(1);
    expect(await other.writing(() => 2)).toBe(2);
  });
});

describe('a data directory', () => {
  test('opens and is written to through the gate', async () => {
    const dir = join(await temporaryFolder(), 'data');
    const directory = await openDataDirectory(dir, { create: true });
    const turn = openFileLock(join(dir, 'store'), 'turn');
    onTestFinished(() => turn.close());
    expect(turn.try('exclusive')).toBe(true);
    const written = directory.transact((tx) => tx.put('graphs', '/a', 'x'));
    expect(await isSettled(written)).toBe(false);
    turn.release();
    await written;
    await directory.close();

    expect(turn.try('exclusive')).toBe(true);
    const opening = openDataDirectory(dir);
    expect(await isSettled(opening)).toBe(false);
    turn.release();
    const again = await opening;
    expect(again.read((tx) => tx.get('graphs', '/a'))).toBe('x');
    await again.close();
  });
});
