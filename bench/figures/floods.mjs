// How long a warm GET takes at most (99 % of them) while one client floods the container, against quiet just before:
// the worst of five ways. Seen by a process of its own that asks as a person's app does, from the moment a flood of
// requests begins, the first second included, in which its sender still has a budget; of connections, once they are open.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bodies } from '../../test/rdf/posted-bodies.mjs';
import { Client } from '../lib/client.mjs';
import { copyOf, patients } from '../lib/data.mjs';
import { figure, median, quantile, short } from '../lib/measure.mjs';
import { expectAll, listOfSize, recordIds } from '../lib/requests.mjs';
import { credentials, serve } from '../lib/servers.mjs';

const READERS = 4;
const FLOODERS = 8;
/** GETs in a round. A flood is looked at for longer than its sender has a budget for, which is over in a second. */
const LOOKS = { quiet: 500, loud: 2000 };
const child = fileURLToPath(new URL('../../test/http/flood-child.mjs', import.meta.url));

const LONG = `@prefix sp: <http://smartplatforms.org/terms#> . @prefix dcterms: <http://purl.org/dc/terms/> .
  @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
  [] a sp:ClinicalNote ; dcterms:title "Visit" ; dcterms:date "2024-05-06" ;
    sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "${'é\\n<'.repeat(100_000)}" ] ] ;
    dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
  <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;

export async function measure({ quick, rounds }) {
  const data = await copyOf(await patients(quick ? 100 : 1000, { large: 20 }));
  const records = recordIds(data).small;
  const tokens = await credentials(data.dir, records);
  const server = await serve(data.dir);
  const [reader, flooder] = [new Client(), new Client()];
  try {
    const { path, as, name } = await listOfSize({ data, url: server.url, client: reader, size: 42 * 1024 });
    const warm = async (count) => {
      const requests = Array.from({ length: quick ? 400 : count }, () => ({ path, as }));
      const result = await reader.run(server.url, requests, { connections: READERS, rest: 2 });
      return quantile(expectAll(result).latencies, 0.99);
    };
    const notes = (record) => `/records/${record}/clinical_notes/`;
    const posts = (length, body) => {
      const [record] = records;
      const own = tokens.get(record);
      const headers = { 'Content-Type': 'text/turtle' };
      return Array.from({ length }, () => ({ method: 'POST', path: notes(record), as: own, headers, body }));
    };
    /** Requests one after the other on a few connections. @returns what ends it and tells what came of it */
    const asking = (requests) => async () => {
      await flooder.prepare(server.url, requests(), { connections: FLOODERS });
      const result = flooder.go();
      return async () => {
        flooder.halt();
        return JSON.stringify((await result).statuses);
      };
    };
    /** Connections from another address of this machine. */
    const connecting = (count, first) => async () => {
      const { port } = new URL(server.url);
      const process_ = fork(child, [port, String(count), '127.0.0.2', first]);
      await once(process_, 'message');
      const tell = async () => {
        process_.send('tell');
        return (await once(process_, 'message'))[0];
      };
      // The work of opening them is over; what is measured is that they are there.
      for (let tries = 0; tries < 200 && (await tell()).connected < count; tries++) await wait(100);
      return async () => {
        const { connected, refused } = await tell();
        process_.kill();
        return `${connected} connected, ${refused} closed`;
      };
    };
    const unfinished = `POST ${notes(records[0])} HTTP/1.1\\nHost: a\\nContent-Length: 1000000\\n\\n*100000`;
    // More of each than are answered before it ends: a sender beyond its budget waits for each refusal.
    const floods = {
      'long bodies': asking(() => posts(150, LONG)),
      'refused bodies': asking(() => posts(300, bodies['values of a property'](10_000).text)),
      'unsigned GETs': asking(() => Array.from({ length: 10_000 }, () => ({ path: notes(records[1]) }))),
      'unfinished POSTs': connecting(3000, unfinished),
      'idle connections': connecting(8000, ''),
    };
    await warm(LOOKS.quiet);
    const results = [];
    for (const [kind, start] of Object.entries(floods)) {
      const ratios = [];
      const [quiet, loud] = [[], []];
      let came;
      for (let round = 0; round < (quick ? 1 : Math.min(rounds, 3)); round++) {
        quiet.push(await warm(LOOKS.quiet));
        const end = await start();
        loud.push(await warm(LOOKS.loud));
        came = await end();
        ratios.push(loud.at(-1) / quiet.at(-1));
        await wait(500);
      }
      results.push({ kind, ratio: median(ratios), quiet: median(quiet), loud: median(loud), came });
    }
    results.sort((a, b) => b.ratio - a.ratio);
    return [
      figure('floods', results[0].ratio, {
        goal: 3,
        better: 'lower',
        details: [
          ...results.map(
            ({ kind, ratio, quiet, loud, came }) =>
              `${short(ratio).padEnd(5)} ${kind}: p99 ${short(loud)} ms against ${short(quiet)}; ${came}`,
          ),
          `${name}; load average ${short(loadavg()[0])}`,
        ],
      }),
    ];
  } finally {
    for (const client of [reader, flooder]) await client.stop();
    await server.stop();
  }
}
