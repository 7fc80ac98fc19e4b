import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../cli/run.js';
import { startTestContainer, type TestContainer } from '../http/container.js';
import { installPackages, type Ending, type Project } from './installed.js';

const root = resolve(import.meta.dirname, '..', '..');
let project: Project;
let container: TestContainer;
/** A container of an ontology of its own, and the folder that this lies in. */
let own: TestContainer;
let folder: string;
let compiled: Ending;

// One run of the compiler for all: it takes longer than everything else here.
beforeAll(async () => {
  folder = await ownFolder();
  [project, container, own] = await Promise.all([
    installPackages(),
    startTestContainer(),
    startTestContainer({
      ontology: join(folder, 'ontology'),
      queries: join(folder, 'queries'),
      seed: join(folder, 'seed'),
    }),
  ]);
  const example = await readFile(join(root, 'docs', 'examples', 'medications.ts'), 'utf8');
  await project.write('example.ts', example.replace('http://localhost:7000', container.url));
  await project.write('token.json', await tokenFile(container, '1000001'));
  await project.write('wrong.ts', wrong);
  await project.write('slim.ts', slim);
  await project.write('own.ts', ownApp);
  await project.write('own-token.json', await tokenFile(own, '42'));
  const made = await run([
    ...['ontology', 'client', join(project.folder, 'own-client.ts')],
    ...['--ontology', join(folder, 'ontology')],
  ]);
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Wrote a client of \d+ calls and \d+ analyses to /) as string,
  });
  compiled = await project.tsc();
}, 180_000);
afterAll(async () => {
  await Promise.all([project.remove(), container.stop(), own.stop()]);
  await rm(folder, { recursive: true });
});

/** The shipped folders with one class, its call and an instance more. */
async function ownFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'chartgraph-own-'));
  for (const name of ['ontology', 'queries', 'seed'])
    await cp(join(root, name), join(made, name), { recursive: true });
  await writeFile(join(made, 'ontology', 'devices.ttl'), devices);
  await writeFile(join(made, 'queries', 'get_devices.rq'), getDevices);
  await writeFile(join(made, 'seed', 'records', '42.ttl'), deviceRecord);
  return made;
}

/** What `chartgraph token issue` prints. */
async function tokenFile(from: TestContainer, record: string): Promise<string> {
  const { consumerKey, consumerSecret, token, tokenSecret } = await from.token(record);
  return JSON.stringify({
    consumer_key: consumerKey,
    consumer_secret: consumerSecret,
    oauth_token: token,
    oauth_token_secret: tokenSecret,
    record_id: record,
    base_url: from.url,
  });
}

describe('the packed package, installed in a project of its own', () => {
  it('runs the example of its documentation', async () => {
    const { code, output } = await project.node(['out/example.js']);
    expect(output.split('\n')).toEqual([
      '4 of 4',
      ...[/^\d{4}/, /^\d{4}/, /^\d{4}/, /^\d{4}/].map((line) => expect.stringMatching(line) as string),
      '404 There is no such thing',
      '',
    ]);
    expect(code).toBe(0);
  });

  it('has types that the strictest compiler takes, and that refuse what the ontology does not declare', () => {
    const faults = compiled.output.split('\n').filter((line) => /^\S/.test(line));
    expect(faults.map((line) => line.replace(/,.*$/, ''))).toEqual([
      'wrong.ts(3',
      'wrong.ts(4',
      'wrong.ts(5',
      'wrong.ts(6',
    ]);
  });

  it('is imported by plain JavaScript without the server', async () => {
    await project.write(
      'plain.js',
      `import * as client from 'chartgraph/client';
       console.log(Object.keys(client).sort().join());
       const { object } = await client.createClient({ baseUrl: process.env.URL }).get_container_manifest();
       console.log(object.name, client.createClient.length);`,
    );
    const { output } = await project.node(['plain.js'], { URL: container.url });
    expect(output).toBe(
      'ChartgraphError,analyses,completeAccess,connect,createAnalyst,createClient,forEachRecord,model,requestAccess\nTest container 1\n',
    );
  });

  it('is the same client as the package chartgraph-client, which has no server', async () => {
    expect(await project.node(['out/slim.js'])).toEqual({ code: 0, output: '4 4 4\n' });
    const { dependencies } = JSON.parse(
      await readFile(join(project.folder, 'node_modules', 'chartgraph-client', 'package.json'), 'utf8'),
    ) as { dependencies: object };
    expect(Object.keys(dependencies)).toEqual(['@rdfjs/dataset', '@rdfjs/types', 'oauth-1.0a']);
  });

  it('carries the module that was made of an own ontology', async () => {
    expect(await project.node(['out/own.js', own.url])).toEqual({ code: 0, output: 'A 1 nobody\n' });
  });
});

