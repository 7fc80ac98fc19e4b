import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandGroups } from '../../src/cli/commands.js';
import { smallest } from '../fhir/endpoint/example.js';
import { folder, run, runProcess } from './run.js';

const commands = [
  ['serve'],
  ['load'],
  ['record', 'list'],
  ['record', 'remove'],
  ['app', 'add'],
  ['app', 'list'],
  ['app', 'remove'],
  ['user', 'add'],
  ['user', 'change'],
  ['user', 'grant'],
  ['user', 'password'],
  ['user', 'second-factor'],
  ['user', 'list'],
  ['user', 'remove'],
  ['token', 'issue'],
  ['token', 'list'],
  ['token', 'revoke'],
  ['subscription', 'list'],
  ['subscription', 'replay'],
  ['subscription', 'remove'],
  ['sign'],
  ['query'],
  ['analyses', 'list'],
  ['analyses', 'run'],
  ['mirror'],
  ['export'],
  ['backup'],
  ['restore'],
  ['validate'],
  ['ontology', 'diff'],
  ['ontology', 'try'],
  ['ontology', 'coverage'],
  ['ontology', 'tests'],
  ['ontology', 'client'],
  ['ontology', 'docs'],
  ['ontology', 'openapi'],
];

describe('every command explains itself', () => {
  test.each(commands.map((words) => [words.join(' '), words] as const))('%s --help', async (name, words) => {
    const { code, stdout, stderr } = await run([...words, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: chartgraph ${name} `);
    expect(stdout).toContain('--data <dir>');
  });

  test('the program lists its commands', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    for (const [name = ''] of commands) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'mu'));
  });

  test('the program groups its commands by who needs them, and each has an example that it understands', async () => {
    const { stdout: all } = await run(['--help']);
    expect(all.match(/^(?:Start here|For .*|Commands):$/gmu)).toEqual([
      'Start here:',
      'For operators:',
      'For authors of apps:',
      'For analysts:',
      'For authors of ontologies:',
    ]);
    for (const words of commands) {
      const { stdout } = await run([...words, '--help']);
      expect(stdout).toMatch(new RegExp(`\nExample:\n  chartgraph ${words[0]} [^\n]+\n$`, 'u'));
    }
  });

  test.each(
    Object.values(commandGroups).flatMap((examples) => Object.values(examples).map((example) => [example])),
  )('the example "%s" has only options of its command', async (example) => {
    const { code, stdout } = await run([...example.split(' '), '--help']);
    expect(code).toBe(0);
    for (const [option] of example.matchAll(/ --[a-z-]+/gu)) expect(stdout).toContain(` ${option} `);
  });

  test('--version prints the version of the package', async () => {
    expect(await run(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/u),
    });
  });
});

test.each([
  ['done', 0, ['endpoint', 'validate', '-']],
  ['could not be done', 1, ['record', 'list']],
  ['what was checked is wrong', 1, ['endpoint', 'validate', '-', 'wrong.json']],
  ['bad usage', 2, ['dance']],
] as const)(
  'as a process it reads its stdin and ends with the code of the command: %s',
  async (_, code, args) => {
    const cwd = folder();
    writeFileSync(join(cwd, 'wrong.json'), JSON.stringify({ ...smallest, status: 'x' }));
    const ended = await runProcess(args, { cwd, stdin: JSON.stringify(smallest) });
    expect(ended).toEqual(await run(args, { cwd, stdin: JSON.stringify(smallest) }));
    expect(ended.code).toBe(code);
  },
);

describe('bad usage is one line on stderr and exit code 2', () => {
  test.each([
    ['no command', []],
    ['a command that is not there', ['dance']],
    ['a group without its command', ['record']],
    ['an option that is not there', ['serve', '--frobnicate']],
    ['an option without its value', ['serve', '--port']],
    ['a port that is none', ['serve', '--port', 'seven']],
    ['a choice that is none', ['serve', '--container-access', 'ajar']],
    ['a base URL that is none', ['record', 'list', '--base-url', 'here']],
    ['an argument too many', ['record', 'list', 'all']],
    ['a file too few', ['load']],
    ['a record id with a slash', ['record', 'remove', 'a/b']],
    ['a record id that is a word of the API', ['record', 'remove', 'search']],
    ['an id of two dots', ['user', 'remove', '..']],
    ['an app id with a space', ['app', 'remove', 'a b']],
    [
      'a role that is none',
      ['user', 'add', 'u', '--given-name', 'G', '--family-name', 'F', '--role', 'king'],
    ],
    ['a person without a name', ['user', 'add', 'u']],
    ['a token for nobody', ['token', 'issue', '--app', 'a']],
    ['no token to sign with', ['sign', 'GET', 'http://localhost/']],
    ['a URL that is none', ['sign', 'GET', 'nowhere', '--token', 'x']],
    ['a format that is none', ['export', '--format', 'pdf']],
    ['a format of results that is none', ['query', '--format', 'pdf']],
  ])('%s', async (_, args) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^chartgraph: [^\n]+\n$/u);
  });

  test('a key of chartgraph.config.json that nobody knows', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'chartgraph.config.json'), '{"prot": 7001}');
    const { code, stderr } = await run(['record', 'list'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^chartgraph: chartgraph\.config\.json has an unknown key "prot"[^\n]*\n$/u);
  });
});

test('a variable that nothing reads is told in one line, and stops no command', async () => {
  const cwd = folder();
  const { code, stderr } = await run(['record', 'list'], { cwd, env: { CHARTGRAPH_MEMROY: 'a value' } });
  expect(code).toBe(1);
  expect(stderr.split('\n')).toEqual([
    'chartgraph: warning: 1 environment variable that nothing reads: CHARTGRAPH_MEMROY (did you mean CHARTGRAPH_MEMORY?).',
    expect.stringMatching(/^chartgraph: No data directory at /u),
    '',
  ]);
});

describe('a data directory is made by those who fill it, and asked for by the others', () => {
  test.each([
    [['record', 'list']],
    [['record', 'remove', '1']],
    [['app', 'list']],
    [['app', 'remove', 'a']],
    [['user', 'list']],
    [['user', 'remove', 'u']],
    [['token', 'list']],
    [['token', 'issue', '--app', 'a', '--user', 'u']],
    [['token', 'revoke', 't']],
    [['query']],
    [['export']],
    [['backup', 'b']],
  ])('%j says that there is none', async (args) => {
    const cwd = folder();
    const { code, stdout, stderr } = await run(args, { cwd, stdin: 'ASK {}' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `chartgraph: No data directory at ${join(cwd, 'data')}: start the container once or load a file.\n`,
    );
  });
});

test('a Node.js that is too old is told in one sentence, by every command', async () => {
  const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const oldNode = { NODE_OPTIONS: `--import ${new URL('old-node.mjs', import.meta.url).href}` };
  expect(await runProcess(['--version'], { env: oldNode })).toEqual({
    code: 1,
    stdout: '',
    stderr: `chartgraph: Chartgraph needs Node.js ${engines.node.slice(2)} or later, and this is 20.10.0: install a newer one.\n`,
  });
});

test('nothing is loaded before the version of Node.js is known', () => {
  const source = readFileSync(join(import.meta.dirname, '../../src/cli/chartgraph.ts'), 'utf8');
  expect(source).not.toMatch(/^import /mu);
});
