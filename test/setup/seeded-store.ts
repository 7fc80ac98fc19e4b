import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startContainer } from '../../src/main.js';
import { runSql, startPostgres } from '../store/postgres/postgres.js';
import { containerSettings } from './container-settings.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of the database `seeded`, and the directory of a gateway that stopped, where tests are run on PostgreSQL. */
    readonly seededStore: { readonly port: number; readonly data: string } | undefined;
  }
}

/** With `CHARTGRAPH_TEST_STORE=postgres` the containers of HTTP tests are gateways on a PostgreSQL server. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env['CHARTGRAPH_TEST_STORE'] !== 'postgres') {
    project.provide('seededStore', undefined);
    return undefined;
  }
  const { scratch, seeded } = project.getProvidedContext();
  const server = await startPostgres(['fsync=off']);
  runSql(server.port, 'CREATE DATABASE seeded');
  const data = join(scratch, 'first-gateway');
  await mkdir(data);
  await cp(join(seeded, 'secret.key'), join(data, 'secret.key'));
  const store = `postgres://chartgraph@127.0.0.1:${server.port}/seeded`;
  const container = await startContainer({ ...containerSettings(data), store });
  await container.close();
  project.provide('seededStore', { port: server.port, data });
  return () => server.stop();
}
