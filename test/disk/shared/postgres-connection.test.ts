import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/disk/shared/postgres-connection.js';
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
