import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sp } from '../../../src/rdf/vocabulary.js';
import type { Credentials } from '../container.js';
import { UI_APP } from '../oauth/flow-container.js';
import type { PlainBrowser } from '../oauth/plain-browser.js';
import { RECORD, startClosed, type ClosedContainer } from './closed-container.js';

const TERMS = sp.Statement.slice(0, -'Statement'.length);
const ENCOUNTER = sp.Encounter;
const NOTE = sp.ClinicalNote;
const here = `/records/${RECORD}`;

let container: ClosedContainer;
let clinician: PlainBrowser;
let patient: PlainBrowser;
let app: Credentials;
let bearer = '';
beforeAll(async () => {
  container = await startClosed();
  clinician = await container.browser('clinician');
  patient = await container.browser('person');
  app = await container.token(RECORD, UI_APP, 'clinician');
  const { directory, accounts } = container;
  const asked = { app: UI_APP, user: 'clinician', record: RECORD, scope: 'patient/*.rs' };
  bearer = (await directory.transact((tx) => accounts.putBearer(tx, asked))).token;
}, 60_000);
afterAll(() => container.stop());
afterEach(async () => {
  await container.openAll();
  await container.directory.transact((tx) => container.accounts.endEmergencies(tx, 'clinician', [RECORD]));
});

const call = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  container.request(path, { as: app, method, headers: { Accept: 'application/n-triples', ...headers } });
const text = async (path: string): Promise<string> => (await call(path)).text();
const fhir = (path: string): Promise<Response> =>
  container.request(`/fhir/${path}`, { headers: { Authorization: `Bearer ${bearer}` } });
const oneOf = (iri: string): string => (container.statements(iri)[0] ?? '').slice(container.url.length);
const touched = async (iri: string): Promise<void> => {
  const [name = ''] = container.statements(iri);
  const quads = container.primary.graph(name) ?? [];
  await container.primary.write({ replace: [{ name, quads: [] }] });
  await container.primary.write({ replace: [{ name, quads }] });
};

