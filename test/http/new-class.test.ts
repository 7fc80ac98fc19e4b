import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFlowContainer, type FlowContainer } from './oauth/flow-container.js';
import { readRdfXml, subjectsOf } from './rdfxml.js';

const root = resolve(import.meta.dirname, '..', '..');

const ontology = `
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix sp: <http://smartplatforms.org/terms#> .
@prefix api: <http://smartplatforms.org/terms/api#> .
@prefix calls: <http://smartplatforms.org/terms/api/calls#> .
@prefix cg: <https://chartgraph.example.org/terms#> .

sp:Device a owl:Class ;
    rdfs:label "Device" ;
    rdfs:comment "Something implanted or worn." ;
    rdfs:subClassOf sp:Statement ,
        [ a owl:Restriction ; owl:onProperty sp:serialNumber ; owl:cardinality 1 ] ,
        [ a owl:Restriction ; owl:onProperty dcterms:date ; owl:maxCardinality 1 ] ,
        [ a owl:Restriction ; owl:onProperty dcterms:date ; owl:allValuesFrom rdfs:Literal ] ,
        [ a owl:Restriction ; owl:onProperty sp:batteryVoltage ; owl:maxCardinality 1 ] ,
        [ a owl:Restriction ; owl:onProperty sp:batteryVoltage ; owl:allValuesFrom sp:ValueAndUnit ] ,
        [ a owl:Restriction ; owl:onProperty sp:batteryVoltage ; owl:allValuesFrom
            [ a owl:Restriction ; owl:onProperty sp:value ; owl:allValuesFrom
                [ a rdfs:Datatype ; owl:onDatatype xsd:decimal ;
                  owl:withRestrictions ( [ xsd:minInclusive 0 ] [ xsd:maxExclusive 24 ] ) ] ] ] ;
    api:namePlural "Devices" ;
    cg:title sp:serialNumber ;
    cg:date dcterms:date ;
    api:base_path "/records/{record_id}/devices/{device_id}" .

sp:serialNumber a owl:DatatypeProperty ; rdfs:label "serial number" ; rdfs:comment "As engraved." ; cg:identifying "direct" .

sp:batteryVoltage a owl:ObjectProperty ; rdfs:label "battery voltage" ; rdfs:comment "What the battery still has." ; cg:trend "time" .

calls:get_devices a owl:NamedIndividual , api:Call ;
    rdfs:label "List devices" ; rdfs:comment "All devices of a record." ;
    api:clientMethodName "get_devices" ; api:httpMethod "GET" ; api:path "/records/{record_id}/devices/" ;
    api:target sp:Device ; api:category "record" ; api:cardinality "multiple" ; cg:answer "rdf" .

calls:get_device a owl:NamedIndividual , api:Call ;
    rdfs:label "Get a device" ; rdfs:comment "One device." ;
    api:clientMethodName "get_device" ; api:httpMethod "GET" ; api:path "/records/{record_id}/devices/{device_id}" ;
    api:target sp:Device ; api:category "record" ; api:cardinality "single" ; cg:answer "rdf" .

calls:post_device a owl:NamedIndividual , api:Call ;
    rdfs:label "Add a device" ; rdfs:comment "Stores one device." ;
    api:clientMethodName "post_device" ; api:httpMethod "POST" ; api:path "/records/{record_id}/devices/" ;
    api:target sp:Device ; api:category "record" ; api:cardinality "single" ; cg:answer "rdf" .
`;

const list = `# All devices of a record. Parameters: $record.
PREFIX sp: <http://smartplatforms.org/terms#>
CONSTRUCT { ?s ?p ?o }
WHERE {
  { SELECT ?statement WHERE {
      GRAPH ?statement { ?statement sp:belongsTo $record ; a sp:Device . }
      #:filters
    }
    #:page
  }
  GRAPH ?statement { ?s ?p ?o }
}
`;

const single = `# One device. Parameters: $record, $resource.
PREFIX sp: <http://smartplatforms.org/terms#>
CONSTRUCT { ?s ?p ?o }
WHERE {
  GRAPH $resource { $resource sp:belongsTo $record ; a sp:Device . ?s ?p ?o }
}
`;

let folder: string;
let container: FlowContainer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartgraph-class-'));
  for (const name of ['ontology', 'queries'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  await writeFile(join(folder, 'ontology', 'devices.ttl'), ontology);
  await writeFile(join(folder, 'queries', 'get_devices.rq'), list);
  await writeFile(join(folder, 'queries', 'get_device.rq'), single);
  await cp(join(root, 'seed'), join(folder, 'seed'), { recursive: true });
  // What an app may do is what its manifest lists.
  const file = join(folder, 'seed', 'apps', 'demo-ui.json');
  const app = JSON.parse(await readFile(file, 'utf8')) as { requires: Record<string, { methods: string[] }> };
  app.requires['http://smartplatforms.org/terms#Device'] = { methods: ['GET', 'POST'] };
  await writeFile(file, JSON.stringify(app));
  await writeFile(
    join(folder, 'seed', 'records', '42.ttl'),
    '@prefix sp: <http://smartplatforms.org/terms#> . [] a sp:MedicalRecord . [] a sp:Device ; sp:serialNumber "A 1" .',
  );
  container = await startFlowContainer({
    ontology: join(folder, 'ontology'),
    queries: join(folder, 'queries'),
    seed: join(folder, 'seed'),
  });
});
afterAll(async () => {
  await container.stop();
  await rm(folder, { recursive: true, force: true });
});

