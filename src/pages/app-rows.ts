import { html, type Html } from './html.js';

/** An app that a person can start. */
export interface StartableApp {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** Apps as links to the pages that launch them. */
export function appRows(basePath: string, apps: readonly StartableApp[]): Html {
  return html`<ul class="rows">
    ${apps.map(
      ({ id, name, description }) =>
        html`<li>
          <a class="row" href="${basePath}/apps/${encodeURIComponent(id)}/launch"
            ><strong>${name}</strong><span class="quiet small">${description}</span></a
          >
        </li>`,
    )}
  </ul>`;
}
