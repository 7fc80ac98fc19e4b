// The longest turn of the event loop that a body of each kind takes on a server, nearly as long as it may be: processor
// time of the thread that answers, the least of some rounds, so that other load of the machine counts for little.
import { documentForms, forms, keptTexts, postedNotes } from './lib/longest-bodies.mjs';
import { copyOf, patients, removeData } from './lib/data.mjs';
import { short } from './lib/measure.mjs';
import { recordIds } from './lib/requests.mjs';
import { credentials, loopDelays, serve } from './lib/servers.mjs';
import { signRequest } from '../dist/access/oauth/sign-request.js';

const ROUNDS = 3;
const [wanted] = process.argv.slice(2);

const data = await copyOf(await patients(20));
const [record] = recordIds(data).small;
const as = (await credentials(data.dir, [record])).get(record);
// Without a budget that would slow it: what is looked for is what each body takes.
const settings = ['--sender-budget', '1000', '--post-quota', '4096'];
const server = await serve(data.dir, { workers: 1, analysts: true, delays: true, settings });

async function send(method, path, { text, type }) {
  const url = server.url + path;
  // The body of a document that comes as a form is not what is signed.
  const covered =
    path.includes('notes') && type.endsWith('urlencoded') ? {} : { body: text, contentType: type };
  const signature = signRequest({ method, url, ...as, ...covered });
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': type, Authorization: signature },
    body: text,
  });
  await response.arrayBuffer();
  return response.status;
}

/** Sends one kind of body some times. @returns what to print */
async function measure(route, method, path, name, make) {
  const body = make();
  let [least, all, status] = [Infinity, Infinity, 0];
  for (let round = 0; round < ROUNDS; round++) {
    await loopDelays(server);
    status = await send(method, path, body);
    const [{ busiest, busy }] = await loopDelays(server);
    [least, all] = [Math.min(least, busiest), Math.min(all, busy)];
  }
  return { route, name, status, bytes: Buffer.byteLength(body.text), least, all };
}

const notes = `/records/${record}/clinical_notes/`;
const scratchpad = `/records/${record}/apps/${as.consumerKey}/scratchpad`;
function* kinds() {
  for (const [name, make] of postedNotes()) yield ['POST note', 'POST', notes, name, make];
  for (const [name, make] of Object.entries(forms)) yield ['PUT scratchpad', 'PUT', scratchpad, name, make];
  for (const [name, make] of Object.entries(documentForms)) {
    yield ['POST note', 'POST', notes, name, make];
    yield ['POST note, another signature', 'POST', `${notes}?`, name, make];
  }
  for (const [name, make] of Object.entries(keptTexts))
    yield ['PUT scratchpad', 'PUT', scratchpad, name, make];
}

try {
  for (const kind of kinds()) {
    if (wanted !== undefined && !`${kind[0]}: ${kind[3]}`.includes(wanted)) continue;
    const { route, name, status, bytes, least, all } = await measure(...kind);
    console.log(
      `${short(least).padStart(6)} ms of ${short(all).padStart(6)}  ${status} ${short(bytes / 1024).padStart(6)} KB  ${route}: ${name}`,
    );
  }
} finally {
  await server.stop();
  await removeData();
}
