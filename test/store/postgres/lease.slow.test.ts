import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { leaseHolder, takeLease } from '../../../src/store/disk/lease.js';
import { bootId } from '../../../src/store/disk/processes.js';
import { temporaryFolder } from '../disk/temporary.js';
import { startPostgres, withoutPostgres, type PostgresServer } from './postgres.js';

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('a lease on a store that gateways share', () => {
  const MINUTE = 60_000;
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(['fsync=off']);
    process.env['CHARTGRAPH_SECRET_KEY'] = '7'.repeat(64);
  });
  afterAll(async () => {
    delete process.env['CHARTGRAPH_SECRET_KEY'];
    await server.stop();
  });

  async function gateways(): Promise<readonly [DataDirectory, DataDirectory]> {
    const store = server.createDatabase();
    const open = async (): Promise<DataDirectory> => {
      const directory = await openDataDirectory(await temporaryFolder(), { store });
      onTestFinished(() => directory.close());
      return directory;
    };
    return [await open(), await open()];
  }

  test('is one gateway’s until it lets it run out, and then that of another', async () => {
    const [a, b] = await gateways();
    const take = (directory: DataDirectory, holder: string, now: number) =>
      takeLease(directory, 'deliveries', holder, now);
    expect(await take(a, 'a', 0)).toBe(true);
    expect(await take(b, 'b', 1)).toBe(false);
    // It is taken anew in good time.
    expect(await take(a, 'a', MINUTE - 1)).toBe(true);
    expect(await take(b, 'b', MINUTE)).toBe(false);
    // The first one is gone; what it did is done by the other one from now on.
    expect(await take(b, 'b', 2 * MINUTE)).toBe(true);
    expect(await take(a, 'a', 2 * MINUTE + 1)).toBe(false);
    expect(await takeLease(a, 'exports', 'a', 2 * MINUTE + 1)).toBe(true);
  });

  test('of a gateway whose clock was ahead is taken when it is gone, and not while it goes on', async () => {
    const [a, b] = await gateways();
    const YEAR = 365 * 24 * 60 * MINUTE;
    let passed = 0;
    const monotonic = vi.spyOn(performance, 'now').mockImplementation(() => passed);
    onTestFinished(() => monotonic.mockRestore());
    const takeA = () => takeLease(a, 'deliveries', 'a', YEAR + passed);
    const takeB = async () => {
      // As whoever waits for commits does.
      await b.current?.();
      return takeLease(b, 'deliveries', 'b', passed);
    };
    expect(await takeA()).toBe(true);
    expect(await takeB()).toBe(false);
    for (; passed < 3 * MINUTE; passed += MINUTE / 2) {
      expect(await takeA()).toBe(true);
      expect(await takeB()).toBe(false);
    }
    passed += MINUTE;
    expect(await takeB()).toBe(true);
  });

  test('is taken anew by a holder whose clock was set back', async () => {
    const [a, b] = await gateways();
    expect(await takeLease(a, 'deliveries', 'a', 100 * MINUTE)).toBe(true);
    expect(await takeLease(a, 'deliveries', 'a', 0)).toBe(true);
    expect(await takeLease(b, 'deliveries', 'b', MINUTE)).toBe(true);
  });

  test('is not that of a machine which was copied, with its name and its folders', async () => {
    const [a, b] = await gateways();
    expect(leaseHolder(a)).toBe(leaseHolder(a));
    expect(leaseHolder(a)).not.toBe(leaseHolder(b));
    // What no two machines that run have in common.
    expect(leaseHolder(a)).toContain(bootId());
  });

  test('is one gateway’s alone where two ask for it at once', async () => {
    const [a, b] = await gateways();
    for (let round = 0; round < 10; round++) {
      const now = 2 * round * MINUTE;
      const taken = await Promise.all([
        takeLease(a, 'deliveries', 'a', now),
        takeLease(b, 'deliveries', 'b', now),
      ]);
      expect(taken.filter(Boolean)).toHaveLength(1);
    }
  });
});
