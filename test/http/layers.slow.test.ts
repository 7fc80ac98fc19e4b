import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withPrefixes } from '../../src/analysts/prepare-query.js';
import { exportFolders, loadExports } from '../../src/fhir/out/export-queries.js';
import { mappingFolders, readMapping } from '../../src/fhir/mapping.js';
import { queriesOf, servedPrefixes } from '../../src/http/layer-folders.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { run } from '../cli/run.js';
import { resourcesOf } from '../fhir/out/support.js';
import { place } from '../records/support.js';
import { startTestContainer, type TestContainer } from './container.js';
import { startFlowContainer, type FlowContainer } from './oauth/flow-container.js';

const root = resolve(import.meta.dirname, '..', '..');
const layers = [join(root, 'ontology'), join(root, 'examples', 'implants')];

const coded = (name: string, title: string): string =>
  `[ a sp:CodedValue ; dcterms:title "${title}" ; sp:code state:${name} ]`;
const code = (name: string, title: string): string =>
  `state:${name} a sp:Code , clinic:ImplantStatus ; dcterms:title "${title}" ; dcterms:identifier "${name}" ;
     sp:system "https://clinic.example.org/terms/codes/ImplantStatus#" .`;
const record = `@prefix sp: <http://smartplatforms.org/terms#> .
  @prefix dcterms: <http://purl.org/dc/terms/> .
  @prefix clinic: <https://clinic.example.org/terms#> .
  @prefix state: <https://clinic.example.org/terms/codes/ImplantStatus#> .
  [] a sp:MedicalRecord .
  [] a clinic:Implant ; dcterms:title "Pacemaker" ; clinic:implantedOn "2020-05-01" ; clinic:serialNumber "P 1" ;
    clinic:implantStatus ${coded('inPlace', 'In place')} .
  [] a clinic:Implant ; dcterms:title "Hip" ; clinic:implantedOn "2012" ; clinic:implantStatus ${coded('removed', 'Removed')} .
  ${code('inPlace', 'In place')}
  ${code('removed', 'Removed')}`;

let folder: string;
let container: FlowContainer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartgraph-layers-'));
  const seed = join(folder, 'seed');
  for (const name of ['apps', 'users.json'])
    await cp(join(root, 'seed', name), join(seed, name), { recursive: true });
  await mkdir(join(seed, 'records'));
  await writeFile(join(seed, 'records', '42.ttl'), record);
  container = await startFlowContainer({ ontology: layers, queries: queriesOf(layers), seed });
});
afterAll(async () => {
  await container.stop();
  await rm(folder, { recursive: true, force: true });
});

const text = async (path: string, accept = 'text/html'): Promise<string> =>
  (await container.request(path, { headers: { Accept: accept } })).text();

test('a layer of two queries answers calls, with its filter, its order and its prefix', async () => {
  const answer = await container.request('/records/42/implants/?date_from=2015', {
    as: await container.token('42'),
    headers: { Accept: 'text/turtle' },
  });
  const graph = await answer.text();
  expect([answer.status, graph.includes('Pacemaker'), graph.includes('Hip')]).toEqual([200, true, false]);
  expect(graph).toContain('a clinic:Implant;');
});

test('a layer with an export query sends its statements as FHIR', async () => {
  const { ontology } = await loadOntology(layers);
  const folders = queriesOf(layers);
  const { load, primary } = await place();
  await load('42.ttl', record, { ontology, recordId: '42' });
  const queries = await loadExports(exportFolders(folders), ontology);
  const mapping = await readMapping(mappingFolders(folders), ontology);
  const devices = resourcesOf(primary, '42', { queries, mapping, ontology });
  const device = (name: string, status: string) => ({
    resourceType: 'Device',
    patient: { reference: 'Patient/42', type: 'Patient' },
    deviceName: [{ name, type: 'user-friendly-name' }],
    status,
  });
  expect(devices).toHaveLength(2);
  expect(devices).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ serialNumber: 'P 1', note: [{ text: 'Implanted: 2020-05-01' }] }),
      expect.objectContaining(device('Hip', 'inactive')),
    ]),
  );
});

