import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noteUnserved } from '../../../src/records/example-apps.js';
import { readSeedApps } from '../../../src/records/seed.js';
import { startFlowContainer } from '../oauth/flow-container.js';

const NAME = 'Medication check';

it('offers no example app that is not served, and says so where it is installed', async () => {
  const examples = await readSeedApps(join(import.meta.dirname, '..', '..', '..', 'seed'));
  const container = await startFlowContainer({
    // One of them has other addresses than what is installed, so somebody serves that.
    unservedApps: examples.map((each) => (each.mode === 'frame_ui' ? { ...each, version: '0' } : each)),
  });
  try {
    const clinician = await container.browser('clinician');
    for (const path of ['/', '/account', '/account/records/1000001']) {
      const { html } = await clinician.open(path);
      expect(html, path).not.toContain(NAME);
      expect(html, path).toContain('Chart frame');
    }
    const admin = await container.browser('admin');
    expect((await admin.open('/admin/tokens')).html).not.toContain(NAME);
    expect((await admin.open('/admin/apps?q=Medication')).html).toContain('example, not served here');
    // Other records have come, beside which no example is served any more.
    await container.directory.transact((tx) => {
      noteUnserved(tx, examples);
    });
    for (const path of ['/', '/account', '/account/records/1000001'])
      expect((await clinician.open(path)).html, path).not.toContain('Chart frame');
  } finally {
    await container.stop();
  }
});
