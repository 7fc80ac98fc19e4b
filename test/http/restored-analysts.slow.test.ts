import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { findAnalysts } from '../../src/analysts/local-analysts.js';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { analystClient } from '../../src/analysts/routes/analyst-client.js';
import { startAnalystServer, type AnalystServer } from './analyst-server.js';

let server: AnalystServer;

beforeAll(async () => {
  server = await startAnalystServer();
}, 120_000);
afterAll(() => server.stop());

it('fills the data of analysts anew after a restore before anybody asks, and logs no error of who asks meanwhile', async () => {
  await server.user('anna', 'analyst');
  const token = await server.token('anna');
  const file = join(await mkdtemp(join(inject('scratch'), 'restored-analysts-')), 'backup');
  await writeBackup(server.directory, file);
  const { socket = '' } = (await findAnalysts(server.data)) ?? {};
  const client = analystClient(socket, server.url);
  const isFilled = async (): Promise<boolean> => (await client.states()).deidentified.isFilled;
  expect(await isFilled()).toBe(true);
  const before = server.log().length;
  await restoreBackup(server.directory, file);
  await expect.poll(isFilled, { interval: 5 }).toBe(false);
  const refused = await server.ask(token, 'ASK {}');
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '2']);
  const { detail } = (await refused.json()) as { detail: string };
  expect(detail).toMatch(/^The data is being brought to memory(: \d+ of \d+ graphs)?; try again\.$/);
  await expect.poll(isFilled).toBe(true);
  expect(await (await server.ask(token, 'ASK {}')).text()).toBe('true\n');
  await expect.poll(() => server.log()).toContain(detail);
  expect(server.log().slice(before)).not.toContain('"level":50');
}, 240_000);
