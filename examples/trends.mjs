// Trends: a web app with a server of its own. A person launches it from the page of a record and lets it in (the three
// legs of OAuth 1.0a); it draws blood pressure and one laboratory value over time. Its secret never leaves the server.
import { randomBytes } from 'node:crypto';
import { ChartgraphError, completeAccess, createClient, requestAccess } from 'chartgraph/client';
import { lineChart } from './line-chart.mjs';
import { day, html, messagePage, page, redirect } from './page.mjs';

const MOST_SESSIONS = 1000;

export function trends(appOf) {
  const app = appOf('trends@apps.example.org');
  /** One for each browser: what it asked for, then the token that it was given. */
  const sessions = new Map();

  return async ({ url, headers }) => {
    const own = sessions.get(/(?:^|;\s*)trends=([\w-]+)/.exec(headers.cookie ?? '')?.[1]);
    switch (url.pathname) {
      case '/trends/index.html':
        return start(url.searchParams.get('record_id') ?? undefined);
      case '/trends/authorized':
        return own?.request ? allowed(own, url) : again();
      case '/trends/chart':
        return own?.access ? chart(own.access, url.searchParams.get('test')) : again();
      default:
        return undefined;
    }
  };

  // Legs one and two: ask for a request token, and send the browser to the container.
  async function start(recordId) {
    const request = await requestAccess(app, recordId === undefined ? {} : { recordId });
    const id = randomBytes(18).toString('base64url');
    sessions.set(id, { request });
    if (sessions.size > MOST_SESSIONS) sessions.delete(sessions.keys().next().value);
    // The request belongs to this browser: nobody else can finish it.
    return redirect(request.url, { 'Set-Cookie': `trends=${id}; Path=/trends; HttpOnly; SameSite=Lax` });
  }

  // Leg three: the browser is back with the verifier, which buys an access token, once.
  async function allowed(session, url) {
    const { request } = session;
    session.request = undefined;
    try {
      session.access = await completeAccess(app, request, url);
    } catch (error) {
      if (!(error instanceof ChartgraphError) || error.kind !== 'refused') throw error;
      return {
        status: 403,
        body: messagePage('Trends was not let in', 'You can close this page, or launch the app again.'),
      };
    }
    return redirect('/trends/chart');
  }

  async function chart({ recordId, ...token }, wanted) {
    const client = createClient({ ...app, ...token });
    const given = { record_id: recordId };
    const [person, vitals, labs] = await Promise.all([
      client.get_demographics(given),
      client.get_vital_sign_sets(given),
      client.get_lab_results(given),
    ]);
    const pressures = vitals.objects.filter(({ bloodPressure }) => bloodPressure).sort(byDate);
    const tests = byTest(labs.objects);
    const test = tests.find(({ name }) => name === wanted) ?? tests[0];
    const { given_name, family_name } = person.object.n;
    return {
      body: page({
        title: `${given_name} ${family_name}`,
        app: 'Trends',
        lead: `Born ${day(person.object.bday ?? '')}, record ${recordId}`,
        content: html`
          ${pressureOf(pressures)}
          ${test ? labOf(test, tests) : html`<p>No laboratory values with numbers.</p>`}
          <p>
            <a href="${app.baseUrl}/account/records/${encodeURIComponent(recordId)}">Back to the record</a>
          </p>
        `,
      }),
    };
  }
}

const again = () => ({
  status: 400,
  body: messagePage('Nothing to show yet', 'Launch Trends from the page of a record.'),
});
const byDate = (a, b) => (a.date < b.date ? -1 : 1);

/** Results with a number by the name of their test, the longest line first. */
function byTest(results) {
  const tests = new Map();
  for (const result of results.filter(({ quantitativeResult }) => quantitativeResult).sort(byDate))
    tests.set(result.labName.title, [...(tests.get(result.labName.title) ?? []), result]);
  return [...tests]
    .map(([name, all]) => ({ name, results: all }))
    .sort((a, b) => b.results.length - a.results.length || (a.name < b.name ? -1 : 1));
}

function pressureOf(sets) {
  if (sets.length === 0) return html`<p>No blood pressure was measured.</p>`;
  const points = (which) =>
    sets.map(({ date, bloodPressure }) => ({ date, value: Number(bloodPressure[which].value) }));
  return html`<section>
    <h2>Blood pressure</h2>
    ${lineChart({
      title: 'Blood pressure over time',
      unit: 'mm[Hg]',
      lines: [
        { name: 'systolic', points: points('systolic') },
        { name: 'diastolic', points: points('diastolic') },
      ],
    })}
  </section>`;
}

function labOf({ name, results }, tests) {
  const { normalRange } = results[0].quantitativeResult;
  const band = normalRange && {
    min: Number(normalRange.minimum.value),
    max: Number(normalRange.maximum.value),
    label: 'normal range',
  };
  const points = results.map(({ date, quantitativeResult }) => ({
    date,
    value: Number(quantitativeResult.valueAndUnit.value),
  }));
  return html`<section>
    <h2>${name}</h2>
    ${lineChart({ title: `${name} over time`, unit: results[0].quantitativeResult.valueAndUnit.unit, band, lines: [{ name, points }] })}
    <nav aria-label="Other tests">
      <ul class="choices">
        ${tests.map((test) =>
          test.name === name
            ? html`<li><strong aria-current="true">${test.name}</strong></li>`
            : html`<li><a href="?test=${encodeURIComponent(test.name)}">${test.name}</a></li>`,
        )}
      </ul>
    </nav>
  </section>`;
}
