import type { Context } from 'koa';
import { expect, it } from 'vitest';
import { openAccounts } from '../../../src/access/accounts/accounts.js';
import { openGrants } from '../../../src/access/accounts/grants.js';
import { secretKey } from '../../../src/access/accounts/secret-key.js';
import type { Site } from '../../../src/http/app-parts.js';
import type { RecordedReads } from '../../../src/http/recorded-reads.js';
import type { PageRequest } from '../../../src/http/sign-in/page-request.js';
import { securityPages } from '../../../src/pages/security-account.js';
import type { Flow } from '../../../src/access/oauth/flow.js';
import { openDirectory } from '../../access/accounts/open-directory.js';
import { cheapHash } from '../../setup/cheap-hash.js';

const OLD = 'correct horse battery';
const NEW = 'violet tractors under umbrellas';
const OTHER = 'eleven herons by the weir';

/** Sends the form that changes a password. @param then what happens before the browser is signed in again */
async function change(then: (setPassword: (password: string) => Promise<unknown>) => Promise<unknown>) {
  const directory = await openDirectory();
  const key = secretKey(Buffer.alloc(32, 7));
  const accounts = openAccounts(directory, key);
  const grants = openGrants(directory, key);
  const passwordHash = cheapHash(OLD);
  const user = { id: 'person', role: 'person', records: [] } as const;
  await directory.transact((tx) => accounts.putUser(tx, { ...user, passwordHash }));
  const sessionId = await grants.signIn(grants.newId(), user.id);
  const audited: unknown[] = [];
  const flow = {
    accounts: {
      ...accounts,
      setPassword: async (...given: Parameters<typeof accounts.setPassword>) => {
        const mark = await accounts.setPassword(...given);
        await then((password) => accounts.setPassword(user.id, password));
        return mark;
      },
    },
    grants,
    audit: (action: string) => void audited.push(action),
  } as unknown as Flow;
  const site = { base: 'http://localhost', basePath: '', secure: false } as Site;
  const cookies: string[] = [];
  const context = {
    req: { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    state: { clientAddress: '192.0.2.1' },
    cookies: { get: () => undefined },
    response: { get: () => cookies },
    set: (_: string, lines: string[]) => void cookies.splice(0, cookies.length, ...lines),
  } as unknown as Context;
  const csrf = grants.csrfToken(sessionId);
  const fields = new URLSearchParams({ csrf, current: OLD, password: NEW, again: NEW });
  const request = {
    context,
    body: Buffer.from(fields.toString()),
    visitor: { sessionId, user, page: { csrf } },
  } as unknown as PageRequest;
  const answer = await securityPages(site, flow, {} as RecordedReads).password.POST?.(request);
  const ids = cookies.map((line) => /-session=([^;]*)/.exec(line)?.[1] ?? '');
  const { headers = {} } = answer as { headers?: Record<string, string> };
  return { leadsTo: headers['Location'], users: ids.map((id) => grants.session(id)?.user), audited };
}

it('who changes their password is signed in with it', async () => {
  expect(await change(() => Promise.resolve())).toEqual({
    leadsTo: '/account/security?done=password',
    users: ['person'],
    audited: ['password.changed'],
  });
});

it('who changes their password is not signed in where it was changed once more meanwhile', async () => {
  expect(await change((setPassword) => setPassword(OTHER))).toEqual({
    leadsTo: '/login?return_url=%2Faccount%2Fsecurity',
    users: [],
    audited: ['password.changed', 'sign-in.refused'],
  });
});
