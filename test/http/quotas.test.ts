import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

const NOTES = '/records/1000001/clinical_notes/';
const APP = 'demo-ui@apps.example.org';
const KB = 1024;

let container: TestContainer;
let token: Credentials;
beforeAll(async () => {
  container = await startTestContainer({ postQuota: 3 * KB, textLimit: 2 * KB });
  token = await container.token('1000001');
});
afterAll(() => container.stop());

const note = `@prefix sp: <http://smartplatforms.org/terms#> . @prefix dcterms: <http://purl.org/dc/terms/> .
  @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
  [] a sp:ClinicalNote ; dcterms:title "Visit" ; dcterms:date "2024-05-06" ;
    sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "Well." ] ] ;
    dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
  <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;

const post = (key?: string): Promise<Response> =>
  container.request(NOTES, {
    method: 'POST',
    as: token,
    headers: { 'Content-Type': 'text/turtle', ...(key && { 'Idempotency-Key': key }) },
    body: note,
  });

describe('notes of an app for a record', () => {
  it('have a quota a day, which a repeated request does not use up', async () => {
    const statuses = [(await post('a')).status, (await post('a')).status, (await post()).status];
    expect([...statuses, (await post()).status]).toEqual([200, 200, 200, 200]);
    const refused = await post();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      detail: 'The app has posted as much to this record today as it may; go on after midnight UTC.',
    });
    // What was answered before is answered again.
    expect((await post('a')).status).toBe(200);
  });
});

describe.each([
  ['a scratchpad', `/records/1000001/apps/${APP}/scratchpad`],
  ['preferences', `/users/clinician/apps/${APP}/preferences`],
])('%s', (_, path) => {
  it('may hold as much as the setting says', async () => {
    const put = (size: number): Promise<Response> =>
      container.request(path, { method: 'PUT', as: token, body: 'x'.repeat(size) });
    expect((await put(2 * KB)).status).toBe(200);
    const refused = await put(2 * KB + 1);
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({
      detail: 'A request body holds at most 2048 bytes; send less.',
    });
    expect(await (await container.request(path, { as: token })).text()).toBe('x'.repeat(2 * KB));
  });
});
