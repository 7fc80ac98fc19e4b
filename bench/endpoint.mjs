// Validation of endpoints: NDJSON as `chartgraph endpoint validate` reads it.
import { Readable } from 'node:stream';
import { checkDocuments } from '../dist/fhir/endpoint/reading/input-documents.js';
import { figure, median, short } from './lib/measure.mjs';

const GOAL = 20;
/** Documents of one chunk of the input. */
const BATCH = 2_000;

/**
 * Megabytes of NDJSON that are read and validated in a second of the processor, and those that JSON.parse alone reads:
 * valid endpoints as servers list them, every tenth with a narrative and every tenth with a contained resource.
 */
export async function ndjsonRate({ megabytes = 40 } = {}) {
  const lines = Array.from({ length: BATCH }, (_, number) => `${JSON.stringify(endpoint(number))}\n`);
  const batch = Buffer.from(lines.join(''));
  const size = batch.length / 1e6;
  const turns = Math.ceil(megabytes / size);
  let started = process.cpuUsage();
  const rate = () => (turns * size * 1e6) / process.cpuUsage(started).user;
  const input = Readable.from(Array.from({ length: turns }, () => batch));
  for await (const { problems } of checkDocuments(input, { ndjson: true })) {
    if (problems.length > 0) throw new Error('These endpoints are valid.');
  }
  const value = rate();
  started = process.cpuUsage();
  for (let turn = 0; turn < turns; turn++) for (const line of lines) JSON.parse(line);
  return { value, peer: rate() };
}

/** The figure of `npm run bench`. */
export async function measure({ quick = false, rounds = 5 } = {}) {
  const found = [];
  for (let round = 0; round < rounds; round++) found.push(await ndjsonRate(quick ? { megabytes: 5 } : {}));
  const value = median(found.map((each) => each.value));
  const peer = median(found.map((each) => each.peer));
  const details = [
    `${short(value)} MB/s of NDJSON read and validated; JSON.parse alone reads ${short(peer)} MB/s`,
  ];
  return [figure('endpoint', value, { goal: GOAL, better: 'higher', details })];
}

function endpoint(number) {
  const day = String(1 + (number % 28)).padStart(2, '0');
  const narrative = `<div xmlns="http://www.w3.org/1999/xhtml"><p>Endpoint <b>${number}</b> of ward ${number % 7}</p></div>`;
  return {
    resourceType: 'Endpoint',
    id: `endpoint-${number}`,
    meta: { versionId: '1', lastUpdated: `2024-03-${day}T10:00:00.000Z` },
    ...(number % 10 === 0 ? { text: { status: 'generated', div: narrative } } : {}),
    ...(number % 10 === 1
      ? { contained: [{ resourceType: 'Organization', id: 'o', name: `Ward ${number % 7}` }] }
      : {}),
    ...(number % 3 === 0
      ? { extension: [{ url: 'https://profiles.example/use-case', valueString: `case ${number}` }] }
      : {}),
    identifier: [{ system: 'urn:ietf:rfc:3986', value: `urn:oid:1.2.3.${number}` }],
    status: number % 4 === 0 ? 'test' : 'active',
    connectionType: {
      system: 'http://terminology.hl7.org/CodeSystem/endpoint-connection-type',
      code: 'hl7-fhir-rest',
    },
    name: `Server ${number}`,
    managingOrganization: { reference: number % 10 === 1 ? '#o' : `Organization/${number % 100}` },
    contact: [{ system: 'email', value: `ward${number}@hospital.example`, use: 'work' }],
    period: { start: `2020-01-${day}`, end: '2030' },
    payloadType: [{ coding: [{ system: 'http://hl7.org/fhir/resource-types', code: 'Patient' }] }],
    payloadMimeType: ['application/fhir+json', 'application/fhir+xml'],
    address: `https://fhir${number}.hospital.example/r4`,
  };
}
