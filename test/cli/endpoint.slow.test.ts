import { createWriteStream, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { spawnSync } from 'node:child_process';
import { beforeEach, describe, expect, test } from 'vitest';
import { smallest } from '../fhir/endpoint/example.js';
import { folder, run } from './run.js';

let cwd: string;
beforeEach(() => {
  cwd = folder();
  const rules = { ...smallest, implicitRules: 'urn:r' };
  writeFileSync(join(cwd, 'good.json'), JSON.stringify(smallest, undefined, 2));
  writeFileSync(join(cwd, 'bad.json'), JSON.stringify({ ...smallest, status: 'x', id: '' }));
  writeFileSync(join(cwd, 'rules.json'), JSON.stringify(rules));
  const lines = [smallest, { resourceType: 'Patient' }, { ...smallest, name: '' }].map((each) =>
    JSON.stringify(each),
  );
  writeFileSync(join(cwd, 'lines.ndjson.gz'), gzipSync(lines.join('\n')));
});

const validate = (...args: string[]) => run(['endpoint', 'validate', ...args], { cwd });

describe('endpoint validate', () => {
  test('a good endpoint is told to be good', async () => {
    expect(await validate('good.json')).toEqual({
      code: 0,
      stdout: '1 endpoint checked: no problems.\n',
      stderr: '',
    });
  });

  test('tells each problem on one line and exits 1', async () => {
    const { code, stdout, stderr } = await validate('good.json', 'bad.json', 'lines.ndjson.gz');
    expect(code).toBe(1);
    expect(stdout).toBe('4 endpoints checked, 1 other resource skipped: 3 errors, 0 warnings.\n');
    expect(stderr.split('\n').filter(Boolean).sort()).toEqual([
      expect.stringMatching(/^chartgraph: error: bad\.json: \/id: A string cannot be empty\. \(empty\)$/u),
      expect.stringMatching(
        /^chartgraph: error: bad\.json: \/status: The value must be one of active, .*\(code\)$/u,
      ),
      'chartgraph: error: lines.ndjson.gz:3: /name: A string cannot be empty. (empty)',
    ]);
  });

  test('prints the problems as JSON in the shape that scripts rely on', async () => {
    const { code, stdout, stderr } = await validate('--json', 'good.json', 'lines.ndjson.gz', 'missing.json');
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toEqual({
      problems: [
        {
          file: 'lines.ndjson.gz',
          index: 2,
          pointer: '/name',
          rule: 'empty',
          severity: 'error',
          message: 'A string cannot be empty.',
        },
        {
          file: 'missing.json',
          index: 0,
          pointer: '',
          rule: 'unreadable',
          severity: 'error',
          message: 'No such file or directory: missing.json',
        },
      ],
    });
    expect(JSON.parse((await validate('--json', 'good.json')).stdout)).toEqual({ problems: [] });
  });

  test('what FHIR R4 alone asks for is a warning, and no reason to refuse the endpoint', async () => {
    const { status: _status, ...bare } = smallest;
    writeFileSync(join(cwd, 'bare.json'), JSON.stringify(bare));
    expect(await validate('bare.json')).toEqual({
      code: 0,
      stdout: '1 endpoint checked: 0 errors, 1 warning.\n',
      stderr: 'chartgraph: warning: bare.json: FHIR R4 asks for the property "status". (required-by-r4)\n',
    });
    expect(await validate('bare.json', '--allow', 'required-by-r4')).toMatchObject({ code: 0, stderr: '' });
  });

  test('what must be understood is a problem until it is allowed', async () => {
    expect(await validate('rules.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('warning: rules.json: /implicitRules:'),
    });
    expect(await validate('--allow', 'urn:r', 'rules.json')).toMatchObject({ code: 0, stderr: '' });
    expect(await validate('rules.json', '--allow', 'urn:x', '--allow', 'implicit-rules')).toMatchObject({
      code: 0,
    });
    expect((await validate('--help')).stdout).toContain(
      'Exits 1 on any error, and on what must be understood',
    );
  });

  test('a Bundle without an endpoint is told, and does not pass for a good one', async () => {
    const entry = [{ resource: { resourceType: 'Patient' } }];
    writeFileSync(
      join(cwd, 'none.json'),
      JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }),
    );
    expect(await validate('good.json', 'none.json')).toEqual({
      code: 1,
      stdout: '1 endpoint checked, 1 other resource skipped: 1 error, 0 warnings.\n',
      stderr: 'chartgraph: error: none.json: There is no Endpoint in it. (no-endpoint)\n',
    });
    const { stdout } = await validate('none.json', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ problems: [{ file: 'none.json', rule: 'no-endpoint' }] });
  });

  test('an endpoint is read from stdin', async () => {
    const { code, stdout } = await run(['endpoint', 'validate', '-'], {
      cwd,
      stdin: JSON.stringify(smallest),
    });
    expect([code, stdout]).toEqual([0, '1 endpoint checked: no problems.\n']);
  });

  test('a command without its subcommand is bad usage', async () => {
    expect((await run(['endpoint'], { cwd })).code).toBe(2);
    expect((await validate()).code).toBe(2);
  });

  test('a long NDJSON file takes less than 200 MB, its problems included', async () => {
    const file = join(cwd, 'long.ndjson');
    await writeLines(file, 160_000);
    const program = resolve(import.meta.dirname, '..', '..', 'dist', 'cli', 'chartgraph.js');
    // Its own process tells its peak at the end, in kilobytes. What getrusage tells begins with the peak of whoever
    // started the process; Linux has the number of its own.
    const script = `
      const { existsSync, readFileSync } = await import('node:fs');
      const own = '/proc/self/status';
      const peak = () => existsSync(own) ? /VmHWM:\\s+(\\d+)/.exec(readFileSync(own, 'utf8'))[1] : process.resourceUsage().maxRSS;
      process.on('exit', () => process.stderr.write('\\npeak ' + peak()));
      process.argv = [process.execPath, ${JSON.stringify(program)}, 'endpoint', 'validate', '--json', ${JSON.stringify(file)}];
      await import(${JSON.stringify(program)});`;
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      // What is garbage is collected before more is taken, however busy the machine is.
      ['--max-old-space-size=96', '--input-type=module', '--eval', script],
      {
        cwd,
        maxBuffer: 1 << 28,
        encoding: 'utf8',
      },
    );
    expect(status).toBe(1);
    expect((JSON.parse(stdout) as { problems: unknown[] }).problems.length).toBe(80_000);
    expect(Number(/peak (\d+)/u.exec(stderr)?.[1]) / 1024).toBeLessThan(200);
  });
});

/** Some 100 MB: every second endpoint has a fault. */
async function writeLines(file: string, count: number): Promise<void> {
  const header = ['x'.repeat(500)];
  const [good, bad] = [
    { ...smallest, header },
    { ...smallest, header, status: 'x' },
  ].map((each) => `${JSON.stringify(each)}\n`);
  const stream = createWriteStream(file);
  for (let line = 0; line < count; line += 1000) {
    if (!stream.write(`${good}${bad}`.repeat(500))) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}
