import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../cli/served.js';
import { folder, run, runJson } from '../../cli/run.js';
import { canImport } from '../../http/can-import.js';

const PAGE = 5;

/** Where `.ci/fhir-clients`, `.ci/hapi` and `.ci/synthea` put what they fetch or make. */
const clients = join(process.env['CHARTGRAPH_TEST_FHIR_CLIENTS'] ?? '', 'node_modules');
const hapi = process.env['CHARTGRAPH_TEST_HAPI'] ?? '';
const patients = join(process.env['CHARTGRAPH_TEST_PATIENTS'] ?? '', 'out', 'fhir');

const hasClients = existsSync(join(clients, 'fhirclient'));
const hasHapi = existsSync(join(hapi, 'classes', 'HapiClient.class'));
const hasPython = canImport('fhirclient, fhirpy');
const hasPatients = existsSync(patients);

for (const [has, what] of [
  [hasClients, 'fhirclient and fhir-kit-client are (.ci/fhir-clients DIR; CHARTGRAPH_TEST_FHIR_CLIENTS=DIR)'],
  [hasHapi, 'HAPI’s client is (.ci/hapi DIR; CHARTGRAPH_TEST_HAPI=DIR)'],
  [hasPython, 'fhirclient and fhirpy are (pip install fhirclient fhirpy)'],
  [hasPatients, 'A patient of Synthea is (.ci/synthea DIR 8 7; CHARTGRAPH_TEST_PATIENTS=DIR)'],
] as const)
  if (!has) console.warn(`${what} skipped.`);

/** What a client said of a patient: the id, observations and their pages, and the resources of everything. */
interface Told {
  readonly patient: string;
  readonly found: number;
  readonly pages: number;
  readonly everything: number;
}

interface Access {
  readonly url: string;
  readonly token: string;
  readonly patient: string;
}

interface Bundle {
  readonly entry?: readonly unknown[];
  readonly link: readonly { readonly relation: string; readonly url: string }[];
}

const records = { 'of the seed': '1000001', 'of Synthea': undefined as string | undefined };
const accesses = new Map<string, Access>();
const expected = new Map<string, Told>();

// The server is a process of its own, as the clients expect.
beforeAll(async () => {
  const cwd = folder();
  const { url } = await serve(['--clinicians', 'all'], cwd);
  if (hasPatients) {
    const names = readdirSync(patients);
    const [smallest = ''] = names
      .filter((name) => !name.includes('Information'))
      .sort((a, b) => statSync(join(patients, a)).size - statSync(join(patients, b)).size);
    const others = names.filter((name) => name.includes('Information'));
    await run(['load', ...[...others, smallest].map((name) => join(patients, name))], { cwd });
    records['of Synthea'] = /_([\da-f-]{36})\.json$/u.exec(smallest)?.[1];
  }
  for (const [name, record] of Object.entries(records)) {
    if (record === undefined) continue;
    const app = ['--app', 'demo-ui@apps.example.org', '--user', 'clinician', '--record', record];
    const issued = (await runJson(['token', 'issue', '--bearer', ...app], { cwd })) as Record<string, string>;
    const access = {
      url: `${url}/fhir`,
      token: issued['access_token'] ?? '',
      patient: issued['patient'] ?? '',
    };
    accesses.set(name, access);
    expected.set(name, await plainly(access));
  }
}, 120_000);

/** What plain requests find. */
async function plainly({ url, token, patient }: Access): Promise<Told> {
  const ask = async (address: string): Promise<Bundle & { id: string }> => {
    const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
    expect([address, response.status]).toEqual([address, 200]);
    return (await response.json()) as Bundle & { id: string };
  };
  const next = ({ link }: Bundle): Promise<Bundle> | undefined => {
    const following = link.find(({ relation }) => relation === 'next');
    return following && ask(following.url);
  };
  return told(
    (await ask(`${url}/Patient/${patient}`)).id,
    await sizesOf(await ask(`${url}/Observation?patient=${patient}&_count=${PAGE}`), next),
    await sizesOf(await ask(`${url}/Patient/${patient}/$everything`), next),
  );
}

