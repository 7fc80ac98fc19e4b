// Night watch: a background app. Without a person it walks through all records, and lists the laboratory tests that
// are due again. It shows what it found to whoever opens its page: it belongs beside demo data and nothing else.
import { createClient, forEachRecord } from 'chartgraph/client';
import { day, html, page } from './page.mjs';

const DAY = 24 * 60 * 60 * 1000;
/** After how many days a test is due again, by its LOINC code. */
const dueAfter = {
  '4548-4': 180, // Hemoglobin A1c
  '6301-6': 42, // INR
  '3016-3': 365, // Thyrotropin
  '2160-0': 365, // Creatinine
  '2823-3': 180, // Potassium
  '718-7': 365, // Hemoglobin
};

export function nightWatch(appOf) {
  const app = appOf('demo-background@apps.example.org');
  let round;

  return async ({ url, method }) => {
    if (url.pathname !== '/night-watch/') return undefined;
    if (method === 'POST') round = undefined;
    // One at a time, and the last one is shown until somebody asks for another.
    round ??= walk().catch((error) => {
      round = undefined;
      throw error;
    });
    return { body: report(await round) };
  };

  async function walk() {
    const due = [];
    const records = await forEachRecord(app, async ({ recordId, ...token }) => {
      const client = createClient({ ...app, ...token });
      const latest = new Map();
      // A page at a time, so that a long record needs no more memory than a short one.
      const results = await client.get_lab_results({ record_id: recordId, limit: 100 });
      for await (const { labName, date } of results.items()) {
        const known = latest.get(labName.code.identifier);
        if (!known || known.date < date) latest.set(labName.code.identifier, { name: labName.title, date });
      }
      for (const [code, { name, date }] of latest) {
        const days = Math.floor((Date.now() - Date.parse(date)) / DAY);
        if (days > dueAfter[code])
          due.push({ recordId, name, date, late: days - dueAfter[code], share: dueAfter[code] / days });
      }
    });
    return {
      records,
      due: due.sort((a, b) => a.recordId.localeCompare(b.recordId) || b.late - a.late),
      time: new Date(),
    };
  }
}

function report({ records, due, time }) {
  return page({
    title: 'Tests that are due again',
    app: 'Night watch',
    lead: `${due.length} tests in ${new Set(due.map(({ recordId }) => recordId)).size} of ${records} records, at ${time.toISOString().slice(11, 16)} UTC`,
    content: html`
      <form method="post"><button>Walk again</button></form>
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">Record</th>
              <th scope="col">Test</th>
              <th scope="col">Overdue</th>
            </tr>
          </thead>
          <tbody>
            ${due.map(
              ({ recordId, name, date, late, share }) =>
                html`<tr>
                  <th scope="row">${recordId}</th>
                  <td>${name} <span class="quiet">last on ${day(date)}</span></td>
                  <td class="late">
                    <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                      <rect class="bad" width="100" height="8" />
                      <rect class="valid" width="${(share * 100).toFixed(1)}" height="8" />
                    </svg>
                    ${late} days
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="quiet">
        A bar is the time since the last result. Grey is how long that result was good for, red is what came
        after.
      </p>
    `,
  });
}
