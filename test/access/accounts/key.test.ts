import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSecretKey } from '../../../src/access/accounts/secret-key.js';

const HEX = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
const bytes = Buffer.from(HEX, 'hex');

describe('the secret key', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'chartgraph-key-'));
  });
  afterEach(() => rm(dir, { recursive: true }));
  const file = () => join(dir, 'secret.key');
  const mode = async () => ((await stat(file())).mode & 0o777).toString(8);

  it('is created once, for the owner alone', async () => {
    const first = await loadSecretKey(dir, {});
    const second = await loadSecretKey(dir, {});
    expect(second.unseal(first.seal('s', 'here'), 'here')).toBe('s');
    expect(await mode()).toBe('600');
    expect(await readdir(dir)).toEqual(['secret.key']);
  });

  it('is not made anew where secrets are sealed already', async () => {
    await expect(loadSecretKey(dir, {}, { create: false })).rejects.toThrow(
      /secret\.key is missing.*put it back/,
    );
    expect(await readdir(dir)).toEqual([]);
  });

  it('is the same for all who begin at once', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => loadSecretKey(dir, {})));
    expect(new Set(keys.map((key) => key.lookup('x'))).size).toBe(1);
    expect(await readdir(dir)).toEqual(['secret.key']);
  });

  it('has a mode that others cannot read, even when it was loosened', async () => {
    const first = await loadSecretKey(dir, {});
    await chmod(file(), 0o644);
    const second = await loadSecretKey(dir, {});
    expect(await mode()).toBe('600');
    expect(second.lookup('x')).toBe(first.lookup('x'));
  });

  it.each([
    ['hexadecimal', HEX],
    ['upper-case hexadecimal', HEX.toUpperCase()],
    ['base64', bytes.toString('base64')],
    ['base64url', bytes.toString('base64url')],
    ['text with a line end', `${HEX}\n`],
  ])('may come from the environment in %s, and no file is made', async (_, text) => {
    await writeFile(file(), HEX);
    const stored = await loadSecretKey(dir, {});
    await rm(file());
    const given = await loadSecretKey(dir, { CHARTGRAPH_SECRET_KEY: text });
    expect(given.lookup('x')).toBe(stored.lookup('x'));
    expect(await readdir(dir)).toEqual([]);
  });

  it.each(['short', HEX.slice(2), `${HEX}00`, `${HEX.slice(0, 63)}g`, '*'.repeat(43)])(
    'is refused as %j without being shown or written over',
    async (text) => {
      const fromVariable = loadSecretKey(dir, { CHARTGRAPH_SECRET_KEY: text });
      await expect(fromVariable).rejects.toThrow('CHARTGRAPH_SECRET_KEY does not hold a secret key');
      await expect(fromVariable).rejects.not.toThrow(text);
      await writeFile(file(), text);
      await expect(loadSecretKey(dir, {})).rejects.toThrow('does not hold a secret key');
      expect(await readFile(file(), 'utf8')).toBe(text);
    },
  );

  it('is refused when it is empty or no file', async () => {
    await writeFile(file(), '');
    await expect(loadSecretKey(dir, {})).rejects.toThrow('does not hold a secret key');
    await rm(file());
    await mkdir(file());
    await expect(loadSecretKey(dir, {})).rejects.toThrow('is not a file');
  });
});
