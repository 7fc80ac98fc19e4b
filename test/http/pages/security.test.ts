import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startFlowContainer, UI_APP, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainPage } from '../oauth/plain-browser.js';

let container: FlowContainer;
beforeAll(async () => {
  container = await startFlowContainer();
});
afterAll(() => container.stop());

const NEW = 'violet tractors under seven umbrellas';

describe('/account/security', () => {
  it('is linked from the menu and shows where somebody is signed in', async () => {
    const browser = await container.browser('clinician');
    const other = await container.browser('clinician');
    expect((await browser.open('/')).html).toContain('href="/account/security"');
    const page = await browser.open('/account/security');
    expect([...page.html.matchAll(/Another browser/g)]).toHaveLength(1);
    expect([...page.html.matchAll(/This browser/g)]).toHaveLength(1);
    for (const [, name = ''] of page.html.matchAll(/<button class="danger" aria-label="([^"]*)"/g))
      expect(name).toMatch(/^End session /);

    const handle = /Another browser[\s\S]*?name="session" value="(\w+)"/.exec(page.html)?.[1] ?? '';
    // Nobody ends the session of somebody else.
    const stranger = await container.browser('person');
    const theirs = await stranger.open('/account/security');
    await stranger.submit(theirs, { session: handle }, '/sessions');
    expect((await other.open('/account/security')).status).toBe(200);
    const ended = await browser.submit(page, { session: handle }, '/sessions');
    expect([ended.status, ended.headers.get('Location')]).toEqual([303, '/account/security?done=session']);
    expect((await other.open('/account/security')).status).toBe(302);
    expect((await browser.open('/account/security')).status).toBe(200);
  });

  it('changes a password only for who knows it, and to one that holds', async () => {
    const browser = await container.browser('analyst');
    const page = await browser.open('/account/security');
    const change = (fields: Record<string, string>): Promise<PlainPage> =>
      browser.submit(page, { current: PASSWORD, password: NEW, again: NEW, ...fields }, '/password');
    for (const [fields, status, sentence] of [
      [{ current: 'wrong' }, 403, 'The current password is wrong.'],
      [{ again: 'something else' }, 400, 'The new passwords differ.'],
      [{ password: 'short', again: 'short' }, 400, 'A password has at least 12 characters.'],
      [{ password: 'passwordpassword', again: 'passwordpassword' }, 400, 'easy to guess'],
    ] as const) {
      const answer = await change(fields);
      expect([answer.status, answer.html.includes(sentence)]).toEqual([status, true]);
    }
    expect(await container.accounts.checkPassword('analyst', PASSWORD)).toBe(true);
  });

  it('ends other sessions with the password, and the access of apps where that is wished', async () => {
    const access = await container.accounts.issueToken({ app: UI_APP, user: 'person', record: '1000001' });
    const browser = await container.browser('person');
    const other = await container.browser('person');
    const change = async (
      current: string,
      password: string,
      more: Record<string, string>,
    ): Promise<PlainPage> =>
      browser.submit(
        await browser.open('/account/security'),
        { current, password, again: password, ...more },
        '/password',
      );
    const changed = await change(PASSWORD, NEW, {});
    expect([changed.status, changed.headers.get('Location')]).toEqual([
      303,
      '/account/security?done=password',
    ]);
    expect((await browser.open('/account/security?done=password')).html).toContain(
      'Your password is changed.',
    );
    expect((await other.open('/account/security')).status).toBe(302);
    expect(container.accounts.token(access.token)?.revoked).toBe(false);

    const again = await change(NEW, `${NEW} again`, { end_apps: '1' });
    expect(again.headers.get('Location')).toBe('/account/security?done=password-and-apps');
    expect(container.accounts.token(access.token)?.revoked).toBe(true);
    expect((await (await container.browser()).signIn('person', PASSWORD)).status).toBe(403);
    expect((await (await container.browser()).signIn('person', `${NEW} again`)).status).toBe(303);
  });
});
