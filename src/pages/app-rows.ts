import type { Html } from './html.js';
import { linkRows } from './rows-table.js';

/** An app that a person can start. */
export interface StartableApp {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** Apps as links to the pages that launch them. */
export function appRows(basePath: string, apps: readonly StartableApp[]): Html {
  return linkRows(
    apps.map(({ id, name, description }) => ({
      href: `${basePath}/apps/${encodeURIComponent(id)}/launch`,
      title: name,
      description,
    })),
  );
}