test('manifest, ontology, context, documentation and OpenAPI are of the whole', async () => {
  const manifest = JSON.parse(await text('/manifest', 'application/json')) as { layers: object[] };
  expect(manifest.layers).toMatchObject([
    { name: 'Chartgraph record model and API' },
    { iri: 'https://clinic.example.org/terms#', name: 'Implants', version: '1.0' },
  ]);
  const ontology = await text('/ontology', 'application/n-triples');
  for (const [term, layer] of [
    ['https://clinic.example.org/terms#Implant', 'https://clinic.example.org/terms#'],
    ['http://smartplatforms.org/terms#Problem', 'http://smartplatforms.org/terms#'],
  ])
    expect(ontology).toContain(`<${term}> <http://www.w3.org/2000/01/rdf-schema#isDefinedBy> <${layer}> .`);
  expect(await text('/context.jsonld', 'application/ld+json')).toContain('"clinic__implantedOn"');
  expect(await text('/docs/calls/get_implants')).toContain('The implants of a record.');
  expect(await text('/openapi.json', 'application/json')).toContain('/records/{record_id}/implants/');
});

test('pages show what is over as past', async () => {
  const browser = await container.browser('clinician');
  const { html } = await browser.open('/account/records/42');
  expect(html).toMatch(/Pacemaker<\/a>/);
  // What is over stands in the history alone, with its status.
  expect(html.split('>Hip<')).toHaveLength(2);
  expect(html.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ')).toContain(
    'Implants started Hip later removed',
  );
  expect((await browser.open('/account/records/42/implants')).html).toContain('Hip');
});

test('containers of one process name terms by their own prefixes', async () => {
  const ward = join(folder, 'ward');
  await cp(layers[1] ?? '', ward, { recursive: true });
  const turtle = await readFile(join(ward, 'implants.ttl'), 'utf8');
  await writeFile(
    join(ward, 'implants.ttl'),
    turtle.replaceAll(/"clinic"|clinic:/g, (name) => name.replace('clinic', 'ward')),
  );
  const wards = [layers[0] ?? '', ward];
  const settings = { ontology: wards, queries: queriesOf(wards), seed: join(folder, 'seed') };
  const [other, plain] = await Promise.all([startTestContainer(settings), startTestContainer()]);
  try {
    const implants = async (each: TestContainer): Promise<string> => {
      const as = await each.token('42');
      const headers = { Accept: 'text/turtle' };
      return (await each.request('/records/42/implants/?date_from=2015', { as, headers })).text();
    };
    const context = async (each: TestContainer): Promise<string> =>
      (await each.request('/context.jsonld')).text();
    expect(await implants(container)).toContain('a clinic:Implant;');
    expect(await implants(other)).toContain('a ward:Implant;');
    expect(await context(container)).toContain('"clinic__implantedOn"');
    expect(await context(other)).toContain('"ward__implantedOn"');
    expect(await context(plain)).not.toMatch(/clinic__|ward__/);
  } finally {
    await Promise.all([other.stop(), plain.stop()]);
  }
});

test('queries need not declare the prefix', () => {
  expect(withPrefixes('ASK { ?s a clinic:Implant }', servedPrefixes(container.data))).toContain(
    'PREFIX clinic: <https://clinic.example.org/terms#>',
  );
});

test('commands on the data directory take its layers', async () => {
  const file = join(folder, '43.ttl');
  await writeFile(file, record);
  const loaded = await run(['load', file, '--strict', '--data', container.data]);
  expect([loaded.code, loaded.stderr]).toEqual([0, '']);
  const checked = await run(['validate', file, '--data', container.data]);
  expect([checked.code, checked.stdout]).toEqual([0, 'No problems.\n']);
  const found = await run(['query', '-', '--alone', '--format', 'csv', '--data', container.data], {
    stdin: 'SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s a clinic:Implant } }',
  });
  expect([found.code, found.stdout.trim().split(/\s+/u).at(-1)]).toEqual([0, '4']);
});

test('what a layer changes shows in the difference to the one below', async () => {
  const { code, stdout } = await run(['ontology', 'diff', 'shipped', layers[1] ?? '']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/new class[\s\S]*clinic:Implant[\s\S]*Implants 1\.0 is a layer on/u);
});

test('a query of the layer does not take the place of one below unless its header says so', async () => {
  const layer = join(folder, 'layer');
  await cp(layers[1] ?? '', layer, { recursive: true });
  await cp(join(root, 'queries', 'get_problems.rq'), join(layer, 'queries', 'get_problems.rq'));
  const { code, stdout } = await run([
    'validate',
    '--seed',
    join(folder, 'seed'),
    '--ontology',
    'shipped',
    '--ontology',
    layer,
  ]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/get_problems\.rq {2}error {2}layer-replaces {2}takes the place of /u);
});
