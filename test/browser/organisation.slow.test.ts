import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMapping } from '../../src/access/sign-on/claim-mapping.js';
import { startFlowContainer, type FlowContainer } from '../http/oauth/flow-container.js';
import { CLIENT, startHospital, type Hospital } from '../http/sign-in/hospital.js';
import { noChromium, startChromium } from './chromium.js';
import { DESKTOP, look } from './look.js';

// Skipped where there is no Chromium to start: the message says what is missing.
describe.skipIf(noChromium !== undefined)('a sign-in with an organisation in Chromium', () => {
  let hospital: Hospital;
  let container: FlowContainer;

  beforeAll(async () => {
    hospital = await startHospital();
    const roles = [{ value: 'physicians', role: 'clinician' }];
    const mapping = readMapping({
      ...{ name: 'the hospital', user: 'preferred_username', newUsers: true, role: 'groups', roles },
      scope: 'openid profile groups',
    });
    const { id: clientId, secret: clientSecret } = CLIENT;
    container = await startFlowContainer({
      passwords: false,
      signOn: { issuer: hospital.issuer, clientId, clientSecret, mapping },
    });
    hospital.serve(container.url);
    const ada = { preferred_username: 'ada', given_name: 'Ada', family_name: 'Quillane' };
    hospital.accounts.set('1', { ...ada, groups: ['physicians'] });
    hospital.who = '1';
  });
  afterAll(async () => {
    await container.stop();
    await hospital.stop();
  });

  it('leads to where the person was going, and ends there and here when they sign out', async () => {
    const { context, stop } = await startChromium({ viewport: DESKTOP });
    try {
      const page = await context.newPage();
      await page.goto(`${container.url}/account/security`);
      await look(page, 'organisation-sign-in');
      await page.getByRole('link', { name: 'Sign in with the hospital' }).click();
      await page.waitForURL(`${container.url}/account/security`);
      await look(page, 'organisation-security');
      await page.getByRole('button', { name: 'Sign out Ada Quillane' }).click();
      // The provider asks whether to end the session there, too.
      await page.waitForURL(`${hospital.issuer}/session/end**`);
      await page.getByRole('button', { name: /yes/i }).click();
      await page.waitForURL(`${container.url}/login?signed_out=1`);
      expect(await page.getByText('You are signed out.').count()).toBe(1);
      await page.goto(`${container.url}/account/security`);
      expect(page.url()).toContain('/login?return_url=');
    } finally {
      await stop();
    }
  });
});
