import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folder } from './run.js';

const execute = promisify(execFile);

test('npx runs the program that is built in a checkout, and builds nothing', async () => {
  const checkout = folder();
  const own = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as object;
  const alone = { ...own, dependencies: {}, devDependencies: {} };
  await writeFile(join(checkout, 'package.json'), JSON.stringify(alone));
  const program = join(checkout, 'dist/cli/chartgraph.js');
  await mkdir(join(checkout, 'dist/cli'), { recursive: true });
  await writeFile(program, '#!/usr/bin/env node\nconsole.log("as it was built");\n');
  await chmod(program, 0o755);
  const options = {
    cwd: checkout,
    // Of its own: npx keeps there what it has made of a folder before.
    env: { ...process.env, npm_config_cache: join(checkout, 'cache'), npm_config_offline: 'true' },
  };
  expect((await execute('npx', ['chartgraph'], options)).stdout).toBe('as it was built\n');
});
