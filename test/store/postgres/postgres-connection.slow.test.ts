import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/store/postgres/postgres-connection.js';
import { startPostgres, withoutPostgres, type PostgresServer } from './postgres.js';

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('a connection whose transaction cannot be undone', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(['fsync=off']);
  });
  afterAll(() => server.stop());

  test('is let go: the next one begins on another', async () => {
    const connections = connect(server.createDatabase(), 1, 1000);
    onTestFinished(() => connections.close());
    const ofServer = async (): Promise<number> =>
      (await connections.run<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid ?? 0;
    const first = await ofServer();
    expect(await ofServer()).toBe(first);
    const failed = connections.transaction(async () => {
      // The process that serves this connection stands still, so no ROLLBACK is answered.
      process.kill(first, 'SIGSTOP');
      return Promise.reject(new Error('its own reason'));
    });
    try {
      await expect(failed).rejects.toThrow('its own reason');
      expect(await ofServer()).not.toBe(first);
    } finally {
      process.kill(first, 'SIGCONT');
    }
  });

  test('is kept where it was undone', async () => {
    const connections = connect(server.createDatabase(), 1);
    onTestFinished(() => connections.close());
    const ofServer = () => connections.run<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const first = await ofServer();
    await expect(connections.transaction(() => Promise.reject(new Error('its own reason')))).rejects.toThrow(
      'its own reason',
    );
    expect(await ofServer()).toEqual(first);
  });
});

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('a machine that is gone in the middle of a transaction', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(['fsync=off']);
  });
  afterAll(() => server.stop());

  // To lose a machine takes a network of its own: that a server then ends the connection is what these are for.
  test('is noticed by the server within half a minute, as its settings say', async () => {
    const connections = connect(server.createDatabase(), 1, 1000);
    onTestFinished(() => connections.close());
    const rows = await connections.run<{ name: string; setting: string }>(
      `SELECT name, setting FROM pg_settings
       WHERE name LIKE 'tcp\\_%' OR name IN ('lock_timeout', 'idle_in_transaction_session_timeout')`,
    );
    const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]));
    expect(settings['lock_timeout']).toBe(1000);
    const { tcp_keepalives_idle: idle = 0, tcp_keepalives_interval: interval = 0 } = settings;
    expect(idle).toBeGreaterThan(0);
    expect(idle + interval * (settings['tcp_keepalives_count'] ?? 0)).toBeLessThanOrEqual(30);
    // PostgreSQL 11 does not know it.
    expect(settings['tcp_user_timeout'] ?? 30_000).toBe(30_000);
    // Its process may stand still while the machine goes on.
    expect(settings['idle_in_transaction_session_timeout']).toBe(15 * 60_000);
  });

  test('whose process stood still for too long is told so, and may try again', async () => {
    const connections = connect(server.createDatabase(), 1);
    onTestFinished(() => connections.close());
    const late = connections.transaction(async (run) => {
      await run('SET LOCAL idle_in_transaction_session_timeout = 20');
      for (const until = performance.now() + 300; performance.now() < until;);
      return run('SELECT 1');
    });
    await expect(late).rejects.toMatchObject({ status: 503 });
    expect(await connections.run('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
