import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { packageVersion } from '../../src/cli/package.js';
import type { ContainerSettings } from '../../src/http/serve-settings.js';

const root = resolve(import.meta.dirname, '..', '..');

/** A container on a free port, with the shipped ontology, queries and seed, that logs nothing. */
export const containerSettings = (data: string) =>
  ({
    data,
    host: '127.0.0.1',
    port: 0,
    seed: join(root, 'seed'),
    ontology: join(root, 'ontology'),
    queries: join(root, 'queries'),
    containerAccess: 'open',
    // Tests of care relations choose otherwise.
    clinicians: 'all',
    name: 'Test container',
    description: 'A container for tests',
    admin: 'admin@example.org',
    version: packageVersion(),
    log: pino({ level: 'silent' }),
  }) satisfies ContainerSettings;
