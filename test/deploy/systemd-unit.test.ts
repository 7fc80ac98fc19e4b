import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '../cli/run.js';
import { knownFlags, knownVariables, settingsOf, textOf, variablesIn } from './deployed.js';

const unit = textOf('deploy', 'chartgraph.service');
const example = textOf('deploy', 'chartgraph.env');
const valuesOf = (key: string): string[] =>
  unit
    .split('\n')
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1));
const pairs = [...valuesOf('Environment'), ...example.split('\n').filter((line) => /^[A-Z]/u.test(line))];
const env = Object.fromEntries(
  pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
);
const canAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the systemd unit', () => {
  test('knows no setting that the program does not', () => {
    const named = variablesIn(unit + example);
    expect(named).toContain('CHARTGRAPH_TRUST_PROXY');
    expect(named.filter((name) => !knownVariables().has(name))).toEqual([]);
    const flags = valuesOf('ExecStart')[0]?.match(/--[a-z-]+/gu) ?? [];
    expect(flags.filter((flag) => !knownFlags().has(flag))).toEqual([]);
  });

  test('serves closed, without the demo patients, for a proxy on the same machine', () => {
    expect(settingsOf(env)).toMatchObject({
      host: '127.0.0.1',
      port: 7000,
      seed: false,
      containerAccess: 'signed',
      data: `/var/lib/${valuesOf('StateDirectory')[0]}`,
      trustProxy: ['127.0.0.1'],
      baseUrl: expect.stringMatching(/^https:/u) as string,
    });
  });

  test('waits longer than the container takes to stop, and does not repeat bad usage', () => {
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(5);
    expect(valuesOf('KillMode')).toEqual(['mixed']);
    expect(valuesOf('RestartPreventExitStatus')).toEqual(['2']);
  });

  // These two are skipped where there is no systemd-analyze: only Linux with systemd has it.
  test.skipIf(!canAnalyze)('has nothing that systemd-analyze complains about', () => {
    const copy = join(folder(), 'chartgraph.service');
    // What is started need not be installed where this test runs.
    writeFileSync(copy, unit.replace('/usr/local/bin/chartgraph', process.execPath));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' });
    expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: '' });
  });

  test.skipIf(!canAnalyze)('is exposed to 1.5 of 10 at most', () => {
    const copy = join(folder(), 'chartgraph.service');
    writeFileSync(copy, unit);
    const { status } = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=15', copy]);
    expect(status).toBe(0);
  });
});
