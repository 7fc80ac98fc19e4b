import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Credentials } from './container.js';
import { startFlowContainer, type FlowContainer } from './oauth/flow-container.js';

const TURTLE = { 'Content-Type': 'text/turtle' };
const NOTES = '/records/1000001/clinical_notes/';

/** A good note with a text. */
const note = (text: string): string =>
  `@prefix sp: <http://smartplatforms.org/terms#> . @prefix dcterms: <http://purl.org/dc/terms/> .
  @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
  [] a sp:ClinicalNote ; dcterms:title "Visit" ; dcterms:date "2024-05-06" ;
    sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value ${JSON.stringify(text)} ] ] ;
    dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
  <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;
/** One that takes some ten times what a body has for free. */
const LONG = note('é\n<'.repeat(150_000));

let container: FlowContainer;
let refused: unknown[] = [];
beforeAll(async () => {
  const sink = new Writable({
    write(piece: Buffer, _, done) {
      for (const line of piece.toString().trim().split('\n'))
        refused.push((JSON.parse(line) as { refused?: string }).refused);
      done();
    },
  });
  // A budget that hardly grows: who has spent it has nothing left however long a test takes.
  container = await startFlowContainer({ senderBudget: 0.01, log: pino({ level: 'info' }, sink) });
});
afterAll(() => container.stop());

/** Posts until the answer is no other than 429. */
async function untilSlowed(as: Credentials | undefined, body: string, status: number): Promise<Response> {
  for (let count = 0; count < 500; count++) {
    const response = await container.request(NOTES, { method: 'POST', as, headers: TURTLE, body });
    if (response.status === 429) return response;
    expect(response.status).toBe(status);
    await response.text();
  }
  throw new Error('nobody was slowed');
}

async function expectSlowed(response: Response): Promise<void> {
  expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({
    status: 429,
    detail: expect.stringMatching(
      /^Requests of this sender were refused too often, or took too long; wait \d+ s/u,
    ),
  });
}

describe('a token that sends long bodies', () => {
  it('is slowed, and others with the same app and address are not', async () => {
    const [one, other] = [await container.token('1000001'), await container.token('1000001')];
    await expectSlowed(await untilSlowed(one, LONG, 200));
    expect(refused).toContain('sender-budget');
    // A body that takes nothing is refused as well, before it is read; what has no body is answered.
    const scratchpad = `/records/1000001/apps/${one.consumerKey}/scratchpad`;
    const write = { method: 'PUT', headers: { 'Content-Type': 'text/plain' }, body: 'x' };
    expect((await container.request(scratchpad, { ...write, as: one })).status).toBe(429);
    expect((await container.request(NOTES, { as: one })).status).toBe(200);
    const ofHistory = [
      '/records/1000001/changes',
      `${NOTES}?timemap`,
      `${NOTES}?limit=1&at=2999-01-01T00:00:00Z`,
    ];
    const read = async (path: string, as: Credentials): Promise<number> =>
      (await container.request(path, { as })).status;
    expect(await Promise.all(ofHistory.map((path) => read(path, one)))).toEqual([429, 429, 429]);
    expect((await container.request(scratchpad, { ...write, as: other })).status).toBe(200);
  });
});

describe('somebody who reads whole records in a browser', () => {
  it('is slowed there and on the pages of who looked, and not on others', async () => {
    const person = await container.browser('person');
    const opened = async (path: string): Promise<number> => (await person.open(path)).status;
    let last = 200;
    for (let count = 0; count < 100 && last === 200; count++) last = await opened('/account/exports/1000001');
    expect(last).toBe(429);
    const ofAccess = ['/account/accesses/1000001', '/account/accesses/1000004?format=csv'];
    expect(await Promise.all([...ofAccess, '/account'].map(opened))).toEqual([429, 429, 200]);
  });
});

describe('a token that sends bodies which are refused', () => {
  it('is slowed', async () => {
    const token = await container.token('1000001');
    await expectSlowed(await untilSlowed(token, 'no RDF', 400));
  });
});

describe('an address that sends unsigned requests', () => {
  it('is slowed, and whoever signs or signs in from there is not', async () => {
    refused = [];
    const token = await container.token('1000001');
    await expectSlowed(await untilSlowed(undefined, 'x', 401));
    expect(refused).toContain('sender-budget');
    expect((await container.request(NOTES)).status).toBe(429);
    expect((await container.request(NOTES, { as: token })).status).toBe(200);
    const login = { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    expect((await container.request('/login', { ...login, body: 'username=x' })).status).toBe(403);
  });

  it('is slowed before its forms are read', async () => {
    await (await untilSlowed(undefined, 'x', 401)).text();
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: 'OAuth realm="x"' };
    const response = await container.request('/oauth/request_token', {
      method: 'POST',
      headers: form,
      body: 'a=b',
    });
    expect(response.status).toBe(429);
  });
});
