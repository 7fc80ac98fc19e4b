import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/cli/command-errors.js';
import { baseUrlOf, containerAccessOf, mayServeExamples, readSettings } from '../../src/cli/read-settings.js';
import { unknownVariables } from '../../src/cli/program.js';
import { folder } from './run.js';

function settings(from: { flags?: object; env?: Record<string, string>; config?: unknown }) {
  const cwd = folder();
  if (from.config !== undefined) {
    const text = typeof from.config === 'string' ? from.config : JSON.stringify(from.config);
    writeFileSync(join(cwd, 'chartgraph.config.json'), text);
  }
  return { cwd, ...readSettings({ ...from.flags }, { env: from.env ?? {}, cwd }) };
}

describe('where settings come from', () => {
  test('nothing said, everything is as interface.md has it', () => {
    const { cwd, ...found } = settings({});
    const root = resolve(import.meta.dirname, '..', '..');
    expect(found).toEqual({
      data: join(cwd, 'data'),
      host: '127.0.0.1',
      port: 7000,
      baseUrl: undefined,
      seed: join(root, 'seed'),
      ontology: join(root, 'ontology'),
      queries: [join(root, 'queries')],
      workers: undefined,
      containerAccess: undefined,
      name: 'Chartgraph',
      description: 'A health record container',
      admin: '',
      tokenLifetime: 30 * 24 * 60 * 60 * 1000,
      analysts: true,
      analystMemoryBytes: undefined,
      analystTimeout: 30_000,
      cacheBytes: 64 * 1024 * 1024,
      oauthDebug: false,
      corsOrigins: [],
      metrics: undefined,
      accessLogDays: 2192,
      fhir: true,
      smart: false,
      history: 365,
      logLevel: 'info',
      trustProxy: [],
      webhookNetworks: [],
      secondFactorRoles: [],
      passwords: true,
      connections: 1000,
      senderBudget: 5,
      postQuota: 64 * 1024 * 1024,
      textLimit: 1024 * 1024,
    });
    expect(baseUrlOf(found)).toBe('http://localhost:7000');
  });

  test.each([
    // host, base URL, chosen, what holds
    ['127.0.0.1', undefined, undefined, 'open'],
    ['::1', 'http://localhost:7000/chart', undefined, 'open'],
    ['127.0.0.1', 'https://chart.example.org', undefined, undefined],
    ['0.0.0.0', undefined, undefined, undefined],
    ['::', undefined, undefined, undefined],
    ['192.0.2.1', 'http://localhost:7000', undefined, undefined],
    ['localhost.example.org', undefined, undefined, undefined],
    ['0.0.0.0', undefined, 'signed', 'signed'],
    ['0.0.0.0', undefined, 'open', 'open'],
    ['127.0.0.1', undefined, 'signed', 'signed'],
  ] as const)(
    'on %s with the base URL %s and the choice %s container access is %s',
    (host, baseUrl, chosen, expected) => {
      const found = settings({ flags: { host, baseUrl, containerAccess: chosen } });
      if (expected === undefined)
        expect(() => containerAccessOf(found)).toThrow(/choose --container-access signed/);
      else expect(containerAccessOf(found)).toBe(expected);
    },
  );

  test.each([
    [{}, true],
    [{ examples: true }, true],
    [{ examples: false }, false],
    [{ host: '0.0.0.0' }, false],
    [{ host: '0.0.0.0', examples: true }, undefined],
    [{ baseUrl: 'https://records.example.org' }, false],
    [{ baseUrl: 'https://records.example.org', examples: true }, undefined],
    [{ store: 'postgres://localhost/a' }, false],
    [{ store: 'postgres://localhost/a', examples: true }, undefined],
  ])('with %o the example apps may be served: %s', (flags, expected) => {
    const found = settings({ flags });
    if (expected === undefined) expect(() => mayServeExamples(found)).toThrow(/leave --examples, --host/);
    else expect(mayServeExamples(found)).toBe(expected);
  });

  test.each([
    ['127.0.0.1:9100', { host: '127.0.0.1', port: 9100 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    ['9100', undefined],
    ['host:99999', undefined],
    ['http://host:1', undefined],
  ])('metrics at %s are at %o', (metrics, expected) => {
    if (expected) expect(settings({ flags: { metrics } }).metrics).toEqual(expected);
    else expect(() => settings({ flags: { metrics } })).toThrow(UsageError);
  });

  test.each([
    ['a flag wins over both', { port: '1' }, { CHARTGRAPH_PORT: '2' }, { port: 3 }, 1],
    ['the environment wins over the file', {}, { CHARTGRAPH_PORT: '2' }, { port: 3 }, 2],
    ['the file wins over what is shipped', {}, {}, { port: 3 }, 3],
    ['an empty variable says nothing', {}, { CHARTGRAPH_PORT: '' }, { port: 3 }, 3],
    ['a number in the file may be text', {}, {}, { port: '3' }, 3],
  ])('%s', (_, flags, env, config, port) => {
    expect(settings({ flags, env: env as Record<string, string>, config }).port).toBe(port);
  });

  test.each([
    ['flags', { flags: { corsOrigin: ['https://a.example', 'http://b.example:81'] } }],
    ['a variable', { env: { CHARTGRAPH_CORS_ORIGIN: 'https://a.example, http://b.example:81' } }],
    ['the file', { config: { 'cors-origin': ['https://a.example', 'http://b.example:81'] } }],
  ])('origins come from %s, one or several', (_, from) => {
    expect(settings(from).corsOrigins).toEqual(['https://a.example', 'http://b.example:81']);
  });

  test.each(['*', 'null', 'a.example', 'https://a.example/', 'https://a.example:443', 'file:///x'])(
    '%s is no origin',
    (origin) => {
      expect(() => settings({ flags: { corsOrigin: [origin] } })).toThrow(UsageError);
    },
  );

  test.each([
    ['flags', { flags: { trustProxy: ['10.0.0.0/8', 'fd00::/8,127.0.0.1'] } }],
    ['a variable', { env: { CHARTGRAPH_TRUST_PROXY: '10.0.0.0/8, fd00::/8, 127.0.0.1' } }],
    ['the file', { config: { trustProxy: ['10.0.0.0/8', 'fd00::/8', '127.0.0.1'] } }],
  ])('trusted proxies come from %s', (_, from) => {
    expect(settings(from).trustProxy).toEqual(['10.0.0.0/8', 'fd00::/8', '127.0.0.1']);
  });

  test.each(['0.0.0.0/0', '10.0.0.0/33', '10.0.0/8', 'fe80::1%eth0', 'proxy.example', '10.0.0.1/', '::/0'])(
    '%s is no proxy to trust',
    (network) => {
      expect(() => settings({ flags: { trustProxy: [network] } })).toThrow(
        /^--trust-proxy must be addresses or networks like/,
      );
    },
  );

  test('roles that need a second factor come as a list', () => {
    const flags = { secondFactor: 'admin, clinician' };
    expect(settings({ flags }).secondFactorRoles).toEqual(['admin', 'clinician']);
    expect(() => settings({ flags: { secondFactor: 'nurse' } })).toThrow(
      /^--second-factor must be roles \(person, clinician, analyst, admin\), separated by commas, not "nurse"\.$/,
    );
  });

  test('dashes become underscores in the environment', () => {
    const env = { CHARTGRAPH_BASE_URL: 'https://h.example/chart/', CHARTGRAPH_CONTAINER_ACCESS: 'signed' };
    expect(settings({ env })).toMatchObject({
      baseUrl: 'https://h.example/chart',
      containerAccess: 'signed',
    });
  });

  test.each([
    ['--no-seed', { flags: { seed: false } }],
    ['CHARTGRAPH_SEED=false', { env: { CHARTGRAPH_SEED: 'false' } }],
    ['CHARTGRAPH_NO_SEED=1', { env: { CHARTGRAPH_NO_SEED: '1' } }],
    ['"seed": false', { config: { seed: false } }],
  ])('%s switches the seed off', (_, from) => {
    expect(settings(from).seed).toBe(false);
  });

  test.each(['', 'false', '0'])('CHARTGRAPH_NO_SEED=%s leaves the seed on', (given) => {
    expect(settings({ env: { CHARTGRAPH_NO_SEED: given } }).seed).toBe(settings({}).seed);
  });

  test('keys of the file are spelled like the flags or in camelCase', () => {
    expect(settings({ config: { 'base-url': 'http://a.example' } }).baseUrl).toBe('http://a.example');
    expect(settings({ config: { baseUrl: 'http://a.example' } }).baseUrl).toBe('http://a.example');
  });

  test('paths are relative to the working directory', () => {
    const { cwd, data, ontology } = settings({ flags: { data: 'd' }, config: { ontology: 'o' } });
    expect([data, ontology]).toEqual([join(cwd, 'd'), [join(cwd, 'o')]]);
  });
});

describe('settings that cannot be used are refused by name', () => {
  test.each([
    [
      'a choice of no seed that is none',
      { env: { CHARTGRAPH_NO_SEED: 'maybe' } },
      /^CHARTGRAPH_NO_SEED must be true or false, not "maybe"\.$/,
    ],
    ['an unknown key', { config: { prot: 1 } }, /unknown key "prot"; known are data, store, seal, host/],
    ['a key given twice', { config: { 'base-url': 'http://a', baseUrl: 'http://b' } }, /base-url twice/],
    ['a file that is no JSON', { config: '{"port":' }, /chartgraph\.config\.json is not JSON/],
    ['a file that is no object', { config: [] }, /must hold one JSON object/],
    ['a port out of range', { flags: { port: '65536' } }, /^--port must be a whole number from 0 to 65535/],
    ['a port that is no number', { env: { CHARTGRAPH_PORT: '7e3' } }, /^CHARTGRAPH_PORT must be/],
    [
      'more workers than a machine has use for',
      { flags: { workers: '1000' } },
      /^--workers must be a whole number from 1 to 64, not "1000"\.$/,
    ],
    [
      'no memory',
      { flags: { memory: '0' } },
      /^--memory must be a whole number of megabytes from 1 to 65536, not "0"\.$/,
    ],
    ['no workers', { flags: { workers: '0' } }, /^--workers must be a whole number from 1 to 64, not "0"\.$/],
    ['a null in the file', { config: { host: null } }, /^host in chartgraph\.config\.json must be text/],
    ['a base URL with a query', { flags: { baseUrl: 'http://h/?' } }, /^--base-url must be an http/],
    ['a base URL of another scheme', { flags: { baseUrl: 'ftp://h' } }, /^--base-url must be an http/],
    [
      'a base URL with a password, which is not repeated',
      { flags: { baseUrl: 'http://u:p@h' } },
      /^--base-url must be an http or https URL without user, password, query and fragment\.$/,
    ],
    [
      'an address of another store, which may hold a password and is not repeated',
      { flags: { store: 'mysql://me:secret@host/x' } },
      /^--store must be the address of a PostgreSQL database, such as postgres:\/\/user@host1,host2\/name\.$/,
    ],
    ['an access that is neither', { config: { 'container-access': 'shut' } }, /must be open or signed/],
  ])('%s', (_, from, message) => {
    expect(() => settings(from)).toThrow(UsageError);
    expect(() => settings(from)).toThrow(message);
  });

  test('a configuration file that cannot be read stops the command, and is named', () => {
    const cwd = folder();
    const path = join(cwd, 'chartgraph.config.json');
    mkdirSync(path);
    expect(() => readSettings({}, { env: {}, cwd })).toThrow(expect.objectContaining({ path }));
  });
});

/** What a pod finds in its environment beside a service `chartgraph` on port 80 and another one, `chartgraph-metrics`. */
const serviceLinks = {
  CHARTGRAPH_SERVICE_HOST: '10.0.0.11',
  CHARTGRAPH_SERVICE_PORT: '80',
  CHARTGRAPH_SERVICE_PORT_HTTP: '80',
  CHARTGRAPH_PORT: 'tcp://10.0.0.11:80',
  CHARTGRAPH_PORT_80_TCP: 'tcp://10.0.0.11:80',
  CHARTGRAPH_PORT_80_TCP_PROTO: 'tcp',
  CHARTGRAPH_PORT_80_TCP_PORT: '80',
  CHARTGRAPH_PORT_80_TCP_ADDR: '10.0.0.11',
  CHARTGRAPH_METRICS_SERVICE_HOST: '10.0.0.12',
  CHARTGRAPH_METRICS_SERVICE_PORT: '9100',
  CHARTGRAPH_METRICS_PORT: 'tcp://10.0.0.12:9100',
  CHARTGRAPH_METRICS_PORT_9100_TCP_ADDR: '10.0.0.12',
};

describe('variables that Kubernetes makes for services', () => {
  test('are no settings, and are not told as unknown', () => {
    expect(settings({ env: serviceLinks })).toMatchObject({ port: 7000, metrics: undefined });
    expect(settings({ env: serviceLinks, config: { port: 7100 } }).port).toBe(7100);
    expect(unknownVariables(serviceLinks)).toBeUndefined();
  });

  test('give way to a port that somebody sets', () => {
    expect(settings({ env: { ...serviceLinks, CHARTGRAPH_PORT: '7100' } }).port).toBe(7100);
  });

  test('are mistakes where there is no such service', () => {
    const { CHARTGRAPH_SERVICE_HOST: _, ...others } = serviceLinks;
    expect(() => settings({ env: others })).toThrow(
      'CHARTGRAPH_PORT must be a whole number from 0 to 65535, not "tcp://10.0.0.11:80".',
    );
    expect(unknownVariables({ CHARTGRAPH_SERVICE_PORT: '80' })).toBe(
      '1 environment variable that nothing reads: CHARTGRAPH_SERVICE_PORT',
    );
  });
});

describe('variables of the environment that nothing reads', () => {
  test('are named without their values, with the one that was meant', () => {
    const env = {
      CHARTGRAPH_MEMROY: '512',
      CHARTGRAPH_SECRETKEY: 'c2VjcmV0',
      'CHARTGRAPH_\u001b[2J': 'x',
      OTHER: 'y',
    };
    expect(unknownVariables(env)).toBe(
      '3 environment variables that nothing reads: CHARTGRAPH_\\u001b[2J, CHARTGRAPH_MEMROY (did you mean CHARTGRAPH_MEMORY?), CHARTGRAPH_SECRETKEY (did you mean CHARTGRAPH_SECRET_KEY?)',
    );
  });

  test.each([
    'Dockerfile',
    'compose.yaml',
    'deploy/chartgraph.env',
    'deploy/chartgraph.service',
    'docs/running.md',
  ])('are none of those that %s sets', (file) => {
    const text = readFileSync(resolve(import.meta.dirname, '..', '..', file), 'utf8');
    const found = [...text.matchAll(/CHARTGRAPH_[A-Z_]+/gu)].map(([name]) => [name, 'x']);
    expect(found.length).toBeGreaterThan(1);
    expect(unknownVariables(Object.fromEntries(found) as Record<string, string>)).toBeUndefined();
  });

  test('are none of the tests, nor that of programs of analysts', () => {
    expect(unknownVariables({ CHARTGRAPH_TEST_STORE: 'postgres', CHARTGRAPH_TOKEN: 'x' })).toBeUndefined();
  });
});
