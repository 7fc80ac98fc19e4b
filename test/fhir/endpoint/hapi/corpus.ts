import { documents } from '../documents.js';
import { fullest, smallest } from '../example.js';
import { diceOf, endpointOf, oneOf } from '../generated.js';
import { mutate } from '../mutated.js';

export interface Sample {
  readonly name: string;
  readonly document: object;
}

const GENERATED = 60;
const MUTATIONS = 508;
/** Whether HAPI's regular expressions get to the end of a megabyte depends on the moment. */
const LONG = 100_000;

/** Endpoints of which two validators can be asked: those of the tests, generated ones, and changes of all these. */
export function corpus(): Sample[] {
  const own = documents
    // How validators bear great sizes is another question.
    .filter(([name, document]) => isObject(document) && !/megabyte|nest|years/u.test(name))
    .map(([name, document]): Sample => ({ name, document: document as object }));
  const generated = Array.from({ length: GENERATED }, (_, seed): Sample => {
    return { name: `generated ${seed}`, document: complete(endpointOf(diceOf(seed))) };
  });
  const mutated = Array.from({ length: MUTATIONS }, (_, seed): Sample => {
    const dice = diceOf(seed);
    // Of great ones a change may hit what has other faults; half are of small ones.
    const kind = dice(4);
    const base =
      kind === 0
        ? fullest
        : kind === 1
          ? complete(endpointOf(dice))
          : kind === 2
            ? typical
            : oneOf(dice, [smallest, ...valid]);
    const document = structuredClone(base) as Record<string, unknown>;
    mutate(dice, document);
    return { name: `mutation ${seed}`, document };
  });
  return [...own, ...generated, ...mutated.filter(({ document }) => JSON.stringify(document).length < LONG)];
}

/** As servers list them. */
const typical = {
  ...smallest,
  id: 'endpoint-1',
  meta: { versionId: '1', lastUpdated: '2024-03-01T10:00:00.000Z' },
  contained: [
    { resourceType: 'Organization', id: 'o', name: 'Ward 7', telecom: [{ system: 'phone', value: '1' }] },
  ],
  identifier: [{ system: 'urn:ietf:rfc:3986', value: 'urn:oid:1.2.3' }],
  name: 'Server',
  managingOrganization: { reference: '#o' },
  contact: [{ system: 'email', value: 'ward@hospital.example', use: 'work' }],
  period: { start: '2020-01-01', end: '2030' },
  payloadMimeType: ['application/fhir+json'],
};

const valid = documents
  .filter(([, document, problem]) => problem === undefined && isObject(document))
  .map(([, each]) => each);

function complete(endpoint: Record<string, unknown>): Record<string, unknown> {
  return { status: 'active', address: 'https://fhir.example', ...endpoint };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
