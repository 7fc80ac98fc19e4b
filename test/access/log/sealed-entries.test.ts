import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ACCESS_LOG, openAccessLog, verifyAccessLog } from '../../../src/access/log/access-log.js';
import { sealedWith } from '../../../src/access/log/access-entry.js';
import { addLogSecret, keepLogSecret, openLogKey } from '../../../src/access/log/log-key.js';
import { readSecretKey, replaceSecretKey } from '../../../src/store/disk/key-file.js';
import { temporaryFolder } from '../../store/disk/temporary.js';
import { entriesOf, openedLog, reading } from './opened-log.js';

const key = Buffer.alloc(32, 7);

describe('sealed entries', () => {
  test('any texts are opened in any order, by whoever has the key', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1, maxLength: 20 }),
        fc.infiniteStream(fc.nat()),
        (texts, order) => {
          const writers = [sealedWith(key), sealedWith(key)] as const;
          const [some, more] = [0, 1].map((rest) =>
            texts.filter((_, at) => at % 2 === rest).map((text) => text.toWellFormed()),
          ) as [string[], string[]];
          const sealed = [writers[0].seal(some), writers[1].seal(more), writers[0].seal(more)].flat();
          const written = [some, more, more].flat().map((text, at) => ({ text, stored: sealed[at] ?? '' }));
          const reader = sealedWith(key);
          const shuffled = written.toSorted(() => ((order.next().value as number) % 3) - 1);
          for (const { text, stored } of [...shuffled, ...written]) expect(reader.open(stored)).toBe(text);
        },
      ),
    );
  });

  test('no two writers use the same key stream, and no writer uses a part of it twice', () => {
    const nothing = '\0'.repeat(64);
    const writers = [sealedWith(key), sealedWith(key)];
    const contents = writers.flatMap((writer) => [
      ...writer.seal([nothing]),
      ...writer.seal([nothing, nothing]),
    ]);
    expect(new Set(contents.map((stored) => stored.split('.')[2])).size).toBe(6);
  });

  test('another key opens nothing', () => {
    const entry = '{"action":"read","record":"1000001"}';
    const [stored = ''] = sealedWith(key).seal([entry]);
    expect(sealedWith(key).open(stored)).toBe(entry);
    const opened = sealedWith(Buffer.alloc(32, 8)).open(stored);
    // Four characters in a row are there by chance once in millions of runs.
    const parts = Array.from({ length: entry.length - 3 }, (_, at) => entry.slice(at, at + 4));
    expect(parts.filter((part) => opened.includes(part))).toEqual([]);
  });

  test('what is in the files tells nobody who, what or which record', async () => {
    const { log, dir } = await openedLog({ limits: { bytes: 2000 } });
    const secrets = ['clinician', '1000001', 'Mallory', 'treatment', '203.0.113.9'];
    for (let at = 0; at < 20; at++)
      await log.record({
        ...reading,
        app: 'Mallory@apps.example.org',
        purpose: 'treatment',
        address: '203.0.113.9',
      });
    expect(await entriesOf(log, { record: '1000001' })).toHaveLength(20);
    const folder = join(dir, ACCESS_LOG);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).isFile());
    expect(files.some((file) => file.includes('index'))).toBe(true);
    for (const file of files) {
      const bytes = readFileSync(file);
      for (const secret of secrets) expect(bytes.includes(secret), `${secret} in ${file}`).toBe(false);
    }
  });

  test('a copy is verified without any key, with what retention says in it', async () => {
    let ahead = 0;
    const { log, dir } = await openedLog({ limits: { bytes: 1000 }, clock: () => Date.now() + ahead });
    for (let at = 0; at < 30; at++) await log.record(reading);
    ahead = 11 * 24 * 60 * 60 * 1000;
    await log.maintain({ days: 10 });
    await log.close();
    rmSync(join(dir, ACCESS_LOG, 'key'));
    rmSync(join(dir, 'secret.key'));
    const found = verifyAccessLog(dir);
    expect(found).toMatchObject({ intact: true });
    expect(found.entries).toBeLessThan(30);
  });
});

describe('the key of the log', () => {
  test('is opened by the old and the new secret key while that is changed, then by the new one alone', async () => {
    const { log, dir } = await openedLog();
    await log.record(reading);
    const folder = join(dir, ACCESS_LOG);
    const old = await readSecretKey(dir, {});
    const fresh = Buffer.alloc(32, 9);
    const before = await openLogKey(dir, folder);
    await addLogSecret(folder, old, fresh);
    expect(await openLogKey(dir, folder)).toEqual(before);
    await replaceSecretKey(dir, fresh);
    expect(await openLogKey(dir, folder)).toEqual(before);
    await keepLogSecret(folder, fresh);
    const { log: again } = await openedLog({}, dir);
    expect(await entriesOf(again)).toHaveLength(1);
    await replaceSecretKey(dir, old);
    await expect(openAccessLog(dir)).rejects.toThrow(
      `The secret key is not the one that opens ${join(folder, 'key')}; put back the one that does.`,
    );
  });

  test('one that is missing or damaged is a sentence, and never a new one that opens nothing', async () => {
    const { log, dir } = await openedLog();
    await log.record(reading);
    const file = join(dir, ACCESS_LOG, 'key');
    const text = readFileSync(file, 'utf8');
    rmSync(file);
    await expect(openAccessLog(dir)).rejects.toThrow(`${file} is missing, and entries are sealed with it`);
    for (const damaged of ['', '{', text.replace(/"[\w-]{8}([\w-]+)"\}/u, '"AAAAAAAA$1"}')]) {
      writeFileSync(file, damaged);
      await expect(openAccessLog(dir)).rejects.toThrow(`${file} is damaged; put back a copy`);
    }
    writeFileSync(file, text);
    expect(await entriesOf((await openedLog({}, dir)).log)).toHaveLength(1);
  });

  test('that of another gateway is sealed anew where the secret key of before is in the environment', async () => {
    const { log, dir } = await openedLog();
    await log.record(reading);
    await log.close();
    const old = await readSecretKey(dir, {});
    await replaceSecretKey(dir, Buffer.alloc(32, 9));
    process.env['CHARTGRAPH_FORMER_SECRET_KEY'] = old.toString('hex');
    onTestFinished(() => void delete process.env['CHARTGRAPH_FORMER_SECRET_KEY']);
    expect(await entriesOf((await openedLog({}, dir)).log)).toHaveLength(1);
    delete process.env['CHARTGRAPH_FORMER_SECRET_KEY'];
    expect(await entriesOf((await openedLog({}, dir)).log)).toHaveLength(1);
  });

  test('several processes that begin a log at once have one', async () => {
    const dir = await temporaryFolder();
    const folder = join(dir, ACCESS_LOG);
    mkdirSync(folder);
    const keys = await Promise.all(Array.from({ length: 8 }, () => openLogKey(dir, folder)));
    expect(new Set(keys.map((each) => each.toString('hex'))).size).toBe(1);
  });
});