describe('calls', () => {
  it('list nothing of a closed class, count none, and do not have one', async () => {
    expect(await text(`${here}/encounters/`)).toMatch(/encounters\/\w/u);
    await container.close(ENCOUNTER, 'all');
    const list = await text(`${here}/encounters/`);
    expect(list).not.toMatch(/encounters\/\w/u);
    expect(list).toMatch(/totalResultCount> "0"/u);
    expect((await call(oneOf(ENCOUNTER))).status).toBe(404);
    expect((await call(`${oneOf(ENCOUNTER)}?at=${new Date().toISOString()}`)).status).toBe(404);
  });

  it('show a statement without what it links to, where that is closed', async () => {
    const path = `${here}/problems/`;
    expect(await text(path)).toMatch(/encounters\/\w/u);
    const count = (await text(path)).match(/totalResultCount> "(\d+)"/u)?.[1];
    await container.close(ENCOUNTER, 'user clinician');
    const list = await text(path);
    expect(list).not.toMatch(/encounters\/\w/u);
    expect(list.match(/totalResultCount> "(\d+)"/u)?.[1]).toBe(count);
  });

  it('have a tag that tells nothing of what is closed, and another one once it is open again', async () => {
    const tag = async (path: string): Promise<string | null> => (await call(path)).headers.get('ETag');
    const before = await tag(`${here}/problems/`);
    await container.close(ENCOUNTER, 'all');
    const paths = [`${here}/problems/`, `${here}/encounters/`, `${here}/changes`, here, oneOf(sp.Problem)];
    const closed = await Promise.all(paths.map(tag));
    expect(closed[0]).not.toBe(before);
    await touched(ENCOUNTER);
    expect(await Promise.all(paths.map(tag))).toEqual(closed);
    await touched(sp.Problem);
    expect(await tag(paths[0] ?? '')).not.toBe(closed[0]);
    const last = await tag(`${here}/changes`);
    await container.openAll();
    expect(await tag(`${here}/changes`)).not.toBe(last);
  });

  it('cannot be filtered or ordered by what is closed', async () => {
    const [date] = /\d{4}-\d\d-\d\d/u.exec(await text(`${here}/encounters/`)) ?? [];
    await container.close(ENCOUNTER, 'all');
    const found = await text(`${here}/encounters/?date_from=${date}&date_to=${date}`);
    expect(found).toMatch(/totalResultCount> "0"/u);
  });

  it('still find codes below others', async () => {
    const path = `${here}/problems/?snomed=73211009&descendants=true`;
    const before = await text(path);
    expect(before).toMatch(/totalResultCount> "[1-9]/u);
    await container.close(ENCOUNTER, 'all');
    expect((await text(path)).match(/totalResultCount.*/u)?.[0]).toBe(
      before.match(/totalResultCount.*/u)?.[0],
    );
  });

  it('write nothing of a closed class, with one sentence why', async () => {
    await container.close(NOTE, `app ${UI_APP}`);
    const response = await call(`${here}/clinical_notes/`, { 'Content-Type': 'text/turtle' }, 'POST');
    expect(response.status).toBe(403);
    expect(((await response.json()) as { detail: string }).detail).toBe(
      'This part of the record is closed to you; nothing can be written to it.',
    );
    expect((await call(`/records/${RECORD}/apps/${UI_APP}/scratchpad`, {}, 'PUT')).status).toBe(200);
  });

  it('answer the names of who writes a note, where something else is closed', async () => {
    await container.close(ENCOUNTER, 'all');
    const body = `@prefix sp: <${TERMS}>. @prefix dcterms: <http://purl.org/dc/terms/>.
[] a sp:ClinicalNote; dcterms:title "Visit"; dcterms:date "2026-01-01"; dcterms:format <http://purl.org/NET/mediatypes/text/plain>;
 sp:resource [ a sp:Resource; sp:content [ a sp:Content; sp:encoding "UTF-8"; sp:value "Well." ] ].
<http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent; <http://www.w3.org/2000/01/rdf-schema#label> "text/plain".`;
    const response = await container.request(`${here}/clinical_notes/`, {
      ...{ as: app, method: 'POST', body },
      headers: { 'Content-Type': 'text/turtle', Accept: 'application/n-triples' },
    });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Oxendale')]);
  });
});

describe('changes', () => {
  const changes = async (): Promise<{ revision: number; changes: { revision: number }[] }> =>
    (await call(`${here}/changes`, { Accept: 'application/json' })).json() as never;

  it('name none of a closed class, and not their numbers', async () => {
    await touched(sp.Problem);
    const before = await changes();
    await container.close(ENCOUNTER, 'all');
    await touched(ENCOUNTER);
    const after = await changes();
    expect(JSON.stringify(after)).not.toContain('/encounters/');
    expect(after.revision).toBeLessThanOrEqual(before.revision);
  });

  it('are streamed without them, and the stream ends when more is closed', async () => {
    await container.close(ENCOUNTER, 'all');
    const response = await call(`${here}/changes`, { Accept: 'text/event-stream' });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader() ?? expect.fail();
    let all = (await reader.read()).value ?? '';
    await touched(ENCOUNTER);
    await touched(sp.Problem);
    while (!all.includes('/problems/')) all += (await reader.read()).value ?? expect.fail(all);
    expect(all).not.toContain('/encounters/');
    await container.close(sp.Problem, 'all');
    await touched(sp.Problem);
    for (let part = await reader.read(); !part.done; part = await reader.read()) all += part.value;
    expect(all.match(/\/problems\//gu)?.length).toBeLessThanOrEqual(2);
  });
});

describe('FHIR', () => {
  it('has no resource of a closed class: read, search, everything, history and count', async () => {
    const { entry } = (await (await fhir('Encounter')).json()) as { entry: { resource: { id: string } }[] };
    const id = entry[0]?.resource.id ?? '';
    await container.close(ENCOUNTER, 'all');
    expect((await fhir(`Encounter/${id}`)).status).toBe(404);
    expect((await fhir(`Encounter/${id}/_history`)).status).toBe(404);
    expect(await (await fhir('Encounter?_summary=count')).json()).toMatchObject({ total: 0 });
    const all = await (await fhir(`Patient/${RECORD}/$everything?_count=1000`)).text();
    expect(all).toContain('"resourceType":"Condition"');
    expect(all).not.toContain('"resourceType":"Encounter"');
    expect(all).not.toContain(id);
    await container.openAll();
    expect((await fhir(`Encounter/${id}`)).status).toBe(200);
  });
});

describe('pages', () => {
  const visit = (): string => `/account${oneOf(ENCOUNTER)}`;
  const form = { do: 'close', class: ENCOUNTER, to: 'all', confirmed: 'yes' };
  const there = `/account/closed/${RECORD}`;

  it('let the patient close a class and open it again, and say so', async () => {
    const answer = await patient.submit(await patient.open(there), form, there);
    expect(answer.status).toBe(303);
    const page = await patient.open(answer.headers.get('Location') ?? '');
    expect(page.html).toMatch(/Closed to all clinicians and apps since \d+ \w{3} \d{4}</u);
    expect(page.html).toContain('You have closed visits to all clinicians and apps.');
    expect((await clinician.open(visit())).status).toBe(404);
    expect((await patient.open(visit())).status).toBe(200);
    const looked = (await patient.open(`/account/accesses/${RECORD}`)).html;
    expect(looked).toContain('Closed a part of the record');
    await container.close(ENCOUNTER, 'user other');
    const again = await patient.submit(page, { ...form, do: 'open' }, there);
    const opened = (await patient.open(again.headers.get('Location') ?? '')).html;
    expect(opened).toContain(
      'You have opened visits to all clinicians and apps again; what is listed below stays closed.',
    );
    expect((await clinician.open(visit())).status).toBe(200);
    expect((await patient.open(answer.headers.get('Location') ?? '')).html).not.toContain('You have closed');
  });

  it('have nothing chosen, and ask before they close', async () => {
    const page = await patient.open(there);
    expect(page.html.match(/<select[^>]* required>\s*<option value="">Choose…/gu)).toHaveLength(2);
    const ask = async (part: string, to: string) =>
      (await patient.submit(page, { do: 'close', class: part, to }, there)).html;
    const medications = await ask(sp.Medication, 'all');
    expect(medications).toMatch(/will no longer see medications in this record, except in an emergency/u);
    expect(medications).toMatch(/These stay open and may say the same: medicines dispensed\./u);
    await container.close(sp.Fulfillment, 'all');
    expect(await ask(sp.Medication, 'all')).not.toContain('stay open and may say');
    await container.openAll();
    expect(page.html).toContain('>Una Otherby, clinician</option>');
    expect(await ask(sp.Document, 'all')).toMatch(/Closed with it: .*notes/u);
    expect(await ask(sp.Document, 'all')).toContain('Other parts stay open and may mention the same.');
    expect(await ask(sp.Allergy, 'user other')).toContain('Una Otherby and the apps they use');
    expect(container.accounts.closures(RECORD)).toEqual([]);
    const none = await patient.submit(page, { do: 'close', class: '', to: '' }, there);
    expect([none.status, none.html]).toEqual([400, expect.stringContaining('Choose what to close')]);
  });

  it('do not say to a clinician that nothing is recorded where it may be closed', async () => {
    const list = `/account${here}/problems/`;
    for (const { iri } of container.classes) await container.close(iri, 'all');
    const [overview, problems] = [await clinician.open(`/account${here}`), await clinician.open(list)];
    expect(overview.html.match(/None shown: parts of/gu)?.length).toBeGreaterThan(1);
    for (const { html } of [overview, problems]) {
      expect(html).toContain('None shown: parts of this record are closed to you.');
      expect(html).not.toContain('None shown.');
      expect(html).not.toContain('None recorded');
    }
    expect((await patient.open(list)).html).not.toContain('None shown');
  });

  it('have a card for results that may be closed, and say the same in trends and of a visit', async () => {
    await container.close(
      container.classes.filter(({ iri }) => iri !== ENCOUNTER),
      'all',
    );
    const none = 'None shown: parts of this record are closed to you.';
    const overview = (await clinician.open(`/account${here}`)).html;
    for (const name of ['lab results', 'vital signs'])
      expect(overview).toMatch(new RegExp(`Latest ${name}</a></h2>\\s*<p class="quiet">${none}`, 'u'));
    const trends = (await clinician.open(`/account/trends/${RECORD}`)).html;
    expect(trends).toContain(none);
    expect(trends).not.toContain('No measurements');
    const stay = (await clinician.open(visit())).html;
    expect(stay).toMatch(new RegExp(`During this (?:visit|stay)</h2>\\s*<p class="quiet">${none}`, 'u'));
  });

  it('say of what is named by something closed that it is', async () => {
    const [dispensed, panels] = [`/account${here}/fulfillments/`, `/account${here}/lab_panels/`];
    expect((await clinician.open(dispensed)).html).not.toContain('not shown');
    for (const iri of [sp.Medication, sp.LabResult]) await container.close(iri, 'all');
    const [first = '', ...rows] = (await clinician.open(dispensed)).html
      .split('<span class="head">')
      .slice(1);
    for (const row of [first, ...rows]) expect(row).toContain('Medication not shown: closed');
    const [, one = ''] = /href="([^"]*)"/u.exec(first) ?? [];
    expect((await clinician.open(one)).html).toContain('<h1>Medication not shown: closed</h1>');
    expect((await clinician.open(panels)).html).toContain('Lab results and day not shown: closed');
    expect((await patient.open(panels)).html).not.toContain('not shown');
  });

  it('tell a clinician once on every page of the record that parts are closed', async () => {
    await container.close(
      [sp.Allergy, sp.LabResult].map((iri) => ({ iri }) as never),
      'all',
    );
    const notice = /Parts of this record are closed to you\.\s*<a class="noprint" href="([^"]*)"/gu;
    const note = `/account/notes/${RECORD}`;
    const pages = [
      `/account${here}`,
      `/account/trends/${RECORD}`,
      `/account${here}/problems/`,
      visit(),
      note,
    ];
    for (const path of pages) {
      const { html } = await clinician.open(path);
      expect([path, ...html.matchAll(notice)].map(String)).toHaveLength(2);
      expect(html).not.toContain('strip calm');
      expect((await patient.open(path)).html).not.toContain('closed to you');
    }
  });

  it.each([
    ['user person', 'person is no clinician: name clinicians and apps.'],
    ['app none', 'There is no app none.'],
    ['group x', 'Say to whom: everybody, a clinician or an app.'],
    ['user nobody', 'nobody is no clinician: name clinicians and apps.'],
  ])('refuse to close to %s', async (to, sentence) => {
    const answer = await patient.submit(await patient.open(there), { ...form, to }, there);
    expect([answer.status, answer.html]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it.each([sp.Demographics, 'https://example.org/nothing'])('refuse to close %s', async (iri) => {
    const answer = await patient.submit(await patient.open(there), { ...form, class: iri }, there);
    expect(answer.status).toBe(400);
  });

  it('are not for clinicians; administrators do it for the patient', async () => {
    expect((await clinician.open(there)).status).toBe(403);
    const admin = await container.browser('admin');
    expect((await admin.submit(await admin.open(there), form, there)).status).toBe(303);
    expect((await clinician.open(visit())).status).toBe(404);
  });

  it('tell a clinician that something is closed, and open it in an emergency', async () => {
    await container.close(ENCOUNTER, 'all');
    const overview = `/account/records/${RECORD}`;
    const emergency = '/account/emergency';
    const closed = (await clinician.open(overview)).html;
    expect(closed).toContain('Parts of this record are closed to you.');
    const fields = { number: RECORD, reason: 'Unconscious' };
    await clinician.submit(await clinician.open(emergency), fields, emergency);
    expect((await clinician.open(visit())).status).toBe(200);
    expect((await clinician.open(overview)).html).toMatch(
      /You opened this record in an emergency\. Until \d+ \w{3} \d{4}, \d\d:\d\d UTC, you also see/u,
    );
    expect((await patient.open(`/account/accesses/${RECORD}`)).html).toContain('Unconscious');
    const told =
      /Amara Oxendale opened this record in an emergency[^<]*Why: Unconscious\. <a href="([^"]*)"/u;
    expect(told.exec((await patient.open(overview)).html)?.[1]).toBe(`/account/accesses/${RECORD}`);
    expect((await clinician.open(overview)).html).not.toContain('Why: Unconscious');
    expect((await call(oneOf(ENCOUNTER))).status).toBe(404);
    await container.close(ENCOUNTER, 'user other');
    await container.open(ENCOUNTER, 'all');
    expect((await clinician.open(overview)).html).not.toContain('closed to you');
  });

  it('say to the patient what of a request was closed, and what an emergency opened', async () => {
    const [looked, emergency] = [`/account/accesses/${RECORD}`, '/account/emergency'];
    const list = `/account${here}/encounters/`;
    const lines = async (): Promise<string[]> =>
      [...(await patient.open(looked)).html.matchAll(/<li>\s*<time[^]*?<\/li>/gu)].map(([line]) =>
        line
          .replaceAll(/<[^>]*>/gu, ' ')
          .replaceAll(/\s+/gu, ' ')
          .trim()
          .slice(6),
      );
    const before = (await lines()).filter((line) => line.startsWith('Saw: Visits'));
    await container.close(ENCOUNTER, 'all');
    for (const path of [list, `/account/records/${RECORD}`]) await clinician.open(path);
    await call(`${here}/encounters/`);
    await fhir('Encounter');
    const closed = await lines();
    expect(closed.filter((line) => line.startsWith('Saw: Visits')).sort()).toEqual(before.sort());
    const asked = closed.filter((line) => line.startsWith('Asked for: Visits (closed: nothing was shown)'));
    expect(asked.length).toBeGreaterThan(1);
    expect(closed.join('\n')).toMatch(/^Saw: Overview of the record \(without what is closed\)/mu);
    await clinician.submit(await clinician.open(emergency), { number: RECORD, reason: 'Fall' }, emergency);
    for (const path of [list, `/account/records/${RECORD}`]) await clinician.open(path);
    const opened = (await lines()).join('\n');
    for (const name of ['Visits', 'Overview of the record'])
      expect(opened).toMatch(new RegExp(`^Saw: ${name} \\(in an emergency\\)`, 'mu'));
    expect(opened).toContain('Asked for: Visits (closed: nothing was shown)');
  });

  it('write no note where notes are closed', async () => {
    await container.close(NOTE, 'all');
    const [path, overview] = [`/account/notes/${RECORD}`, `/account/records/${RECORD}`];
    const sentence = 'Notes are closed to you, so you cannot write one.';
    const form = await clinician.open(path);
    expect([form.status, form.html]).toEqual([403, expect.stringContaining(sentence)]);
    expect(form.html).not.toMatch(/<textarea|Check the note/u);
    expect(form.html.match(/Notes are closed to you/gu)).toHaveLength(1);
    const { html } = await clinician.open(overview);
    expect(html).toContain(sentence);
    expect(html).not.toContain('Write a note');
    await container.open(NOTE, 'all');
    const opened = await clinician.open(path);
    expect((await clinician.open(overview)).html).toContain('Write a note');
    await container.close(NOTE, 'all');
    const direct = { ...opened, html: opened.html.replace(`${path}/check`, path) };
    for (const each of [opened, direct])
      expect((await clinician.submit(each, { title: 'a', text: 'b' })).status).toBe(403);
  });
});
