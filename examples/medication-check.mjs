// The server of Medication check: it hands out files and the key of the app, and sees nothing of any record. All else
// happens in the browser, in medication-check-page.mjs.
import { join } from 'node:path';
import { file, html, page } from './page.mjs';

/** Where the build writes the client as one file for pages without a bundler. */
const client = join(import.meta.dirname, '..', 'dist', 'chartgraph-client');

export function medicationCheck(appOf) {
  const app = appOf('demo-ui@apps.example.org');
  const body = page({
    title: 'Medication check',
    app: 'Medication check',
    script: '/medications/medication-check-page.mjs',
    content: html`<div id="content" aria-live="polite"><p>Loading …</p></div>
      <noscript><p>This app needs scripts.</p></noscript>`,
  });

  return async ({ url }) => {
    switch (url.pathname) {
      case '/medications/index.html':
      case '/medications/authorized':
        return { body };
      // Whoever uses an app in a browser can find its secret: it proves which app this is only as far as that.
      case '/medications/app.json':
        return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(app) };
      case '/medications/chartgraph-client.mjs':
        return file('bundle.js', client);
      case '/medications/medication-check-page.mjs':
        return file('medication-check-page.mjs');
      default:
        return undefined;
    }
  };
}
