import { chmod, readFile, stat, writeFile, readdir, truncate, appendFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { restoreBackup, writeBackup, type BackupOptions } from '../../../src/store/backup/backup.js';
import type { BackupEntry } from '../../../src/store/backup/backup-file.js';
import { verifyBackup } from '../../../src/store/backup/verify-backup.js';
import { checkText } from '../../../src/store/relative-text.js';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { tableNames } from '../../../src/store/disk/tables.js';
import { encodeStored } from '../../../src/store/disk/transaction.js';
import { sealBackup, sequence, writePlainBackup } from './plain-backup.js';
import { temporaryFolder } from './temporary.js';

const KEY = '5e'.repeat(32);
const own = { kind: 'secret', secret: Buffer.from(KEY, 'hex') } as const;
const graph = { table: 'graphs', key: '/a', value: Buffer.from('x') };

async function filled(mark: string, key = KEY): Promise<DataDirectory> {
  const dir = await temporaryFolder();
  // Backups are opened with the key of the directory that they are of.
  await writeFile(join(dir, 'secret.key'), key);
  const directory = await openDataDirectory(dir, { create: true });
  onTestFinished(() => directory.close());
  await directory.transact((tx) => {
    for (let number = 0; number < 500; number++) {
      tx.put('graphs', `/records/${number}`, `${mark} é 𝄞 `.repeat(300) + number);
    }
    tx.put('graphs', '/small', mark);
    tx.put('graphs', '/empty', '');
    tx.put('tokens', 't', { mark, bytes: Uint8Array.of(0, 255), list: [1, 2.5, null, true] });
    tx.put('meta', 'sequence', 7);
    tx.put('changes', 7, { paths: [], dropped: 0 });
    tx.put('revisions', '/', 7);
    tx.put('leases', 'exports', { holder: mark, until: 1 });
  });
  return directory;
}

const everything = (directory: DataDirectory) =>
  directory.read((tx) => Object.fromEntries(tableNames.map((table) => [table, [...tx.range(table)]])));

describe('a backup', () => {
  test('brings everything back, in a new epoch and with a higher revision', async () => {
    const source = await filled('first');
    const file = join(await temporaryFolder(), 'backup');
    const written = await writeBackup(source, file);
    const target = await filled('second');
    const { epoch } = target;
    await target.transact((tx) => {
      tx.put('graphs', '/extra', 'x');
      tx.put('meta', 'sequence', 50);
    });
    expect(await restoreBackup(target, file)).toBe(written);
    const [was, is] = [everything(source), everything(target)];
    for (const table of ['graphs', 'tokens', 'users'] as const) expect(is[table]).toEqual(was[table]);
    expect(is.changes).toEqual([]);
    expect(is.leases).toMatchObject([{ value: { holder: 'second' } }]);
    expect(target.epoch).not.toBe(epoch);
    expect(target.epoch).not.toBe(source.epoch);
    expect(target.read((tx) => [tx.get('meta', 'sequence'), tx.get('revisions', '/')])).toEqual([51, 51]);
  });

  test('is for the owner only, never holds the key, and leaves nothing else behind', async () => {
    const source = await filled('first');
    const folder = await temporaryFolder();
    // One that is there, as a command that makes a name for it leaves it, or an older backup, whatever its mode.
    await writeFile(join(folder, 'backup'), '');
    await writeBackup(source, join(folder, 'backup'));
    await chmod(join(folder, 'backup'), 0o644);
    await writeBackup(source, join(folder, 'backup'));
    expect((await stat(join(folder, 'backup'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['backup']);
    expect((await readFile(join(folder, 'backup'))).includes(KEY)).toBe(false);
  });

  test('takes no place of a file that is no backup', async () => {
    const file = join(await temporaryFolder(), 'secret.key');
    await writeFile(file, 'what is kept nowhere else');
    await expect(writeBackup(await filled('first'), file)).rejects.toThrow(
      `${file} is there already and is no backup: choose another name.`,
    );
    expect(await readFile(file, 'utf8')).toBe('what is kept nowhere else');
  });

  test('is one snapshot, whatever is written meanwhile', async () => {
    const source = await filled('first');
    const file = join(await temporaryFolder(), 'backup');
    const backup = writeBackup(source, file);
    await source.transact((tx) => tx.put('graphs', '/small', 'changed'));
    await backup;
    const target = await filled('second');
    await restoreBackup(target, file);
    expect(['first', 'changed']).toContain(target.read((tx) => tx.get('graphs', '/small')));
  });

  test('a backup reports how far it is', async () => {
    const source = await filled('first');
    const file = join(await temporaryFolder(), 'backup');
    const seen: number[] = [];
    const entries = await writeBackup(source, file, { progress: (number) => seen.push(number) });
    expect(seen.at(-1)).toBe(entries);
    expect(seen).toHaveLength(entries);
  });
});

describe('a sealed backup', () => {
  const backupOf = async (source: DataDirectory, options?: BackupOptions) => {
    const file = join(await temporaryFolder(), 'backup');
    await writeBackup(source, file, options);
    return file;
  };

  test('shows nothing of what it holds', async () => {
    const bytes = await readFile(await backupOf(await filled('first')));
    for (const word of ['first', 'records', 'tokens']) expect(bytes.includes(word)).toBe(false);
  });

  test('opens with the key of its directory only, and changes nothing else', async () => {
    const file = await backupOf(await filled('first'));
    const other = await filled('second', 'a1'.repeat(32));
    const before = everything(other);
    await expect(restoreBackup(other, file)).rejects.toThrow(
      'it needs the secret key that its data directory had',
    );
    // Its key in the place of the other one would open neither the values nor the access log that are there.
    await expect(restoreBackup(other, file)).rejects.toThrow(
      'name a new data directory with --data, and put that key at secret.key in it',
    );
    expect(everything(other)).toEqual(before);
  });

  test('opens with its passphrase in any directory, with the keys of its accounts', async () => {
    const key = { kind: 'passphrase', passphrase: 'correct horse battery' } as const;
    const source = await filled('first');
    const file = await backupOf(source, { key });
    const other = await filled('second', 'a1'.repeat(32));
    await expect(restoreBackup(other, file)).rejects.toThrow('it needs its passphrase');
    const wrong = { ...key, passphrase: 'wrong horse battery' };
    await expect(restoreBackup(other, file, { key: wrong })).rejects.toThrow('its passphrase is another one');
    await restoreBackup(other, file, { key });
    expect(everything(other).graphs).toEqual(everything(source).graphs);
    expect(Buffer.from(other.accountKey)).toEqual(Buffer.from(source.accountKey));
  });

  test('never revives what was revoked or ended, or was never there', async () => {
    const source = await filled('first');
    await source.transact((tx) => {
      for (const table of ['tokens', 'sessions', 'requests', 'consents'] as const) {
        tx.put(table, 'kept', 1);
        tx.put(table, 'ended', 1);
      }
    });
    const file = await backupOf(source);
    await source.transact((tx) => {
      for (const table of ['tokens', 'sessions', 'requests', 'consents'] as const) tx.remove(table, 'ended');
    });
    await restoreBackup(source, file);
    const is = everything(source);
    for (const table of ['tokens', 'sessions', 'requests', 'consents'] as const) {
      const keys = is[table]?.map(({ key }) => key);
      expect(keys).toContain('kept');
      expect(keys).not.toContain('ended');
    }
  });

  test('with a graph that cannot be read is refused before anything changes', async () => {
    const source = await filled('first');
    const file = await backupOf(source);
    const before = everything(source);
    await expect(restoreBackup(source, file, { checkGraph: checkText })).rejects.toThrow(
      'holds a graph that cannot be read. Nothing was changed.',
    );
    expect(everything(source)).toEqual(before);
    const found = await verifyBackup(
      file,
      () => Promise.resolve({ kind: 'secret', secret: Buffer.from(KEY, 'hex') }),
      checkText,
    );
    expect(found).toEqual({
      records: 0,
      graphs: 0,
      documents: 0,
      problems: [expect.stringMatching(/holds a graph that cannot be read\.$/u)],
    });
  });

  test('is verified in a directory of its own', async () => {
    const file = await backupOf(await filled('first'));
    const key = { kind: 'secret', secret: Buffer.from(KEY, 'hex') } as const;
    const found = await verifyBackup(
      file,
      () => Promise.resolve(key),
      () => undefined,
    );
    expect(found).toEqual({ records: 500, graphs: 502, documents: 0, problems: [] });
  });

  test('is verified without a key beside what was restored', async () => {
    const file = await backupOf(await filled('first'));
    const tmp = await temporaryFolder();
    vi.stubEnv('TMPDIR', tmp);
    const seen = new Set<string>();
    const found = await verifyBackup(
      file,
      () => Promise.resolve({ kind: 'secret', secret: Buffer.from(KEY, 'hex') }),
      () => {
        for (const dir of readdirSync(tmp)) for (const name of readdirSync(join(tmp, dir))) seen.add(name);
        return undefined;
      },
    );
    vi.unstubAllEnvs();
    expect(found.problems).toEqual([]);
    expect(seen).toContain('store');
    expect(seen).not.toContain('secret.key');
    expect(readdirSync(tmp)).toEqual([]);
  });
});

describe('a backup that is not sealed', () => {
  test('is refused with the way to restore it, before anything changes', async () => {
    const target = await filled('first');
    const before = everything(target);
    const file = join(await temporaryFolder(), 'old');
    writePlainBackup(file, [graph, sequence]);
    const sentence = `The backup ${file} is not sealed, as up to version 0.2: restore it with version 0.26, and back that up.`;
    await expect(restoreBackup(target, file)).rejects.toThrow(sentence);
    expect(everything(target)).toEqual(before);
    expect(await verifyBackup(file, () => Promise.resolve(own), checkText)).toMatchObject({
      problems: [sentence],
    });
  });
});

describe('a backup that somebody with the key has made up', () => {
  const forged = async (...entries: BackupEntry[]): Promise<string> => {
    const file = join(await temporaryFolder(), 'forged');
    writePlainBackup(file, entries);
    sealBackup(file, own);
    return file;
  };

  test.each<[string, BackupEntry[], string]>([
    ['no number of its last change', [graph], 'it does not say which change is its last'],
    ['a text in its place', [{ ...sequence, value: encodeStored('meta', '9') }], 'which change is its last'],
    [
      'half a number in its place',
      [{ ...sequence, value: Uint8Array.of(0xcd) }],
      'a number that cannot be read',
    ],
    ['an entry with no proper name', [{ ...graph, key: null as never }, sequence], 'has no proper name'],
  ])('with %s is refused before anything changes', async (_, entries, sentence) => {
    const target = await filled('first');
    const before = everything(target);
    await expect(restoreBackup(target, await forged(...entries))).rejects.toThrow(sentence);
    expect(everything(target)).toEqual(before);
  });

  test.each([0, 4])('with an entry that is longer than its block is refused (length at %i)', async (at) => {
    const target = await filled('first');
    const before = everything(target);
    const file = join(await temporaryFolder(), 'forged');
    writePlainBackup(file, [sequence, graph]);
    await changeEntries(file, (entries) => entries.writeUInt32BE(0xffffffff, at));
    sealBackup(file, own);
    await expect(restoreBackup(target, file)).rejects.toThrow(
      'is damaged: an entry of it has no proper length.',
    );
    expect(everything(target)).toEqual(before);
  });
});

describe('a backup that is not whole', () => {
  const damages: [string, (file: string) => Promise<void>, string][] = [
    [
      'cut in the middle',
      async (file) => truncate(file, Math.floor((await stat(file)).size / 2)),
      'it is cut short',
    ],
    ['cut by a byte', async (file) => truncate(file, (await stat(file)).size - 1), 'it is cut short'],
    ['with something after it', (file) => appendFile(file, 'x'), 'something follows its end'],
    ['with one bit changed', flipped(0.5), 'is damaged'],
    ['with a bit of its checksum changed', flipped(1), 'its checksum does not match'],
    [
      'with a bit of what tells keys apart changed',
      flippedCheck,
      'cannot be opened: it needs the secret key',
    ],
    ['empty', (file) => truncate(file, 0), 'is not a Chartgraph backup'],
    ['of something else', (file) => writeFile(file, '{"format":"other"}\n'), 'is not a Chartgraph backup'],
    ['that is no text at all', (file) => writeFile(file, Buffer.alloc(1000)), 'is not a Chartgraph backup'],
    [
      'of a newer format',
      async (file) => {
        await writeFile(file, '{"format":"chartgraph-backup","version":2,"tables":[]}\n');
        sealBackup(file, own);
      },
      'has data format 2',
    ],
  ];

  test.each(damages)('%s is refused before anything changes', async (_, damage, sentence) => {
    const source = await filled('first');
    const file = join(await temporaryFolder(), 'backup');
    await writeBackup(source, file);
    await damage(file);
    const before = everything(source);
    await expect(restoreBackup(source, file)).rejects.toThrow(sentence);
    expect(everything(source)).toEqual(before);
  });

  test('a folder that is not there is named', async () => {
    await expect(writeBackup(await filled('first'), '/nowhere/backup')).rejects.toThrow(
      'There is no folder /nowhere to write the backup into.',
    );
  });

  test('a backup file that is not there is named', async () => {
    await expect(restoreBackup(await filled('first'), '/nowhere/backup')).rejects.toThrow(
      'There is no backup /nowhere/backup.',
    );
  });
});

/** Changes the first block of a backup that is not sealed, as somebody does who knows how it is laid out. */
async function changeEntries(file: string, change: (entries: Buffer) => void): Promise<void> {
  const bytes = await readFile(file);
  const start = bytes.indexOf('\n') + 1;
  const length = bytes.readUInt32BE(start);
  const entries = inflateRawSync(bytes.subarray(start + 4, start + 4 + length));
  change(entries);
  const block = deflateRawSync(entries);
  const head = Buffer.concat([bytes.subarray(0, start), Buffer.alloc(4), block, Buffer.alloc(4)]);
  head.writeUInt32BE(block.length, start);
  await writeFile(file, Buffer.concat([head, createHash('sha256').update(head).digest()]));
}

/** As many characters as before, and another number of bytes. */
async function flippedCheck(file: string): Promise<void> {
  const bytes = await readFile(file);
  const at = bytes.indexOf('"check":"') + '"check":"'.length;
  bytes[at] = (bytes[at] ?? 0) ^ 0x80;
  await writeFile(file, bytes);
}

function flipped(where: number): (file: string) => Promise<void> {
  return async (file) => {
    const bytes = await readFile(file);
    const at = Math.floor((bytes.length - 1) * where);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(file, bytes);
  };
}
