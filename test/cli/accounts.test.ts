import { createHmac } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import OAuth from 'oauth-1.0a';
import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, test } from 'vitest';
import { keyOf, openAccounts } from '../../src/access/accounts/accounts.js';
import { allowanceOf } from '../../src/access/accounts/allowances.js';
import { openGrants } from '../../src/access/accounts/grants.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { sp } from '../../src/rdf/vocabulary.js';
import { folder, onTerminal, run, runJson, start } from './run.js';

const manifest = {
  id: 'app+1@apps.example.org',
  name: 'First app',
  description: 'An app.',
  mode: 'background',
};
const cwd = folder();
const inCwd = { cwd };

const patient = join(import.meta.dirname, '../../seed/records/1000001.ttl');
/** Makes a record that a token can open. */
const load = (record: string, path = inCwd): Promise<unknown> =>
  run(['load', patient, '--record', record], path);

beforeAll(() => {
  writeFileSync(join(cwd, 'app.json'), JSON.stringify(manifest));
});

describe('apps, users and tokens from the command line', () => {
  test('an app gets a secret of its own, and keeps it when it is installed again', async () => {
    const first = await runJson(['app', 'add', 'app.json', '--json'], inCwd);
    expect(first).toEqual({
      consumer_key: manifest.id,
      consumer_secret: expect.stringMatching(/^\S{16,}$/u),
    });
    expect(await runJson(['app', 'add', 'app.json', '--json'], inCwd)).toEqual(first);
    expect(await runJson(['app', 'list', '--json'], inCwd)).toEqual([
      { app_id: manifest.id, name: 'First app', mode: 'background' },
    ]);
  });

  test('an app of 2014 with http addresses is installed, with a warning', async () => {
    const path = { cwd: folder() };
    const icon = 'http://www.example.org/icon.png';
    const index = 'https://app.example.org/';
    writeFileSync(join(path.cwd, 'app.json'), JSON.stringify({ ...manifest, mode: 'ui', index, icon }));
    expect(await run(['app', 'add', 'app.json'], path)).toMatchObject({
      code: 0,
      stderr: `chartgraph: warning: icon of ${manifest.id}: http lets others on the way read it; use https.\n`,
    });
  });

  test('tokens that users gave keep what the manifest listed then, whatever is installed later', async () => {
    const path = { cwd: folder() };
    const id = 'reader@apps.example.org';
    const install = async (...names: string[]): Promise<void> => {
      const requires = Object.fromEntries(names.map((name) => [sp.Statement.replace('Statement', name), {}]));
      const page = 'http://localhost:8000/';
      const written = {
        id,
        name: 'Reader',
        description: 'Reads.',
        mode: 'ui',
        index: page,
        icon: page,
        requires,
      };
      writeFileSync(join(path.cwd, 'reader.json'), JSON.stringify(written));
      await run(['app', 'add', 'reader.json'], path);
    };
    /** What each token is bound to, the oldest first. */
    const bound = async (): Promise<unknown[]> => {
      const directory = await openDataDirectory(join(path.cwd, 'data'));
      try {
        const tokens = openAccounts(directory, keyOf(directory)).listTokens();
        return directory.read((tx) =>
          tokens.map(({ allowed }) => {
            const found = allowed === undefined ? undefined : allowanceOf(tx, id, allowed);
            return found instanceof Map ? [...found.keys()].map((iri: string) => iri.split('#')[1]) : found;
          }),
        );
      } finally {
        await directory.close();
      }
    };
    await install('Problem');
    await run(
      [
        'user',
        'add',
        'doctor',
        '--given-name',
        'D',
        '--family-name',
        'D',
        '--role',
        'clinician',
        '--record',
        '1',
      ],
      {
        ...path,
        stdin: 'correct horse\n',
      },
    );
    // As a version issued them that bound tokens to nothing: one of a user, and one of nobody.
    const directory = await openDataDirectory(join(path.cwd, 'data'));
    const accounts = openAccounts(directory, keyOf(directory));
    await accounts.issueToken({ app: id, user: 'doctor', record: '1' });
    await setTimeout(5); // The order is that of milliseconds.
    await accounts.issueToken({ app: id, record: '1' });
    await directory.close();
    await install('Problem');
    await load('1', path);
    await run(['token', 'issue', '--app', id, '--user', 'doctor', '--record', '1'], path);
    expect(await bound()).toEqual([undefined, undefined, ['Problem']]);
    await install('Problem', 'Allergy');
    await run(['token', 'issue', '--app', id, '--user', 'doctor', '--record', '1'], path);
    await install();
    expect(await bound()).toEqual([['Problem'], undefined, ['Problem'], ['Allergy', 'Problem']]);
    await run(['app', 'remove', id], path);
    const after = await openDataDirectory(join(path.cwd, 'data'));
    expect(after.read((tx) => [tx.count('tokens'), tx.count('allowances')])).toEqual([0, 0]);
    await after.close();
  });

  test('a chosen secret takes the place of the old one', async () => {
    expect(await runJson(['app', 'add', 'app.json', '--secret', 'chosen-secret', '--json'], inCwd)).toEqual({
      consumer_key: manifest.id,
      consumer_secret: 'chosen-secret',
    });
  });

  test('a user is listed with name, role and records, never with a password', async () => {
    const names = ['--given-name', 'Änne', '--family-name', 'O’Neill'];
    const added = await run(['user', 'add', 'anne', ...names, '--record', '1', '2', '--record', '3'], {
      cwd,
      stdin: 'correct horse\n',
    });
    expect(added).toEqual({
      code: 0,
      stdout: 'Added person anne.\n',
      stderr:
        'chartgraph: warning: there is no record 1, 2, 3 yet; any patient who gets such a number later is given to anne.\n',
    });
    expect(await runJson(['user', 'list', '--json'], inCwd)).toEqual([
      {
        user_id: 'anne',
        given_name: 'Änne',
        family_name: 'O’Neill',
        role: 'person',
        records: ['1', '2', '3'],
      },
    ]);
  });

  test('a password is one line that is not empty, for a user that is there', async () => {
    const set = (id: string, stdin: string) => run(['user', 'password', id], { cwd, stdin });
    expect(await set('anne', 'battery staple\n')).toMatchObject({ code: 0 });
    expect(await set('anne', '\n')).toMatchObject({ code: 2, stdout: '' });
    expect(await set('anne', 'two\nlines\n')).toMatchObject({ code: 2, stdout: '' });
    for (const [password, sentence] of [
      ['elevenchars', 'A password has at least 12 characters.'],
      ['password1234', expect.stringMatching(/^This password is easy to guess/)],
    ] as const) {
      const { code, stdout, stderr } = await set('anne', `${password}\n`);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.replace(/^chartgraph: |\n$/g, '')).toEqual(sentence);
      expect(stderr).not.toContain(password);
    }
    for (const password of ['battery staple', 'weak', ''])
      expect(await set('nobody', `${password}\n`)).toMatchObject({
        code: 1,
        stderr: 'chartgraph: There is no user "nobody".\n',
      });
  });

  test.each([
    ['battery staple', 0, 'Set the password of anne.\n'],
    ['battery stable', 2, 'chartgraph: The two passwords differ; type the same one twice.\n'],
  ])('a password is typed twice on a terminal: %s', async (again, code, said) => {
    const child = start(['user', 'password', 'anne'], { cwd, env: onTerminal });
    let shown = '';
    for (const stream of [child.stderr, child.stdout])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        shown += text;
        if (text.endsWith('anne: ')) child.stdin?.write('battery staple\r');
        if (text.endsWith('Again: ')) child.stdin?.end(`${again}\r`);
      });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(code);
    expect(shown).toBe(`New password for anne: \nAgain: \n${said}`);
  });

  test('Ctrl-C where a password is asked for ends it without a word, and the access log says so', async () => {
    const child = start(['user', 'password', 'anne'], { cwd, env: onTerminal });
    let shown = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      // What a terminal sends while its keys are read one by one.
      if (shown.endsWith('anne: ')) child.stdin?.end('\u0003');
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, shown }).toEqual({ code: 130, shown: 'New password for anne: \n' });
    const entries = (await runJson(['audit', '--user', 'anne', '--json'], inCwd)) as object[];
    expect(entries.slice(-2)).toMatchObject([{ outcome: 'begun' }, { outcome: 'failed' }]);
  });

  test('a token is issued as JSON, listed without its secret, and revoked', async () => {
    const issue = ['token', 'issue', '--app', manifest.id, '--user', 'anne', '--record', '1'];
    expect(await run(issue, inCwd)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'chartgraph: There is no record 1.\n',
    });
    expect(await runJson(['token', 'list', '--json'], inCwd)).toEqual([]);
    await load('1');
    const issued = await runJson(issue, inCwd);
    expect(issued).toEqual({
      consumer_key: manifest.id,
      consumer_secret: 'chosen-secret',
      oauth_token: expect.stringMatching(/^\S{16,}$/u),
      oauth_token_secret: expect.stringMatching(/^\S{16,}$/u),
      record_id: '1',
      user_id: 'anne',
    });
    const { oauth_token, oauth_token_secret } = issued as Record<string, string>;
    const list = () => runJson(['token', 'list', '--json'], inCwd) as Promise<{ token_id: string }[]>;
    const listed = await list();
    expect(listed).toEqual([
      {
        token_id: expect.any(String),
        app_id: manifest.id,
        user_id: 'anne',
        record_id: '1',
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u),
        revoked: false,
      },
    ]);
    for (const secret of [oauth_token, oauth_token_secret])
      expect(JSON.stringify(listed)).not.toContain(secret);
    const id = listed[0]?.token_id ?? '';
    expect(await run(['token', 'revoke', id], inCwd)).toMatchObject({ code: 0 });
    expect(await list()).toMatchObject([{ token_id: id, revoked: true }]);
  });

  test('a bearer token is issued as JSON, once, and is listed with its scope', async () => {
    const issue = (...more: string[]) =>
      run(['token', 'issue', '--bearer', '--app', manifest.id, '--user', 'anne', ...more], inCwd);
    const { stdout } = await issue('--record', '1');
    const issued = JSON.parse(stdout) as { access_token: string; token_id: string; expires_at: string };
    expect(issued).toMatchObject({
      access_token: expect.stringMatching(/^cgb_\S{32}$/u),
      scope: 'patient/*.rs',
      patient: '1',
    });
    const days = (until: string): number => Math.round((Date.parse(until) - Date.now()) / 86_400_000);
    expect(days(issued.expires_at)).toBe(7);
    const narrow = JSON.parse((await issue('--scope', 'user/Patient.rs', '--days', '60')).stdout) as object;
    expect(narrow).toMatchObject({ scope: 'user/Patient.rs', patient: null });
    expect(days((narrow as typeof issued).expires_at)).toBe(60);
    const list = async () => (await run(['token', 'list', '--json'], inCwd)).stdout;
    expect(JSON.parse(await list())).toContainEqual(
      expect.objectContaining({ token_id: issued.token_id, scope: 'patient/*.rs', revoked: false }),
    );
    const entries = (await run(['audit', '--json'], inCwd)).stdout;
    expect(entries).toContain(issued.token_id);
    for (const shown of [await list(), entries]) expect(shown).not.toContain(issued.access_token);
    expect(await issue('--scope', 'patient/*.rs')).toMatchObject({ code: 1, stdout: '' });
    expect(
      await run(['token', 'issue', '--app', manifest.id, '--user', 'anne', '--scope', 'x'], inCwd),
    ).toMatchObject({
      code: 2,
      stderr: 'chartgraph: --scope is of bearer tokens: say --bearer.\n',
    });
  });

  test('a token opens no record that its user may not open', async () => {
    const issue = (user: string, record: string) =>
      run(['token', 'issue', '--app', manifest.id, '--user', user, '--record', record], inCwd);
    expect(await issue('anne', '4')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'chartgraph: Record 4 is not given to anne; chartgraph user grant anne --record 4 gives it to them.\n',
    });
    const names = ['--given-name', 'A', '--family-name', 'B'];
    await run(['user', 'add', 'ann', ...names, '--role', 'analyst'], { cwd, stdin: '\n' });
    expect(await issue('ann', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^chartgraph: ann is analyst and opens no records; /),
    });
    await run(['user', 'remove', 'ann'], inCwd);
  });

  test('a new password revokes the tokens of its user when that is asked for', async () => {
    await load('2');
    const { oauth_token } = (await runJson(
      ['token', 'issue', '--app', manifest.id, '--user', 'anne', '--record', '2'],
      inCwd,
    )) as { oauth_token: string };
    expect(oauth_token).toBeDefined();
    const valid = async () =>
      ((await runJson(['token', 'list', '--json'], inCwd)) as { user_id: string; revoked: boolean }[]).filter(
        ({ user_id, revoked }) => user_id === 'anne' && !revoked,
      ).length;
    const set = (...more: string[]) =>
      run(['user', 'password', 'anne', ...more], { cwd, stdin: 'battery staple\n' });
    const before = await valid();
    expect(before).toBeGreaterThan(0);
    expect(await set()).toMatchObject({ code: 0 });
    expect(await valid()).toBe(before);
    expect(await set('--revoke-tokens')).toMatchObject({ code: 0 });
    expect(await valid()).toBe(0);
    const mustChange = async (): Promise<boolean> => {
      const directory = await openDataDirectory(join(cwd, 'data'));
      const must = openAccounts(directory, keyOf(directory)).mustChangePassword('anne');
      await directory.close();
      return must;
    };
    expect(await mustChange()).toBe(false);
    expect(await set('--temporary')).toMatchObject({ code: 0 });
    expect(await mustChange()).toBe(true);
    expect(await set()).toMatchObject({ code: 0 });
    expect(await mustChange()).toBe(false);
  });

  test('a second factor is told of and removed', async () => {
    const factor = (...args: string[]) => run(['user', 'second-factor', ...args], inCwd);
    expect(await factor('anne')).toMatchObject({ code: 0, stdout: 'anne has no second factor.\n' });
    const directory = await openDataDirectory(join(cwd, 'data'));
    const grants = openGrants(directory, keyOf(directory));
    const { secret } = await grants.secondFactors.enrol('anne', 'Chartgraph');
    await grants.secondFactors.confirm('anne', new TOTP({ secret }).generate());
    await directory.close();
    expect(await factor('anne')).toMatchObject({ code: 0, stdout: 'anne has a second factor.\n' });
    expect(await factor('anne', '--remove')).toMatchObject({
      stdout: 'Removed the second factor of anne.\n',
    });
    expect(await factor('anne', '--remove')).toMatchObject({ stdout: 'anne had no second factor.\n' });
    expect(await factor('nobody')).toMatchObject({
      code: 1,
      stderr: 'chartgraph: There is no user "nobody".\n',
    });
  });

  test('a token for no record says so with null', async () => {
    expect(await runJson(['token', 'issue', '--app', manifest.id, '--user', 'anne'], inCwd)).toMatchObject({
      record_id: null,
    });
  });

  test.each([
    [['token', 'issue', '--app', 'nothing', '--user', 'anne'], 'There is no app "nothing".'],
    [['token', 'issue', '--app', manifest.id, '--user', 'nobody'], 'There is no user "nobody".'],
    [['token', 'revoke', 'nothing'], 'There is no token "nothing".'],
    [['app', 'remove', 'nothing'], 'There is no app nothing.'],
    [['user', 'remove', 'nobody'], 'There is no user nobody.'],
    [['record', 'remove', '99'], 'There is no record 99.'],
    [['app', 'add', 'missing.json'], 'No such file or directory: missing.json'],
  ])('%j ends with 1 and says why', async (args, message) => {
    expect(await run(args, inCwd)).toEqual({ code: 1, stdout: '', stderr: `chartgraph: ${message}\n` });
  });

  test('a manifest that is none is refused with what is wrong, in one line', async () => {
    writeFileSync(join(cwd, 'bad.json'), JSON.stringify({ ...manifest, mode: 'ui', colour: 'red' }));
    const { code, stderr } = await run(['app', 'add', 'bad.json'], inCwd);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^chartgraph: bad\.json is not an app manifest: [^\n]*index[^\n]*colour[^\n]*\n$/u,
    );
  });

  test('who is removed is gone with their tokens', async () => {
    expect(await run(['user', 'remove', 'anne'], inCwd)).toMatchObject({ code: 0 });
    expect(await run(['app', 'remove', manifest.id], inCwd)).toMatchObject({ code: 0 });
    for (const what of ['user', 'app', 'token'])
      expect(await runJson([what, 'list', '--json'], inCwd)).toEqual([]);
  });

  test('the key file is for its owner alone, and another key is refused', async () => {
    expect(statSync(join(cwd, 'data', 'secret.key')).mode & 0o777).toBe(0o600);
    const env = { CHARTGRAPH_SECRET_KEY: 'ab'.repeat(32) };
    const { code, stderr } = await run(['app', 'list'], { cwd, env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^chartgraph: The secret key is not the one [^\n]*\n$/u);
    expect(stderr).not.toContain(readFileSync(join(cwd, 'data', 'secret.key'), 'utf8').trim());
  });
});

