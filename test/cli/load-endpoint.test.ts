import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { endpointFromRdf } from '../../src/fhir/endpoint/endpoint.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { fullest, smallest } from '../fhir/endpoint/example.js';
import { patient } from './patients.js';
import { folder, run, runJson } from './run.js';

let cwd: string;
const put = (name: string, content: unknown): void =>
  writeFileSync(
    join(cwd, name),
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  );
const chartgraph = (...args: string[]) => run(args, { cwd });
const graph = (id: string): string => `urn:chartgraph:endpoint:${id}`;

beforeEach(() => {
  cwd = folder();
  put('endpoint.json', fullest);
  put('p17.ttl', patient('Byron'));
});

describe('load of an endpoint', () => {
  test('stores it beside the records, where query and export find it', async () => {
    const { code, stdout } = await chartgraph('load', 'p17.ttl', 'endpoint.json');
    expect(stdout).toMatch(
      /\nendpoint\.json: loaded 1 endpoint \(\d+ quads\)\nLoaded 2 files, 1 record, 1 statement, \d+ quads, 1 endpoint\.\n$/u,
    );
    expect(code).toBe(0);
    const select = `PREFIX fhir: <http://hl7.org/fhir/>
      SELECT ?g ?s ?name { GRAPH ?g { ?s a fhir:Endpoint ; fhir:Endpoint.name/fhir:value ?name } }`;
    const { stdout: rows } = await run(['query'], { cwd, stdin: select });
    expect(rows.trim().split(/\r?\n/u)).toEqual(['g,s,name', `${graph('e-1')},${graph('e-1')},Ward server`]);
    const { stdout: exported } = await chartgraph('export');
    const quads = await parseRdf(exported, { format: 'nquads' });
    expect(endpointFromRdf(quads.filter((quad) => quad.graph.value === graph('e-1')))).toEqual(fullest);
    expect(quads.some(({ graph: { value } }) => value.endsWith('/records/17'))).toBe(true);
  });

  test('its blank nodes are blank in answers, its instants written as the query engine writes them', async () => {
    await chartgraph('load', 'endpoint.json');
    const construct = 'CONSTRUCT { ?s ?p ?o } { GRAPH ?g { ?s ?p ?o } }';
    const { stdout } = await run(['query', '--format', 'ntriples'], { cwd, stdin: construct });
    const meta = { ...fullest.meta, lastUpdated: '2024-02-29T10:00:00.25+02:00' };
    expect(endpointFromRdf(await parseRdf(stdout, { format: 'ntriples' }))).toEqual({ ...fullest, meta });
  });

  test('again changes nothing, and another one of its id takes its place', async () => {
    await chartgraph('load', 'endpoint.json');
    expect(await runJson(['load', 'endpoint.json', '--json'], { cwd })).toMatchObject({
      files: [{ status: 'unchanged', record_id: null, errors: [] }],
    });
    put('endpoint.json', { ...smallest, id: 'e-1', name: 'Other' });
    expect(await runJson(['load', 'endpoint.json', '--json'], { cwd })).toMatchObject({
      files: [{ status: 'loaded' }],
    });
    const { stdout } = await chartgraph('export');
    expect(stdout).toContain('"Other"');
    expect(stdout).not.toContain('Ward server');
  });

  test('is the same under another base URL', async () => {
    await chartgraph('load', 'endpoint.json');
    const { stdout } = await run(['export', '--base-url', 'https://records.example/x'], { cwd });
    const quads = await parseRdf(stdout, { format: 'nquads' });
    expect(endpointFromRdf(quads.filter((quad) => quad.graph.value === graph('e-1')))).toEqual(fullest);
  });

  test('without an id is refused in one sentence', async () => {
    put('endpoint.json', smallest);
    const { code, stderr } = await chartgraph('load', 'endpoint.json');
    expect([code, stderr]).toEqual([
      1,
      'chartgraph: endpoint.json: The endpoint has no id, after which its graph would be named.\n',
    ]);
  });

  test('with an error is refused, with a warning only when strict', async () => {
    put('bad.json', { ...smallest, id: 'x', status: 'y' });
    put('rules.json', { ...smallest, id: 'x', implicitRules: 'urn:r' });
    expect(await chartgraph('load', 'bad.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('bad.json: /status: The value must be one of'),
    });
    expect(await chartgraph('load', '--strict', 'rules.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/implicitRules'),
    });
    expect(await chartgraph('load', 'rules.json')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('warning: rules.json: /implicitRules'),
    });
  });

  test('takes all endpoints of NDJSON and of a Bundle, or none', async () => {
    const [one, two] = [
      { ...smallest, id: 'one' },
      { ...smallest, id: 'two' },
    ];
    put('two.ndjson.gz', gzipSync([one, two].map((each) => JSON.stringify(each)).join('\n')));
    put('bundle.json', {
      resourceType: 'Bundle',
      entry: [
        { resource: { resourceType: 'Patient' } },
        { resource: { ...smallest, id: 'three' } },
        { resource: { ...smallest, id: 'four' }, request: { method: 'DELETE', url: 'Endpoint/four' } },
      ],
    });
    put('gone.json', {
      resourceType: 'Bundle',
      entry: [one, two].map((resource, at) => ({
        resource,
        request: { method: at === 0 ? 'PUT' : 'DELETE' },
      })),
    });
    put('twice.ndjson', [one, one].map((each) => JSON.stringify(each)).join('\n'));
    const { code, stdout, stderr } = await chartgraph(
      'load',
      'two.ndjson.gz',
      'bundle.json',
      'gone.json',
      'twice.ndjson',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('two.ndjson.gz: loaded 2 endpoints');
    expect(stdout).toContain('gone.json: unchanged 1 endpoint ');
    expect(stderr).toMatch(/ 1 Demographics: .* \(first: bundle\.json: Patient at/u);
    expect(stderr).toContain('twice.ndjson:2: Two endpoints have the id "one".');
    const { stdout: exported } = await chartgraph('export');
    for (const id of ['one', 'two', 'three']) expect(exported).toContain(`<${graph(id)}>`);
    expect(exported).not.toContain(graph('four'));
  });

  test('an export that holds one can be loaded again: it is named as left out', async () => {
    await chartgraph('load', 'p17.ttl', 'endpoint.json');
    put('all.nq', (await chartgraph('export')).stdout);
    const { code, stderr } = await run(['load', 'all.nq'], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining(`were left out (${graph('e-1')})`)]);
  });

  test('JSON-LD is still JSON-LD', async () => {
    put('p18.json', {
      '@id': 'http://localhost:7000/records/18',
      '@type': 'http://smartplatforms.org/terms#MedicalRecord',
      'urn:resourceType': 'x',
    });
    const { stdout } = await chartgraph('load', 'p18.json');
    expect(stdout).not.toContain('endpoint');
  });
});
