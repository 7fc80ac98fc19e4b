import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startFlowContainer, UI_APP, type FlowContainer } from '../http/oauth/flow-container.js';
import { noChromium, startChromium } from './chromium.js';
import { DESKTOP, look } from './look.js';

describe.skipIf(noChromium !== undefined)('administration in Chromium', () => {
  let container: FlowContainer;
  beforeAll(async () => {
    container = await startFlowContainer({ name: 'Riverside clinic' });
  });
  afterAll(() => container.stop());

  it('has no page with a violation, light or dark, wide or on a phone, and asks before it gives a record', async () => {
    const { accounts } = container;
    const token = await accounts.issueToken({ app: UI_APP, user: 'person', record: '1000001' });
    const url = 'http://localhost:8000/hook';
    await accounts.subscribe({
      ...{ app: UI_APP, token: token.id, user: 'person', record: '1000001', url, position: 0 },
    });
    const { context, stop } = await startChromium({ viewport: DESKTOP });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(`${container.url}/login?return_url=/admin`);
      await page.getByLabel('User name').fill('admin');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      for (const section of [
        'users',
        'emergencies',
        'apps',
        'tokens',
        'webhooks',
        'exports',
        'log',
        'state',
      ]) {
        await page.goto(`${container.url}/admin/${section}`);
        await look(page, `admin-${section}`);
      }
      await page.goto(`${container.url}/admin/users?id=person`);
      await look(page, 'admin-user');
      await page.getByLabel('Record number').fill('1000002');
      await page.getByRole('button', { name: 'Give access' }).click();
      await page
        .getByText('will see everything in the record of Tobias Wrenfield (1000002), and let apps into it.')
        .waitFor();
      await look(page, 'admin-question');
      await page.getByRole('button', { name: 'Give access' }).click();
      await page.getByRole('status').getByText('They have access now.').waitFor();
      expect(accounts.user('person')?.records).toContain('1000002');

      await page.goto(`${container.url}/admin/tokens`);
      await page.getByLabel('User, by name or by what they sign in with').fill('clinician');
      await page.getByRole('button', { name: 'Issue the token' }).click();
      await page.getByText('It opens no record with this token.').waitFor();
      await look(page, 'admin-token-question');
      await page.getByRole('button', { name: 'Issue the token' }).click();
      await page.getByText('Copy this now: it is not shown again.').waitFor();
      await look(page, 'admin-token-shown');
    } finally {
      await stop();
    }
  });
});
