// The longest turn of the event loop that a body of each kind takes on a server, nearly as long as it may be, and that
// each GET of large data takes: processor time of the thread that answers, the least of some rounds, so that other load
// of the machine counts for little. An argument chooses those whose names hold it.
import { documentForms, forms, keptTexts, postedNotes, shortNote } from './lib/longest-bodies.mjs';
import { longestRecord } from './lib/longest-reads.mjs';
import { adminReads, pageReads, signedReads } from './lib/read-paths.mjs';
import { copyOf, patients, removeData } from './lib/data.mjs';
import { short } from './lib/measure.mjs';
import { recordIds } from './lib/requests.mjs';
import { credentials, loopDelays, serve } from './lib/servers.mjs';
import { signedIn } from './lib/session.mjs';
import { signRequest } from '../dist/access/oauth/sign-request.js';

const ROUNDS = 3;
const [wanted] = process.argv.slice(2);

// Without a budget that would slow it: what is looked for is what each request takes.
const settings = ['--sender-budget', '1000', '--post-quota', '4096'];
const isWanted = (route, name) => wanted === undefined || `${route}: ${name}`.includes(wanted);

async function send(server, as, method, path, { text, type } = {}) {
  const url = server.url + path;
  // The body of a document that comes as a form is not what is signed.
  const covered =
    text === undefined || (path.includes('notes') && type.endsWith('urlencoded'))
      ? {}
      : { body: text, contentType: type };
  const signature = signRequest({ method, url, ...as, ...covered });
  const headers = { Authorization: signature, ...(type && { 'Content-Type': type }) };
  const response = await fetch(url, { method, headers, body: text });
  const { byteLength } = await response.arrayBuffer();
  return { status: response.status, bytes: byteLength };
}

/** Prints the longest turn of some rounds of a request. @param send returns the status, and the bytes of the answer */
async function measure(server, route, name, send) {
  let [least, all, status, bytes] = [Infinity, Infinity, 0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    await loopDelays(server);
    ({ status, bytes } = await send());
    const [{ busiest, busy }] = await loopDelays(server);
    [least, all] = [Math.min(least, busiest), Math.min(all, busy)];
  }
  console.log(
    `${short(least).padStart(6)} ms of ${short(all).padStart(6)}  ${status} ${short(bytes / 1024).padStart(6)} KB  ${route}: ${name}`,
  );
}

async function bodies() {
  const data = await copyOf(await patients(20));
  const [record] = recordIds(data).small;
  const as = (await credentials(data.dir, [record])).get(record);
  const server = await serve(data.dir, { workers: 1, analysts: true, delays: true, settings });
  try {
    for (const [route, method, path, name, make] of kinds(record, as)) {
      if (!isWanted(route, name)) continue;
      const body = make();
      await measure(server, route, name, async () => ({
        ...(await send(server, as, method, path, body)),
        bytes: Buffer.byteLength(body.text),
      }));
    }
  } finally {
    await server.stop();
  }
}

/** Each round asks for another state, which no cache holds. */
async function reads() {
  const data = await longestRecord();
  const as = (await credentials(data.dir, [data.record])).get(data.record);
  const server = await serve(data.dir, {
    workers: 1,
    delays: true,
    settings: [...settings, '--cache-size', '0'],
  });
  try {
    for (const name of Object.keys(signedReads(data, ''))) {
      if (!isWanted('GET', name)) continue;
      await measure(server, 'GET', name, async () => {
        await send(server, as, 'POST', `/records/${data.record}/clinical_notes/`, shortNote());
        await loopDelays(server);
        const time = new Date().toISOString();
        return send(server, as, 'GET', signedReads(data, time)[name]);
      });
    }
    for (const [user, paths] of [
      [data.user, pageReads(data)],
      [data.admin, adminReads],
    ]) {
      const look = await signedIn(server.url, user, data.password);
      for (const [name, path] of Object.entries(paths)) {
        if (!isWanted('page', name)) continue;
        await measure(server, 'page', name, async () => {
          const html = await look(path);
          return { status: 200, bytes: html.length };
        });
      }
    }
  } finally {
    await server.stop();
  }
}

function* kinds(record, as) {
  const notes = `/records/${record}/clinical_notes/`;
  const scratchpad = `/records/${record}/apps/${as.consumerKey}/scratchpad`;
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
  // What begins with GET or page is read.
  if (!/^(GET|page)/.test(wanted ?? '')) await bodies();
  await reads();
} finally {
  await removeData();
}
