import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type BrowserContextOptions } from 'playwright-core';

const PROGRAM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why browser tests cannot run here; undefined when they can. */
export const noChromium = existsSync(PROGRAM)
  ? undefined
  : `there is no ${PROGRAM}; install Debian's chromium, or name one in CHROMIUM`;

/** A headless browser of its own, with a profile that nobody used. */
export async function startChromium(
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; stop: () => Promise<void> }> {
  const profile = await mkdtemp(join(tmpdir(), 'chartgraph-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...options,
    executablePath: PROGRAM,
    headless: true,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return {
    context,
    stop: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
