import { appRows, type StartableApp } from './app-rows.js';
import { html } from './html.js';
import type { Page, PageContext } from './layout.js';

/** What the start page shows. */
export interface Home {
  readonly description: string;
  /** Apps that a person can start. */
  readonly apps: readonly StartableApp[];
}

/** The start page: what this is, and the apps for whoever is signed in. */
export function homePage({ container, basePath, reader }: PageContext, { description, apps }: Home): Page {
  return {
    title: 'Start',
    content: html`<section class="sheet">
        <h1>${container}</h1>
        <p>${description}</p>
        ${
          reader
            ? html`<h2>Apps</h2>
                ${apps.length === 0 && html`<p>No app is installed.</p>`} ${appRows(basePath, apps)}`
            : html`<div class="actions">
                <a class="button" href="${basePath}/login?return_url=${basePath}/account">Sign in</a>
              </div>`
        }
      </section>
      <section class="sheet">
        <h2>For developers</h2>
        <p class="small">
          <a href="${basePath}/docs">Documentation</a> · <a href="${basePath}/manifest">Manifest</a> ·
          <a href="${basePath}/ontology">Ontology</a> ·
          <a href="${basePath}/apps/manifests/">Installed apps</a>
        </p>
      </section>`,
  };
}
