import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openAccessLog } from '../../src/access/log/access-log.js';
import { seededCopy } from '../setup/seeded-copy.js';
import { startTestContainer } from './container.js';

interface Event {
  readonly agent: { who: { identifier: { value: string } }; requestor: boolean }[];
  readonly entity: {
    what: { identifier: { value: string } };
    detail?: { type: string; valueString: string }[];
  }[];
}

/** A FHIR server that answers as it is told, and keeps what it has accepted. */
async function receiver(answers: number[] = []) {
  const taken: Event[] = [];
  const headers: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    void json(request).then((bundle) => {
      const status = answers.shift() ?? 200;
      headers.push(request.headers.authorization, request.headers['content-type']);
      if (status === 200)
        taken.push(...(bundle as { entry: { resource: Event }[] }).entry.map(({ resource }) => resource));
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/fhir`, taken, headers };
}

const detail = ({ entity }: Event, type: string): string | undefined =>
  entity[0]?.detail?.find((each) => each.type === type)?.valueString;
const numbers = (events: readonly Event[]): number[] =>
  events.map((event) => Number(detail(event, 'number')));

/** The numbers of all entries, of a data directory that nobody writes to. */
async function recorded(data: string): Promise<number[]> {
  const log = await openAccessLog(data);
  const found: number[] = [];
  for await (const { number } of log.read()) found.push(number);
  await log.close();
  return found;
}

const settled = (work: () => void) => expect.poll(() => (work(), true), { timeout: 20_000 }).toBe(true);

test('each entry is sent in order, again until it is accepted, and on after a restart', async () => {
  const { url, taken, headers } = await receiver([503, 500]);
  const data = await seededCopy();
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const audited = { data, auditTo: url, auditCredentials: 'auditor:secret' };
  const path = '/records/1000001/problems/';
  const reads = (): Event[] =>
    taken.filter((event) => event.entity[0]?.what.identifier.value.endsWith(path.slice(0, -1)));

  const first = await startTestContainer(audited);
  const as = await first.token('1000001');
  expect((await first.request(path, { as })).status).toBe(200);
  await settled(() => expect(reads()).toHaveLength(1));
  expect(reads()[0]).toMatchObject({
    type: { code: 'rest' },
    subtype: [{ code: 'read' }],
    action: 'R',
    outcome: '0',
    agent: [
      { who: { identifier: { value: 'clinician' } }, requestor: true },
      { who: { identifier: { value: as.consumerKey } }, requestor: false },
    ],
    entity: [{}, { what: { type: 'Patient', identifier: { value: '1000001' } } }],
  });
  const basic = `Basic ${Buffer.from('auditor:secret').toString('base64')}`;
  expect(new Set(headers)).toEqual(new Set([basic, 'application/fhir+json']));
  await first.stop();

  const second = await startTestContainer(audited);
  expect((await second.request(path, { as })).status).toBe(200);
  await settled(() => expect(new Set(numbers(reads())).size).toBe(2));
  await second.stop();
  const sent = numbers(taken);
  expect(sent).toEqual((await recorded(data)).slice(0, sent.length));

  const other = await receiver();
  const third = await startTestContainer({ data, auditTo: other.url });
  await settled(() => expect(numbers(other.taken)).toEqual(sent));
  await third.stop();
});