/** Ways to spoil a key file, by what is said of it. */
const spoilt: Record<string, (file: string) => void> = {
  'is missing, and the secrets': (file) => rmSync(file),
  'is not a file': (file) => {
    rmSync(file);
    mkdirSync(file);
  },
  'which holds the secret key, cannot be read (ELOOP)': (file) => {
    rmSync(file);
    symlinkSync(file, file);
  },
  'does not hold a secret key': (file) => writeFileSync(file, 'half a key'),
};

describe('what is wrong with the secret key is said, and nothing of the access log', () => {
  test.each(Object.entries(spoilt))('%s', async (sentence, spoil) => {
    const data = join(folder(), 'data');
    cpSync(join(cwd, 'data'), data, { recursive: true });
    spoil(join(data, 'secret.key'));
    const { code, stderr } = await run(['user', 'list', '--data', data]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^chartgraph: \S*secret\.key,? [^\n]+\n$/u);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('access log');
  });

  test('nor where the environment holds none', async () => {
    const env = { CHARTGRAPH_SECRET_KEY: 'half a key' };
    const { code, stderr } = await run(['user', 'list'], { cwd, env });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'chartgraph: CHARTGRAPH_SECRET_KEY does not hold a secret key: 32 bytes in hexadecimal or base64.\n',
    });
  });
});