/** The numbers of entries in a bundle and the pages after it. */
async function sizesOf(
  first: Bundle,
  next: (page: Bundle) => Promise<Bundle> | undefined,
): Promise<readonly number[]> {
  const sizes: number[] = [];
  for (let page: Bundle | undefined = first; page; page = await next(page))
    sizes.push(page.entry?.length ?? 0);
  return sizes;
}

function told(patient: string, searched: readonly number[], all: readonly number[]): Told {
  const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
  return { patient, found: sum(searched), pages: searched.length, everything: sum(all) };
}

async function program(command: string, args: readonly string[], token: string): Promise<Told> {
  const env = { ...process.env, FHIR_TOKEN: token };
  const { stdout } = await promisify(execFile)(command, args, { env });
  return JSON.parse(stdout) as Told;
}

const python = (name: string) => (access: Access) =>
  program(
    'python3',
    [join(import.meta.dirname, 'clients.py'), name, access.url, access.patient],
    access.token,
  );

interface SmartClient {
  request<T>(address: string, options?: object): Promise<T>;
  patient: { read(): Promise<{ id: string }> };
}

async function fhirclient({ url, token, patient }: Access): Promise<Told> {
  const smart = createRequire(join(clients, 'here'))('fhirclient') as (...environment: object[]) => {
    client(state: object): SmartClient;
  };
  const client = smart({}, {}, {}).client({
    serverUrl: url,
    tokenResponse: { access_token: token, patient },
  });
  const search = `Observation?patient=${patient}&_count=${PAGE}`;
  const all = { pageLimit: 0 };
  const pages = await client.request<Bundle[]>(search, all);
  const flat = await client.request<unknown[]>(search, { ...all, flat: true });
  const everything = await client.request<unknown[]>(`Patient/${patient}/$everything`, {
    ...all,
    flat: true,
  });
  return {
    patient: (await client.patient.read()).id,
    found: flat.length,
    pages: pages.length,
    everything: everything.length,
  };
}

interface KitClient {
  read(what: object): Promise<{ id: string }>;
  search(what: object): Promise<Bundle>;
  nextPage(what: { bundle: Bundle }): Promise<Bundle> | undefined;
  operation(what: object): Promise<Bundle>;
}

async function fhirKitClient({ url, token, patient: id }: Access): Promise<Told> {
  const entry = pathToFileURL(join(clients, 'fhir-kit-client', 'dist', 'index.js')).href;
  const { Client } = (await import(entry)) as { Client: new (options: object) => KitClient };
  const client = new Client({ baseUrl: url, bearerToken: token });
  const { id: patient } = await client.read({ resourceType: 'Patient', id });
  const searchParams = { patient, _count: PAGE };
  const next = (bundle: Bundle): Promise<Bundle> | undefined => client.nextPage({ bundle });
  return told(
    patient,
    await sizesOf(await client.search({ resourceType: 'Observation', searchParams }), next),
    await sizesOf(
      await client.operation({ name: 'everything', resourceType: 'Patient', id, method: 'GET' }),
      next,
    ),
  );
}

const hapiClient = ({ url, token, patient }: Access): Promise<Told> =>
  program(
    'java',
    ['-cp', `${join(hapi, 'classes')}:${join(hapi, 'lib')}/*`, 'HapiClient', url, patient],
    token,
  );

const named = [
  ['fhirclient (npm)', hasClients, fhirclient],
  ['fhir-kit-client', hasClients, fhirKitClient],
  ['fhirclient (PyPI)', hasPython, python('fhirclient')],
  ['fhirpy', hasPython, python('fhirpy')],
  ['HAPI’s generic client', hasHapi, hapiClient],
] as const;

describe.each(Object.keys(records))('a patient %s', (record) => {
  it.skipIf(record === 'of Synthea' && !hasPatients)('has several pages of observations', () => {
    const { found = 0, pages, everything = 0 } = expected.get(record) ?? {};
    expect(found).toBeGreaterThan(PAGE);
    expect(pages).toBe(Math.ceil(found / PAGE));
    expect(everything).toBeGreaterThan(found);
  });

  for (const [name, isHere, client] of named)
    it.skipIf(!isHere || (record === 'of Synthea' && !hasPatients))(
      `is read, searched, paged and had with everything by ${name}`,
      async () => {
        const access = accesses.get(record);
        expect(access && (await client(access))).toEqual(expected.get(record));
      },
      60_000,
    );
});
