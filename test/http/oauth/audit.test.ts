import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerOf,
  BACKGROUND_APP,
  PASSWORD,
  startFlowContainer,
  UI_APP,
  type FlowContainer,
} from './flow-container.js';

let container: FlowContainer;
let log = '';
beforeAll(async () => {
  const sink = new Writable({
    write(piece: Buffer, _, done) {
      log += piece.toString();
      done();
    },
  });
  container = await startFlowContainer({ log: pino({ level: 'trace' }, sink) });
});
afterAll(() => container.stop());

describe('the audit log', () => {
  it('has one structured line for every decision, and no secret in any', async () => {
    log = '';
    const request = await container.requestToken(UI_APP, '1000001');
    const browser = await container.browser();
    await browser.signIn('person', 'a wrong password');
    await browser.signIn('hunter2-typed-as-name', 'x');
    await browser.signIn('person', PASSWORD);
    const { verifier } = await container.allow(browser, request['oauth_token'] ?? '');
    await container.exchange(request, 'a wrong verifier');
    const access = await answerOf(await container.exchange(request, verifier));
    await container.exchange(request, verifier);
    await container.signed('/records/1000001/problems/', UI_APP, { method: 'GET', token: access });
    await container.signed('/records/1000002/problems/', UI_APP, { method: 'GET', token: access });
    await container.signed('/records/1000001/problems/', 'nobody', { method: 'GET' });
    const second = await container.requestToken(UI_APP, '1000004');
    const page = await browser.open(container.authorizeUrl(second['oauth_token'] ?? ''));
    await browser.submit(page, { decision: 'deny' });
    const third = await container.requestToken(UI_APP, '1000002');
    await browser.open(container.authorizeUrl(third['oauth_token'] ?? ''));
    await browser.open(container.authorizeUrl('unknown'));
    const background = await answerOf(
      await container.signed(`/apps/${BACKGROUND_APP}/tokens/records/first`, BACKGROUND_APP),
    );
    await container.signed(`/apps/${BACKGROUND_APP}/tokens/records/first`, UI_APP);
    const apps = await browser.open('/account/apps');
    await browser.submit(apps, {}, '/account/apps');
    await browser.open(`/apps/${UI_APP}/launch?record_id=1000001`);
    await browser.open(`/apps/${UI_APP}/launch?record_id=1000002`);
    await browser.open(`/apps/${UI_APP}/launch?record_id=hunter2%20typed`);
    const cookies = [...browser.cookies.values()];
    await browser.submit(await browser.open('/logout'), {}, '/logout');

    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const decisions = lines.filter(({ audit }) => audit !== undefined);
    const token_id = container.accounts.token(access['oauth_token'] ?? '')?.id;
    expect(decisions.map(({ audit }) => audit)).toEqual([
      'request-token.issued',
      'sign-in.refused',
      'sign-in.refused',
      'sign-in.accepted',
      'request-token.opened',
      'request-token.opened',
      'access.allowed',
      'access-token.refused',
      'access-token.issued',
      'request-token.issued',
      'request-token.opened',
      'request-token.opened',
      'access.denied',
      'request-token.issued',
      'request-token.opened',
      'access.refused',
      'request-token.not-opened',
      'background-token.issued',
      'background-token.refused',
      'access.revoked',
      'app.launched',
      'access.refused',
      'access.refused',
      'sign-out',
    ]);
    expect(decisions[8]).toMatchObject({ app: UI_APP, user: 'person', record: '1000001', token_id });

    const requests = lines.filter(({ msg }) => msg === 'request');
    // The exchange of a request token that is gone, and the call of an unknown app.
    expect(requests.filter(({ refused }) => refused !== undefined).map(({ refused }) => refused)).toEqual([
      'verifier',
      'token',
      'consumer',
    ]);
    expect(requests.filter((line) => line['token_id'] === token_id).map(({ status }) => status)).toEqual([
      200, 403,
    ]);

    const secrets = [
      ...Object.values(container.secrets),
      ...[request, access, second, third, background].flatMap((answer) => [
        answer['oauth_token'],
        answer['oauth_token_secret'],
      ]),
      ...cookies,
      verifier,
      PASSWORD,
      'wrong',
      'hunter2',
      'oauth_signature',
    ];
    for (const secret of secrets) expect(log).not.toContain(secret);
  });
});
