import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { PASSWORD, startFlowContainer, type FlowContainer } from '../http/oauth/flow-container.js';
import { noChromium, startChromium } from './chromium.js';
import { DESKTOP, look } from './look.js';

const REASON = 'Unconscious after a fall';

describe.skipIf(noChromium !== undefined)('an emergency in Chromium', () => {
  let container: FlowContainer;
  beforeAll(async () => {
    container = await startFlowContainer({ name: 'Riverside clinic', clinicians: 'related' });
    await container.directory.transact((tx) =>
      container.accounts.putUser(tx, { id: 'clinician', role: 'clinician', records: ['1000001'] }),
    );
  });
  afterAll(() => container.stop());

  async function as(user: string, work: (page: Page) => Promise<void>): Promise<void> {
    const { context, stop } = await startChromium({ viewport: DESKTOP });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(`${container.url}/login?return_url=/account`);
      await page.getByLabel('User name').fill(user);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/account');
      await work(page);
    } finally {
      await stop();
    }
  }

  it('a clinician finds their patient and opens another; the patient sees it, and an admin is told and ends it', async () => {
    await as('clinician', async (page) => {
      const records = page.getByRole('list', { name: 'Records' }).getByRole('link');
      await records.getByText('Harriet Maud Lindqvale').waitFor();
      expect(await records.count()).toBe(1);
      await look(page, 'emergency-search');
      await page.goto(`${container.url}/account/records/1000004`);
      await page.getByText('This is not a record of your patients').first().waitFor();
      await look(page, 'emergency-refused');
      await page.goto(`${container.url}/account`);
      await page.getByRole('link', { name: 'Open another record in an emergency' }).click();
      await page.getByLabel('Given name').fill('Niamh');
      await page.getByLabel('Family name').fill('Dellacroft');
      await page.getByLabel('Date of birth').fill('8 September 1992');
      await page.getByLabel('Why you open the record').fill(REASON);
      await look(page, 'emergency-form');
      await page.getByRole('button', { name: 'Open the record' }).click();
      await page.waitForURL('**/account/records/1000004');
      await page.getByText('Niamh Dellacroft').first().waitFor();
    });
    await as('person', async (page) => {
      await page.goto(`${container.url}/account/accesses/1000004`);
      const ofClinician = page.getByRole('group').filter({ hasText: 'Amara Oxendale' });
      const act = ofClinician.getByText('Opened the record in an emergency, for eight hours');
      await act.getByText(`Why: ${REASON}`).waitFor();
      await look(page, 'emergency-who-looked');
    });
    await as('admin', async (page) => {
      await page.goto(`${container.url}/admin/emergencies`);
      await page.getByText(REASON).waitFor();
      await look(page, 'emergency-admin');
      await page.getByRole('link', { name: 'clinician', exact: true }).click();
      await page.getByRole('button', { name: 'End access' }).click();
      await page.getByText('ends at once').waitFor();
      await page.getByRole('button', { name: 'End access' }).click();
      await page.getByText('No record is open in an emergency now.').waitFor();
    });
    expect(container.accounts.mayOpen('clinician', '1000004')).toBe(false);
  });
});
