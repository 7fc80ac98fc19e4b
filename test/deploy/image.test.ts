import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { kinds } from '../../src/http/setting-kinds.js';
import { knownFlags, knownVariables, root, settingsOf, textOf, variablesIn } from './deployed.js';

interface Service {
  environment: Record<string, string>;
  volumes: string[];
  networks: string[] | Record<string, { ipv4_address?: string }>;
  ports?: string[];
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  user?: string;
}
interface Compose {
  services: { chartgraph: Service; proxy: Service };
  networks: { inner: { internal: boolean } };
}

const compose = parse(textOf('compose.yaml')) as Compose;
const { chartgraph, proxy } = compose.services;
const caddyfile = textOf('deploy', 'Caddyfile');

/** The lines of the Dockerfile, continued ones joined, without comments. */
const lines = textOf('Dockerfile')
  .replace(/\\\n\s*/gu, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
const of = (instruction: string): string[] =>
  last
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length).trim());
const image = Object.fromEntries(
  of('ENV')
    .join(' ')
    .split(/\s+/u)
    .map((pair) => pair.split('=') as [string, string]),
);

describe('the image', () => {
  test('knows no setting that the program does not', () => {
    const named = variablesIn(lines.join('\n'));
    expect(named).toContain('CHARTGRAPH_CONTAINER_ACCESS');
    expect(named.filter((name) => !knownVariables().has(name))).toEqual([]);
    const flags = lines.filter((line) => /^(ENTRYPOINT|CMD)/u.test(line)).join(' ');
    expect((flags.match(/--[a-z-]+/gu) ?? []).filter((flag) => !knownFlags().has(flag))).toEqual([]);
  });

  test('listens where it says, is closed, and keeps its data in its volume', () => {
    const { host, port, data, containerAccess } = settingsOf(image);
    expect({ host, containerAccess }).toEqual({ host: '0.0.0.0', containerAccess: 'signed' });
    expect(of('EXPOSE')).toEqual([String(port)]);
    expect(of('VOLUME')).toEqual([data]);
  });

  test('does not run as root, and asks for its health without another program', () => {
    expect(of('USER')).toEqual(['1000:1000']);
    expect(of('HEALTHCHECK')[0]).toMatch(/CMD \["node", "\/app\/deploy\/health-check\.mjs"\]$/u);
    expect(lines.join('\n')).not.toMatch(/curl|wget|apt-get|apk /u);
  });

  test('copies what is there, and what .dockerignore lets through', () => {
    const allowed = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(/\s+/u).slice(1, -1));
    expect(copied.length).toBeGreaterThan(8);
    expect(copied.filter((path) => !existsSync(join(root, path)) || !allowed.includes(path))).toEqual([]);
  });
});

describe('the composed services', () => {
  const env = Object.fromEntries(
    Object.entries({ ...image, ...chartgraph.environment }).map(([name, value]) => [
      name,
      value.replace(/\$\{RECORDS_HOST:\?[^}]*\}/u, 'records.example.org'),
    ]),
  );
  const settings = settingsOf(env);

  test('know no setting that the program does not', () => {
    expect(
      variablesIn(textOf('compose.yaml') + caddyfile).filter((name) => !knownVariables().has(name)),
    ).toEqual([]);
  });

  test('start without the demo patients, over https, closed', () => {
    expect(settings).toMatchObject({
      seed: false,
      containerAccess: 'signed',
      baseUrl: 'https://records.example.org/smart',
    });
  });

  test('can write to their volumes only, and gain no right', () => {
    for (const service of [chartgraph, proxy]) {
      expect(service.read_only).toBe(true);
      expect(service.cap_drop).toEqual(['ALL']);
      expect(service.security_opt).toEqual(['no-new-privileges:true']);
    }
    expect(chartgraph.volumes).toContain(`data:${settings.data}`);
    expect(chartgraph.user).toBeUndefined();
  });

  test('are reached through the proxy only, and it alone is trusted', () => {
    expect(chartgraph.ports).toBeUndefined();
    expect(chartgraph.networks).toEqual(['inner']);
    expect(compose.networks.inner.internal).toBe(true);
    const trusted = kinds.networks.read(chartgraph.environment['CHARTGRAPH_TRUST_PROXY']);
    const { inner } = proxy.networks as Record<string, { ipv4_address?: string }>;
    expect(trusted).toEqual([`${inner?.ipv4_address}/32`]);
  });

  test('the proxy asks the right port, and keeps the path', () => {
    expect(caddyfile).toContain(`reverse_proxy chartgraph:${settings.port} {`);
    expect(caddyfile).toContain(`handle ${new URL(settings.baseUrl ?? '').pathname}/* {`);
    expect(caddyfile).not.toMatch(/handle_path|strip_prefix|rewrite|^\s*uri\b/mu);
  });

  test('the base URL itself leads into the container', () => {
    const { pathname } = new URL(settings.baseUrl ?? '');
    // Of Caddy, /smart/* does not match /smart.
    expect(caddyfile).toMatch(new RegExp(`^\\tredir ${pathname} ${pathname}/$`, 'mu'));
  });
});