describe('sign', () => {
  const token = {
    consumer_key: 'app@apps.example.org',
    consumer_secret: 'consumer-secret',
    oauth_token: 'tok/en',
    oauth_token_secret: 'token-secret',
    record_id: '1',
    user_id: 'anne',
  };
  const url = 'http://localhost:7000/records/1/medications/?limit=2&a=b%20c';

  test('prints one header line whose signature another signer agrees with', async () => {
    const { code, stdout, stderr } = await run(['sign', 'get', url, '--token', '-'], {
      stdin: JSON.stringify(token),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Authorization: OAuth [^\n]+\n$/u);
    const sent = Object.fromEntries(
      [...stdout.matchAll(/(oauth_\w+)="([^"]*)"/gu)].map(([, name = '', value = '']) => [
        name,
        decodeURIComponent(value),
      ]),
    );
    const peer = new OAuth({
      consumer: { key: token.consumer_key, secret: token.consumer_secret },
      signature_method: 'HMAC-SHA1',
      hash_function: (base, key) => createHmac('sha1', key).update(base).digest('base64'),
    });
    const { oauth_signature, ...signed } = sent;
    const expected = peer.getSignature(
      { url, method: 'GET' },
      token.oauth_token_secret,
      signed as unknown as OAuth.Data,
    );
    expect(signed).toMatchObject({ oauth_consumer_key: token.consumer_key, oauth_token: 'tok/en' });
    expect(oauth_signature).toBe(expected);
  });

  test('signs the content of a form, and of no other body', async () => {
    const stdin = JSON.stringify(token);
    const body = join(cwd, 'body');
    writeFileSync(body, 'status=a%20b&c2&status=a');
    const signed = async (type: string): Promise<{ header: string; isOfForm: boolean }> => {
      const { stdout } = await run(['sign', 'POST', url, '--token', '-', '--body', body, '--type', type], {
        stdin,
      });
      const sent = Object.fromEntries(
        [...stdout.matchAll(/(oauth_\w+)="([^"]*)"/gu)].map(([, name = '', value = '']) => [
          name,
          decodeURIComponent(value),
        ]),
      );
      const peer = new OAuth({
        consumer: { key: token.consumer_key, secret: token.consumer_secret },
        signature_method: 'HMAC-SHA1',
        hash_function: (base, key) => createHmac('sha1', key).update(base).digest('base64'),
      });
      const { oauth_signature, ...rest } = sent;
      const data = { status: ['a b', 'a'], c2: '' };
      const expected = peer.getSignature(
        { url, method: 'POST', data },
        token.oauth_token_secret,
        rest as unknown as OAuth.Data,
      );
      return { header: stdout, isOfForm: oauth_signature === expected };
    };
    expect(await signed('application/x-www-form-urlencoded')).toMatchObject({ isOfForm: true });
    const turtle = await signed('text/turtle');
    expect(turtle.isOfForm).toBe(false);
    expect(turtle.header).not.toContain('oauth_body_hash');
    expect(await run(['sign', 'POST', url, '--token', '-', '--body', body], { stdin })).toMatchObject({
      code: 2,
    });
  });

  test('needs what token issue printed, and no data directory', async () => {
    const { consumer_secret: _, ...half } = token;
    expect(await run(['sign', 'GET', url, '--token', '-'], { stdin: JSON.stringify(half) })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'chartgraph: stdin has no consumer_secret; it should hold what `chartgraph token issue` printed.\n',
    });
    expect(await run(['sign', 'GET', url, '--token', '-'], { stdin: 'no JSON' })).toMatchObject({
      code: 1,
      stdout: '',
    });
  });
});
