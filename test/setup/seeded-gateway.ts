import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { runSql } from '../disk/shared/postgres.js';

/**
 * An empty data directory and a database of its own that holds the shipped seed, where tests are run on PostgreSQL
 * (`CHARTGRAPH_TEST_STORE=postgres`); else undefined.
 */
export async function seededGateway(): Promise<{ data: string; store: string } | undefined> {
  const { port } = inject('seededStore');
  if (port === undefined) return undefined;
  const data = await mkdtemp(join(inject('scratch'), 'gateway-'));
  await mkdir(data, { recursive: true });
  for (const file of ['secret.key', 'checked-model'])
    await cp(join(inject('seeded'), file), join(data, file));
  const name = `gateway_${randomBytes(6).toString('hex')}`;
  runSql(port, `CREATE DATABASE ${name} TEMPLATE seeded`);
  return { data, store: `postgres://chartgraph@127.0.0.1:${port}/${name}` };
}
