import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 800 };
/** Where screenshots go; none are taken without it. */
const SHOTS = process.env['CHARTGRAPH_SCREENSHOTS'];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Nothing needs sideways scrolling, and axe finds nothing, whether it is light or dark; pictures for who wants some. */
export async function look(page: Page, name: string): Promise<void> {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport);
      const [scroll, width] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      );
      expect(`${name} ${viewport.width}: ${scroll}`).toBe(
        `${name} ${viewport.width}: ${Math.min(scroll, width)}`,
      );
      if (SHOTS === undefined) continue;
      await mkdir(SHOTS, { recursive: true });
      const path = join(SHOTS, `${name}-${viewport.width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
    // As wide as it is read: what is hidden on a phone is looked at as well.
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      const violations = await page.evaluate<readonly Violation[]>(
        `${axe}; axe.run().then(({ violations }) => violations)`,
      );
      expect(
        violations.map(({ id, nodes }) => [name, colorScheme, id, nodes.slice(0, 3).map(({ html }) => html)]),
      ).toEqual([]);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
