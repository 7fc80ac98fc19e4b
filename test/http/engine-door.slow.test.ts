import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadAnalyses } from '../../src/model/analyses/read-analysis.js';
import { ontology } from '../analysts/containers.js';
import { expectAnswer, hasSuite, queryCases, sendCase, writeGraphs } from '../spec/w3c-protocol.js';
import { startOnEngines, type AnalystServer } from './analyst-server.js';
import { startLevelEngines, type LevelEngines } from './level-engines.js';
import { engineKinds } from './sparql-engines.js';

// Every engine behind the door, at the level whose names are those of the data: one server of each kind is enough then.

const analyses = await loadAnalyses(resolve(import.meta.dirname, '..', '..', 'queries'), ontology);

interface Door {
  readonly server: AnalystServer;
  readonly token: string;
}

async function open(engines?: LevelEngines): Promise<Door> {
  const server = await startOnEngines(engines);
  if (hasSuite) await writeGraphs(server);
  await server.user('ana', 'analyst');
  return { server, token: await server.token('ana', 'identified') };
}

/** The rows of an analysis in an order of their own; engines write numbers in different ways. */
async function told({ server, token }: Door, name: string): Promise<string[]> {
  const response = await fetch(`${server.url}/analyses/${name}`, {
    headers: { Accept: 'text/tab-separated-values', Authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const cell = (written: string): string => {
    const bare = written.replace(/^"(.*)"(?:\^\^<[^>]*>)?$/u, '$1');
    return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/iu.test(bare) ? String(Number(Number(bare).toFixed(6))) : bare;
  };
  return text
    .replaceAll(server.url, '')
    .trim()
    .split('\n')
    .map((row) => row.split('\t').map(cell).join(' | '))
    .sort();
}

let embedded: Door;
/** What the container's own engine says to each analysis: the same whichever other is compared with it. */
const saidByOwn = new Map<string, readonly string[]>();
beforeAll(async () => {
  embedded = await open();
  for (const analysis of analyses.keys()) saidByOwn.set(analysis, await told(embedded, analysis));
});
afterAll(() => embedded.server.stop());

describe.each(engineKinds)('$name', ({ name, isHere, ...kind }) => {
  describe.skipIf(!isHere)('behind the door', () => {
    const hasOwnDefault = name !== 'Virtuoso';
    let engines: LevelEngines;
    let door: Door;
    beforeAll(async () => {
      engines = await startLevelEngines({ name, isHere, ...kind }, ['identified']);
      door = await open(engines);
    });
    afterAll(() => door.server.stop());

    test('all analyses have the same answers as in the container', async () => {
      for (const analysis of analyses.keys())
        expect(await told(door, analysis), analysis).toEqual(saidByOwn.get(analysis));
    });

    test.skipIf(!hasSuite)('the protocol is that of the W3C', async () => {
      for (const { requests } of queryCases)
        for (const sent of requests) {
          const response = await sendCase(door.server, door.token, sent);
          // A server without a default graph of its own is not asked them.
          const isRefused = /has no (?:ASK|GRAPH); use SELECT/u.test(await response.clone().text());
          if (hasOwnDefault || !isRefused) await expectAnswer(sent, response);
        }
    });

    // The others take too long to start again.
    test.runIf(name.includes('Oxigraph'))(
      'one that is killed is away, and an empty one in its place is filled before it answers',
      async () => {
        const restarted = engines.restart();
        const { server, token } = door;
        const count = async (): Promise<string> => {
          const response = await server.ask(token, 'SELECT (COUNT(*) AS ?n) { ?s a sp:Problem }');
          const answer = await response.text();
          return response.status === 200 ? answer.replaceAll('\r', '') : String(response.status);
        };
        const whole = await (
          await embedded.server.ask(embedded.token, 'SELECT (COUNT(*) AS ?n) { ?s a sp:Problem }')
        ).text();
        const seen = new Set<string>();
        await restarted;
        await expect
          .poll(async () => seen.add(await count()).has(whole), { timeout: 60_000, interval: 250 })
          .toBe(true);
        expect([...seen].filter((answer) => answer !== '503' && answer !== whole)).toEqual([]);
      },
    );
  });
});