describe('chartgraph ontology client', () => {
  it('prints the module where no file is named', async () => {
    const { code, stdout } = await run(['ontology', 'client']);
    expect(code).toBe(0);
    expect(stdout).toContain("import { connect } from 'chartgraph/client';");
    const own = await run(['ontology', 'client', '--import-from', './connect.js']);
    expect(own.stdout).toBe(stdout.replaceAll("'chartgraph/client'", "'./connect.js'"));
  });

  it('makes no client of an ontology that has errors', async () => {
    const broken = join(folder, 'broken');
    await cp(join(root, 'ontology'), broken, { recursive: true });
    await writeFile(join(broken, 'devices.ttl'), devices.replace('api:httpMethod "GET" ;', ''));
    const { code, stdout, stderr } = await run(['ontology', 'client', '--ontology', broken]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('get_devices');
  });
});

describe('what the client imports', () => {
  it('is none of the server: neither its rooms nor its packages', async () => {
    const { files, packages } = await importsOf(join(root, 'dist', 'client', 'client.js'));
    const rooms = new Set(files.map((file) => relative(join(root, 'dist'), file).split('/')[0]));
    expect([...rooms].sort()).toEqual(['access', 'client', 'model', 'rdf']);
    expect([...packages].sort()).toEqual([
      '@rdfjs/dataset/DatasetCore.js',
      'oauth-1.0a',
      'rdf-ext/DataFactory.js',
    ]);
    expect(files.length).toBeLessThan(50);
  });
});

/** Every module that one imports, directly or not, and the packages among them. */
async function importsOf(entry: string): Promise<{ files: string[]; packages: Set<string> }> {
  const files = new Set<string>();
  const packages = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const { importedFiles } = ts.preProcessFile(await readFile(file, 'utf8'), true, true);
    for (const { fileName } of importedFiles) {
      if (fileName.startsWith('.')) open.push(resolve(dirname(file), fileName));
      else packages.add(fileName);
    }
  }
  return { files: [...files], packages };
}

const wrong = `import { createClient } from 'chartgraph/client';
const client = createClient({ baseUrl: '' });
export const noRecord = () => client.get_medications({ limit: 1 });
export const unknownFilter = () => client.get_medications({ record_id: '1', loinc: '1' });
export const otherType = () => client.get_medications({ record_id: 1 });
export const unknownCall = () => client.get_everything({ record_id: '1' });
export const right = () => client.get_medications({ record_id: '1', rxnorm: '1' });
`;

const slim = `import { readFile } from 'node:fs/promises';
import { createClient, type Draft, type ClinicalNote, type Medication } from 'chartgraph-client';
import * as bundle from 'chartgraph-client/bundle';
import { rdfxml, type GraphFormat } from 'chartgraph-client/formats';
export const draft: Pick<Draft<ClinicalNote>, 'title'> = { title: 'A title' };
const given = JSON.parse(await readFile('token.json', 'utf8'));
const settings = {
  baseUrl: given.base_url as string,
  consumerKey: given.consumer_key as string,
  consumerSecret: given.consumer_secret as string,
  token: given.oauth_token as string,
  tokenSecret: given.oauth_token_secret as string,
};
const format: GraphFormat = rdfxml;
const counts: number[] = [];
for (const client of [createClient(settings), createClient({ ...settings, format }), bundle.createClient(settings)]) {
  const { objects } = await client.get_medications({ record_id: '1000001', date_from: '2010' });
  counts.push(objects.filter(({ drugName }: Medication) => drugName.title !== '').length);
}
console.log(...counts);
`;

const ownApp = `import { readFile } from 'node:fs/promises';
import { createClient, type Device } from './own-client.js';
const [baseUrl = ''] = process.argv.slice(2);
const given = JSON.parse(await readFile('own-token.json', 'utf8'));
const client = createClient({
  baseUrl,
  consumerKey: given.consumer_key,
  consumerSecret: given.consumer_secret,
  token: given.oauth_token,
  tokenSecret: given.oauth_token_secret,
});
const { objects } = await client.get_devices({ record_id: '42', limit: 5 });
const texts: string[] = objects.map((device: Device) => device.serialNumber + ' ' + (device.maker ?? 'nobody'));
console.log(texts.join());
`;

const devices = `
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix sp: <http://smartplatforms.org/terms#> .
@prefix own: <https://hospital.example.org/terms#> .
@prefix api: <http://smartplatforms.org/terms/api#> .
@prefix calls: <http://smartplatforms.org/terms/api/calls#> .
@prefix params: <http://smartplatforms.org/terms/api/parameters#> .
@prefix cg: <https://chartgraph.example.org/terms#> .

own:Device a owl:Class ; rdfs:label "Device" ; rdfs:comment "Something implanted or worn." ;
    rdfs:subClassOf sp:Statement ,
        [ a owl:Restriction ; owl:onProperty sp:serialNumber ; owl:cardinality 1 ] ,
        [ a owl:Restriction ; owl:onProperty sp:maker ; owl:maxCardinality 1 ] ;
    api:base_path "/records/{record_id}/devices/{device_id}" .
sp:serialNumber a owl:DatatypeProperty ; rdfs:label "serial number" ; rdfs:comment "As engraved." ; cg:identifying "direct" .
sp:maker a owl:DatatypeProperty ; rdfs:label "maker" ; rdfs:comment "Who made it." ; cg:identifying "none" .

calls:get_devices a owl:NamedIndividual , api:Call ;
    rdfs:label "List devices" ; rdfs:comment "All devices of a record." ;
    api:clientMethodName "get_devices" ; api:httpMethod "GET" ; api:path "/records/{record_id}/devices/" ;
    api:target own:Device ; api:category "record" ; api:cardinality "multiple" ; cg:answer "rdf" ;
    api:hasParameter params:limit , params:offset .
`;

const getDevices = `# All devices of a record.
#
# $record  the record

PREFIX sp: <http://smartplatforms.org/terms#>
PREFIX own: <https://hospital.example.org/terms#>

CONSTRUCT { ?s ?p ?o }
WHERE {
  { SELECT ?statement WHERE {
      GRAPH ?statement { ?statement sp:belongsTo $record ; a own:Device . }
      #:filters
    }
    #:page
  }
  GRAPH ?statement { ?s ?p ?o }
}
`;

const deviceRecord = `@prefix sp: <http://smartplatforms.org/terms#> .
@prefix own: <https://hospital.example.org/terms#> .
[] a sp:MedicalRecord . [] a own:Device ; sp:serialNumber "A 1" .
`;
