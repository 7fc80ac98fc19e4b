// Validation of endpoints: all that `validateEndpoint` does, against ajv alone with the same schema.
import { Readable } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { checkDocuments } from '../dist/endpoint/reading/check-documents.js';
import { endpointSchema, validateEndpoint } from '../dist/endpoint/endpoint.js';
import { figure, inTurn, short } from './lib/measure.mjs';

const GOAL = 0.85;
/** Documents validated in one turn. */
const BATCH = 2_000;

/**
 * Validations in a second of valid endpoints as servers list them, every tenth with a narrative and every tenth with
 * a contained resource. The peer is ajv as its documentation sets it up: it stops at the first fault and finds none.
 */
export async function endpointRate({ rounds = 60 } = {}) {
  const plain = new Ajv2020({ allowUnionTypes: true }).compile(endpointSchema);
  const documents = Array.from({ length: BATCH }, (_, number) =>
    JSON.parse(JSON.stringify(endpoint(number))),
  );
  const check = (isValid) => () => {
    for (const document of documents) if (!isValid(document)) throw new Error('These endpoints are valid.');
  };
  const [peerTime, ownTime] = await inTurn(
    [check(plain), check((document) => validateEndpoint(document).length === 0)],
    rounds,
  );
  const [peer, value] = [peerTime, ownTime].map((time) => (BATCH / time) * 1000);
  const ratio = value / peer;
  const name = 'validations/s of endpoints against ajv alone on the same schema';
  return { id: 'endpoint', name, value, peer, ratio, goal: GOAL, atLeast: true, ok: ratio >= GOAL };
}

/** Megabytes of NDJSON that are read and validated in a second, and those that JSON.parse alone reads. */
export async function ndjsonRate({ megabytes = 40 } = {}) {
  const lines = Array.from({ length: BATCH }, (_, number) => `${JSON.stringify(endpoint(number))}\n`);
  const batch = Buffer.from(lines.join(''));
  const size = batch.length / 1e6;
  const turns = Math.ceil(megabytes / size);
  const started = performance.now();
  let count = 0;
  for await (const { problems } of checkDocuments(Readable.from(Array.from({ length: turns }, () => batch)), {
    ndjson: true,
  })) {
    if (problems.length > 0) throw new Error('These endpoints are valid.');
    count++;
  }
  const value = (turns * size * 1000) / (performance.now() - started);
  const startedPeer = performance.now();
  for (let turn = 0; turn < turns; turn++) for (const line of lines) JSON.parse(line);
  const peer = (turns * size * 1000) / (performance.now() - startedPeer);
  return { id: 'endpoint-ndjson', name: 'MB/s of NDJSON, read and validated', value, peer, lines: count };
}

/** The figure of `npm run bench`. */
export async function measure({ quick = false } = {}) {
  const { ratio, value, peer } = await endpointRate(quick ? { rounds: 10 } : {});
  const ndjson = await ndjsonRate(quick ? { megabytes: 5 } : {});
  const details = [
    `${short(value)} against ${short(peer)} validations/s of ajv alone`,
    `NDJSON: ${short(ndjson.value)} MB/s read and validated; JSON.parse alone reads ${short(ndjson.peer)} MB/s`,
  ];
  return [figure('endpoint', ratio, { goal: GOAL, better: 'higher', details })];
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
