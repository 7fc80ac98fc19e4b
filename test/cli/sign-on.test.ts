import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { folder, run } from './run.js';
import { serve } from './served.js';

const cwd = folder();
/** Nobody listens there. */
const issuer = 'http://localhost:9';
const all = ['--oidc-issuer', issuer, '--oidc-client-id', 'chart', '--oidc-mapping', 'mapping.json'];
const env = { CHARTGRAPH_OIDC_CLIENT_SECRET: 'hush-hush' };

beforeAll(() => {
  const roles = [{ value: 'physicians', role: 'clinician' }];
  writeFileSync(join(cwd, 'mapping.json'), JSON.stringify({ user: 'sub', role: 'groups', roles }));
  writeFileSync(join(cwd, 'broken.json'), JSON.stringify({ user: 'sub', role: 'groups' }));
});

describe('serve with an identity provider', () => {
  test.each<[string, string[], object, RegExp]>([
    [
      'no secret',
      all,
      {},
      /Give --oidc-issuer, .* together, and the secret in CHARTGRAPH_OIDC_CLIENT_SECRET\./,
    ],
    ['no mapping', all.slice(0, 4), env, /Give --oidc-issuer, --oidc-client-id and --oidc-mapping together/],
    [
      'a mapping without roles',
      [...all.slice(0, 5), 'broken.json'],
      env,
      /broken\.json: "roles" of a mapping must/,
    ],
    [
      'an issuer that others can listen to',
      ['--oidc-issuer', 'http://id.example'],
      env,
      /--oidc-issuer must be an https URL/,
    ],
    ['no way to sign in', ['--passwords', 'off'], {}, /With --passwords off nobody could sign in/],
  ])('does not start with %s', async (_, args, given, sentence) => {
    const ended = await run(['serve', ...args], { cwd, env: { ...given } });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) });
    expect(ended.stderr).not.toContain('hush-hush');
  });

  test('starts while the provider is away, and links users meanwhile', async () => {
    const server = await serve([...all, '--passwords', 'off', '--no-seed', '--workers', '2'], cwd, env);
    const page = await (await fetch(`${server.url}/login`)).text();
    expect([page.includes('Sign in with your organisation'), page.includes('type="password"')]).toEqual([
      true,
      false,
    ]);
    const away = await fetch(`${server.url}/login/organisation`, { redirect: 'manual' });
    expect(away.status).toBe(503);
    const names = ['--given-name', 'Ada', '--family-name', 'Quillane', '--role', 'clinician'];
    await run(['user', 'add', 'ada', ...names], { cwd });
    await run(['user', 'add', 'bob', ...names], { cwd });
    const link = (user: string, at = issuer) =>
      run(['user', 'link', user, '--issuer', at, '--subject', '248289761001'], { cwd });
    expect(await link('ada')).toMatchObject({ code: 0, stdout: 'Linked ada.\n' });
    expect(await link('bob')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('linked to the user ada'),
    });
    expect(await link('carol')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no user "carol"'),
    });
    expect(await link('bob', 'id.example')).toMatchObject({ code: 2 });
    const { stdout } = await run(['audit', '--user', 'ada'], { cwd });
    expect(stdout).toContain('user link');
    expect(server.stderr()).not.toContain('hush-hush');
  });
});
