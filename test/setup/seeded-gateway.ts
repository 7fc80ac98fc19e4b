import { randomBytes } from 'node:crypto';
import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { runSql } from '../store/postgres/postgres.js';

/**
 * The data directory of a gateway and a database of its own that holds the shipped seed, where tests are run on PostgreSQL
 * (`CHARTGRAPH_TEST_STORE=postgres`); else undefined.
 */
export async function seededGateway(): Promise<{ data: string; store: string } | undefined> {
  const seeded = inject('seededStore');
  if (!seeded) return undefined;
  const data = await mkdtemp(join(inject('scratch'), 'gateway-'));
  await cp(seeded.data, data, { recursive: true });
  const name = `gateway_${randomBytes(6).toString('hex')}`;
  runSql(seeded.port, `CREATE DATABASE ${name} TEMPLATE seeded`);
  return { data, store: `postgres://chartgraph@127.0.0.1:${seeded.port}/${name}` };
}
