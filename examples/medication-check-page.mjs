// Medication check: an app that runs in the browser, on another origin than the container. It gets its token by the
// three legs of OAuth 1.0a, reads the medications of one record, and shows which of them have run out. The token is
// kept no longer than the page. What was seen can be written into the record as a clinical note.
import { completeAccess, createClient, requestAccess } from './chartgraph-client.mjs';

const DAY = 24 * 60 * 60 * 1000;
const [WIDTH, HEIGHT] = [640, 28];
const content = document.getElementById('content');

/** An element with its attributes and children; texts are texts. */
function element(name, attributes = {}, ...children) {
  const isDrawing = ['svg', 'rect', 'line', 'title'].includes(name);
  const made = isDrawing
    ? document.createElementNS('http://www.w3.org/2000/svg', name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const day = (time) =>
  new Date(time).toLocaleDateString('en-GB', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });

async function run() {
  const app = await (await fetch('/medications/app.json')).json();
  const waiting = sessionStorage.getItem('request');
  if (!location.pathname.endsWith('/authorized') || waiting === null) {
    // Legs one and two: ask for a request token, and go to the container. Without a record the person chooses one.
    const record = new URLSearchParams(location.search).get('record_id');
    const request = await requestAccess(app, record === null ? {} : { recordId: record });
    sessionStorage.setItem('request', JSON.stringify(request));
    location.assign(request.url);
    return;
  }
  // Leg three: back with the verifier, which buys an access token, once.
  sessionStorage.removeItem('request');
  const { recordId, ...token } = await completeAccess(app, JSON.parse(waiting), location.href);
  history.replaceState(null, '', '/medications/authorized');
  await show(createClient({ ...app, ...token }), recordId, app.baseUrl);
}

async function show(client, record_id, container) {
  const [person, { objects }] = await Promise.all([
    client.get_demographics({ record_id }),
    client.get_medications({ record_id }),
  ]);
  const { given_name, family_name } = person.object.n;
  document.querySelector('h1').textContent = `Medications of ${given_name} ${family_name}`;
  const current = objects.filter(isCurrent).map(supplyOf);
  const first = Math.min(...current.flatMap(({ handedOut }) => handedOut.map(({ from }) => from)));
  const out = current.filter(({ until }) => until !== undefined && until < Date.now());
  content.replaceChildren(
    element('p', { class: 'lead' }, sentence(current.length, out.length)),
    element('ul', { class: 'cards' }, ...current.map((each) => card(each, first))),
    ...(out.length > 0 ? [noteButton(client, record_id, out)] : []),
    element(
      'p',
      {},
      element(
        'a',
        { href: `${container}/account/records/${encodeURIComponent(record_id)}` },
        'Back to the record',
      ),
    ),
  );
}

function sentence(all, out) {
  if (all === 0) return 'There are no current medications.';
  return out === 0
    ? `All ${all} current medications are at hand.`
    : `${out} of ${all} current medications have run out.`;
}

/** Whether a medication is still taken: it has not ended, and its status does not say that it was stopped or completed. */
function isCurrent({ endDate, medicationStatus }) {
  return endDate === undefined && !['stopped', 'completed'].includes(medicationStatus?.code.identifier);
}

/** A medication with the times that a pharmacy handed it out, and until when the last supply lasts. */
function supplyOf({ drugName, instructions, fulfillment }) {
  const handedOut = fulfillment
    .filter(({ type }) => type === 'Fulfillment')
    .map(({ date, dispenseDaysSupply }) => ({
      from: Date.parse(date),
      until: Date.parse(date) + Number(dispenseDaysSupply) * DAY,
    }))
    .sort((a, b) => a.from - b.from);
  return { name: drugName.title, instructions, handedOut, until: handedOut.at(-1)?.until };
}

function card({ name, instructions, handedOut, until }, first) {
  const isOut = until !== undefined && until < Date.now();
  const says =
    until === undefined
      ? 'No supply is recorded'
      : isOut
        ? `Ran out on ${day(until)}`
        : `Lasts until ${day(until)}`;
  return element(
    'li',
    {},
    element('h2', {}, name),
    element('p', { class: 'quiet' }, instructions),
    ...(handedOut.length > 0 ? timeline(name, handedOut, first) : []),
    element('p', { class: until === undefined ? 'status' : isOut ? 'status bad' : 'status good' }, says),
  );
}

/** What was handed out, as bars on one scale of time for all medications. */
function timeline(name, handedOut, first) {
  const last = Math.max(...handedOut.map(({ until }) => until), Date.now());
  const x = (time) => (((time - first) / (last - first)) * WIDTH).toFixed(1);
  const bars = handedOut.map(({ from, until }) =>
    element(
      'rect',
      { class: 'supply', x: x(from), y: 4, height: HEIGHT - 8, width: Math.max(x(until) - x(from) - 1.5, 2) },
      element('title', {}, `${day(from)} to ${day(until)}`),
    ),
  );
  const label = `Supplies of ${name} since ${day(first)}`;
  const drawing = element(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
    element('rect', { class: 'track', x: 0, y: 4, width: WIDTH, height: HEIGHT - 8 }),
    ...bars,
  );
  const ends = [first, last].map((time) =>
    element('span', {}, Math.abs(time - Date.now()) < DAY ? 'today' : day(time)),
  );
  return [drawing, element('p', { class: 'ends', 'aria-hidden': 'true' }, ...ends)];
}

/** Writes what was seen into the record: a plain object, which the client checks before it is sent. */
function noteButton(client, record_id, out) {
  const button = element('button', { type: 'button' }, 'Write a note of it');
  button.addEventListener('click', async () => {
    button.disabled = true;
    const text = out.map(({ name, until }) => `${name}: ran out on ${day(until)}.`).join('\n');
    await client.post_clinical_note(
      { record_id },
      {
        title: 'Medications that have run out',
        date: new Date().toISOString().slice(0, 10),
        format: { iri: 'http://purl.org/NET/mediatypes/text/plain', label: 'text/plain' },
        resource: { content: { encoding: 'UTF-8', value: text } },
      },
      { idempotencyKey: crypto.randomUUID() },
    );
    button.replaceWith(element('p', { class: 'status good' }, 'The note is in the record.'));
  });
  return button;
}

run().catch((error) => {
  const start = element('a', { href: '/medications/index.html' }, 'Start again');
  content.replaceChildren(element('p', {}, error.message), element('p', {}, start));
});
