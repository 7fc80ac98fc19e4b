// Chart frame: shows which other apps there are, and launches them with the record that it was opened with. What it
// reads needs no record, so it asks nobody: it signs with its own key alone.
import { createClient } from 'chartgraph/client';
import { html, page } from './page.mjs';

export function chartFrame(appOf) {
  const app = appOf('demo-frame@apps.example.org');
  const client = createClient(app);

  return async ({ url }) => {
    if (!/^\/frame\/(index\.html|authorized)$/.test(url.pathname)) return undefined;
    const record = url.searchParams.get('record_id');
    const { object: manifests } = await client.get_app_manifests();
    const others = manifests.filter(({ id, index }) => index !== undefined && id !== app.consumerKey);
    const query = record === null ? '' : `?record_id=${encodeURIComponent(record)}`;
    return {
      body: page({
        title: record === null ? 'Apps' : `Apps for record ${record}`,
        app: 'Chart frame',
        content: html`<ul class="apps">
          ${others.map(
            ({ id, name, description }) =>
              html`<li>
                <a href="${app.baseUrl}/apps/${encodeURIComponent(id)}/launch${query}"
                  ><strong>${name}</strong> ${description}</a
                >
              </li>`,
          )}
        </ul>`,
      }),
    };
  };
}