it('a class, two calls and two queries are enough for a new kind of statement', async () => {
  const token = await container.token('42');
  const answer = await container.request('/records/42/devices/', { as: token });
  expect(answer.status).toBe(200);
  const [device = ''] = subjectsOf(await readRdfXml(await answer.text()), 'Device');
  expect(device).toMatch(/\/records\/42\/devices\/[0-9a-z]+$/);
  const one = await container.request(device.slice(container.url.length), { as: token });
  expect(await one.text()).toContain('A 1');
  const manifest = (await (await container.request('/manifest')).json()) as { capabilities: object };
  expect(manifest.capabilities).toHaveProperty(['http://smartplatforms.org/terms#Device']);
});

it('a third call is enough to add one', async () => {
  const as = await container.token('42');
  const post = (properties: string): Promise<Response> =>
    container.request('/records/42/devices/', {
      method: 'POST',
      as,
      headers: { 'Content-Type': 'text/turtle' },
      body: `@prefix sp: <http://smartplatforms.org/terms#> . [] a sp:Device ${properties} .`,
    });
  const posted = await post('; sp:serialNumber "B 2"');
  expect(posted.status).toBe(200);
  const iri = posted.headers.get('Location') ?? '';
  const read = await container.request(iri.slice(container.url.length), { as });
  expect(await read.text()).toBe(await posted.text());
  expect(await (await container.request('/records/42/devices/', { as })).text()).toContain('B 2');
  expect((await post('')).status).toBe(422);
});

it('takes no value that the class does not allow, and tells everybody which it does', async () => {
  const as = await container.token('42');
  const post = (voltage: string): Promise<Response> =>
    container.request('/records/42/devices/', {
      method: 'POST',
      as,
      headers: { 'Content-Type': 'text/turtle' },
      body: `@prefix sp: <http://smartplatforms.org/terms#> . [] a sp:Device ; sp:serialNumber "D 4" ;
        sp:batteryVoltage [ a sp:ValueAndUnit ; sp:value ${voltage} ; sp:unit "V" ] .`,
    });
  for (const right of ['"0"', '"23.9"', '12', '12.5']) expect((await post(right)).status).toBe(200);
  const says =
    'sp:value in sp:batteryVoltage of sp:Device must be a value of xsd:decimal, at least 0 and less than 24.';
  for (const wrong of ['"24"', '-1', '"flat"', '12e0']) {
    const refused = await post(wrong);
    expect([wrong, refused.status]).toEqual([wrong, 422]);
    const { detail, violations } = (await refused.json()) as {
      detail: string;
      violations: { message: string }[];
    };
    expect([detail, ...violations.map(({ message }) => message)]).toEqual([says, says]);
  }
  const page = await (await container.request('/docs/classes/Device')).text();
  expect(page.replace(/<[^>]*>/g, '')).toContain(
    'value is a value of xsd:decimal, at least 0 and less than 24',
  );
  expect(
    await (await container.request('/ontology/shapes', { headers: { Accept: 'text/turtle' } })).text(),
  ).toContain('sh:maxExclusive');
});

it('is on the page of the record, in trends and in who looked without a line of code', async () => {
  const as = await container.token('42');
  const browser = await container.browser('clinician');
  for (const [date, voltage] of [
    ['2021', '3.1'],
    ['2023', '2.7'],
  ]) {
    const posted = await container.request('/records/42/devices/', {
      method: 'POST',
      as,
      headers: { 'Content-Type': 'text/turtle' },
      body: `@prefix sp: <http://smartplatforms.org/terms#> . @prefix dcterms: <http://purl.org/dc/terms/> .
        [] a sp:Device ; sp:serialNumber "C 3" ; dcterms:date "${date}" ;
          sp:batteryVoltage [ a sp:ValueAndUnit ; sp:value "${voltage}" ; sp:unit "V" ] .`,
    });
    expect(posted.ok).toBe(true);
  }
  const record = (await browser.open('/account/records/42')).html;
  expect(record).toMatch(/<a href="\/account\/records\/42\/devices">Devices<\/a>/);
  expect(record).toContain('Battery voltage: 2.7 V');
  const [, path = ''] = /<a href="(\/account\/records\/42\/devices\/[\w-]+)"\s*>C 3/.exec(record) ?? [];
  expect((await browser.open(path)).html).toContain('<h1>C 3</h1>');
  expect((await browser.open('/account/trends/42')).html).toMatch(/C 3[\s\S]*<polyline/);
  const accesses = await (await container.browser('admin')).open('/account/accesses/42');
  expect(accesses.html).toContain('Saw: Device');
});
