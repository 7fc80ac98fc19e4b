import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import type { AppManifest } from '../../../src/access/accounts/manifest.js';
import { pathOfId } from '../../../src/fhir/out/export-names.js';
import { EXPORT_FOLDER, loadExports } from '../../../src/fhir/out/export-queries.js';
import { typesMadeBy } from '../../../src/fhir/rest/served-types.js';
import { literal, say } from '../../../src/rdf/terms.js';
import { sp } from '../../../src/rdf/vocabulary.js';
import { openPrimaryStore } from '../../../src/store/primary-store.js';
import { entriesOf } from '../../access/log/opened-log.js';
import type { Credentials } from '../../http/container.js';
import { startFlowContainer, UI_APP, type FlowContainer } from '../../http/oauth/flow-container.js';
import { ontology } from '../support.js';
import { bearerOf, withBearer } from './bearer.js';

const RECORD = '1000001';
const OTHER = '1000002';

/** Of each call with an export query: the class that an app must list to make it, and the types that are made. */
const exported = Array.from(await loadExports(join('queries', EXPORT_FOLDER), ontology), ([name, query]) => {
  const call = ontology.callByName.get(name);
  const target = call?.target ?? '';
  return { listed: ontology.classes.get(target)?.insteadOf ?? target, target, types: typesMadeBy(query) };
});
// A Binary is in no search.
const types = [...new Set(exported.flatMap((each) => each.types))].filter((type) => type !== 'Binary').sort();
const listedClasses = [...new Set(exported.map(({ listed }) => listed))];
const appOf = (iri: string): string => `only-${iri.replace(/^.*[#/]/u, '')}@apps.example.org`;
const manifests = listedClasses.map((iri): AppManifest => ({
  id: appOf(iri),
  name: appOf(iri),
  description: 'Lists one class.',
  mode: 'ui',
  index: 'http://localhost:8000/narrow/',
  icon: 'http://localhost:8000/narrow/icon.png',
  requires: { [iri]: { methods: ['GET'] } },
}));

interface Resource {
  readonly resourceType: string;
  readonly id: string;
  readonly meta: { readonly versionId: string; readonly lastUpdated: string };
  readonly [name: string]: unknown;
}
interface Bundle {
  readonly resourceType: string;
  readonly total: number;
  readonly issue?: readonly { readonly code: string; readonly diagnostics: string }[];
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly {
    readonly fullUrl?: string;
    readonly resource: Resource;
    readonly search?: { readonly mode: string };
    readonly request?: { readonly method: string };
  }[];
}

let container: FlowContainer;
let token: Credentials;
beforeAll(async () => {
  container = await startFlowContainer({}, manifests);
  token = await container.token(RECORD);
}, 60_000);
afterAll(() => container.stop());

const send = (path: string, headers: Record<string, string> = {}, as: Credentials | undefined = token) =>
  container.request(`/fhir/${path}`, { as, headers });

async function get(path: string, headers: Record<string, string> = {}): Promise<Bundle> {
  const response = await send(path, headers);
  const body = (await response.json()) as Bundle;
  expect(response.status, `${path}: ${JSON.stringify(body.issue)}`).toBe(200);
  return body;
}

const matches = ({ entry = [] }: Bundle): Resource[] =>
  entry.flatMap(({ resource, search }) => (search?.mode === 'match' ? [resource] : []));

async function refusal(
  path: string,
  headers: Record<string, string> = {},
): Promise<[number, string, string]> {
  const response = await send(path, headers);
  expect(response.headers.get('Content-Type')).toBe('application/fhir+json');
  const { issue = [] } = (await response.json()) as Bundle;
  expect(issue).toHaveLength(1);
  return [response.status, issue[0]?.code ?? '', issue[0]?.diagnostics ?? ''];
}

describe('who may read', () => {
  it('is who may make the calls of the queries: each type, own and other record, each class listed or not', async () => {
    const leaks: string[] = [];
    let count = 0;
    for (const listed of listedClasses) {
      const app = appOf(listed);
      const as = await container.token(RECORD, app);
      const bearer = await bearerOf(container, { app });
      const may = exported.filter((each) => each.listed === listed);
      const ask = (path: string) => withBearer(container, path, bearer);
      for (const type of types) {
        const expected = may.some((each) => each.types.includes(type)) ? 200 : 403;
        const response = await ask(type);
        const bundle = (await response.json()) as Bundle;
        const { status: signed } = await send(type, {}, as);
        count += 2;
        for (const status of [response.status, signed])
          if (status !== expected) leaks.push(`${app} ${type} ${status}`);
        const places = may.map(({ target }) => ontology.classes.get(target)?.basePath?.split('/')[3]);
        for (const { id } of matches(bundle)) {
          const [record, place] = (pathOfId(id) ?? id).split('/');
          if (record !== RECORD || (place !== undefined && !places.includes(place)))
            leaks.push(`${app} ${type} ${id}`);
        }
        // Patients are asked for by their ids.
        const other = type === 'Patient' ? `Patient/${OTHER}` : `${type}?patient=${OTHER}`;
        const { status } = await ask(other);
        const { status: single } = await ask(`${type}/${OTHER}..problems..x`);
        count += 2;
        if (status !== 403) leaks.push(`${app} ${other} ${status}`);
        if (single !== (expected === 200 && type !== 'Patient' ? 404 : 403))
          leaks.push(`${app} ${type} ${single}`);
      }
    }
    expect(leaks).toEqual([]);
    expect(count).toBe(types.length * listedClasses.length * 4);
  }, 60_000);

  it('is who may read the document, for its Binary, which has the bytes of the file', async () => {
    const documents = matches(await get('DocumentReference'));
    const urls = documents.flatMap(
      ({ content }) => (content as { attachment: { url?: string } }[])[0]?.attachment.url ?? [],
    );
    const [url = ''] = urls;
    const binary = (await get(url)) as unknown as { contentType: string; data: string };
    const [path = ''] = (pathOfId(url.replace('Binary/', '')) ?? '').split('#');
    const file = await container.request(`/records/${path}?format=raw`, { as: token });
    expect(Buffer.from(binary.data, 'base64').equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
    expect(file.headers.get('Content-Type')).toContain(binary.contentType);
    const as = await container.token(RECORD, appOf(sp.Problem));
    expect((await send(url, {}, as)).status).toBe(403);
    expect((await refusal(`${url}/_history`))[0]).toBe(404);
    expect((await refusal('Binary'))[0]).toBe(404);
    const all = matches(await get(`Patient/${RECORD}/$everything`));
    expect(all.map(({ resourceType }) => resourceType)).not.toContain('Binary');
  });

  it('answers the same of another patient, whether there is one or not, and of another record’s resource', async () => {
    const own = await container.token(OTHER);
    const [first] = matches((await (await send('Condition', {}, own)).json()) as Bundle);
    expect(first?.id).toMatch(new RegExp(`^${OTHER}`, 'u'));
    expect(await refusal(`Condition/${first?.id ?? ''}`)).toEqual(await refusal('Condition/none'));
    for (const path of [`Patient/${OTHER}`, `Patient/${OTHER}/$everything`, `Condition?patient=${OTHER}`])
      expect(await refusal(path)).toEqual(await refusal(path.replace(OTHER, 'none')));
    expect((await refusal(`Patient/${OTHER}`))[0]).toBe(403);
  });

  it('needs a token, and one that is not revoked', async () => {
    const response = await container.request('/fhir/Condition');
    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toContain('OAuth');
    const {
      id,
      token: ended,
      secret,
    } = await container.accounts.issueToken({
      ...{ app: UI_APP, user: 'clinician', record: RECORD },
    });
    const as = { ...token, token: ended, tokenSecret: secret };
    expect((await send('Condition', {}, as)).status).toBe(200);
    await container.accounts.revoke(id);
    expect((await send('Condition', {}, as)).status).toBe(401);
  });

  it('tells what an app may not read, where a search has something of what it may', async () => {
    const as = await container.token(RECORD, appOf('http://smartplatforms.org/terms#LabResult'));
    const { entry = [] } = (await (await send('Observation', {}, as)).json()) as Bundle;
    expect(entry.at(-1)).toMatchObject({
      search: { mode: 'outcome' },
      resource: { issue: [{ severity: 'information', code: 'suppressed' }] },
    });
  });

  it('is recorded: an entry for each call that is read', async () => {
    const log = await openAccessLog(container.data);
    const entriesAt = async (path: string) => {
      const before = (await entriesOf(log)).length;
      await send(path);
      return (await entriesOf(log)).slice(before);
    };
    const read = await entriesAt('Condition');
    expect(read.map(({ action, outcome, record, resource }) => [action, outcome, record, resource])).toEqual(
      read.map(() => ['read', 'done', RECORD, '/fhir/Condition']),
    );
    expect(read.map(({ call }) => ontology.calls.find(({ iri }) => iri === call)?.name).sort()).toEqual([
      'get_problems',
      'get_unmapped_problems',
    ]);
    const [refused] = await entriesAt(`Condition?patient=${OTHER}`);
    expect(refused).toMatchObject({ action: 'read', outcome: 'refused', record: OTHER, status: 403 });
    await log.close();
  });
});

describe('a search', () => {
  it('pages through all that it finds, in order, each once', async () => {
    const { total } = await get('Observation?_summary=count');
    const seen: Resource[] = [];
    for (let path: string | undefined = 'Observation?_count=5&_sort=-date'; path !== undefined;) {
      const page: Bundle = await get(path);
      expect(page.total).toBe(total);
      seen.push(...matches(page));
      path = page.link.find(({ relation }) => relation === 'next')?.url.split('/fhir/')[1];
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(total);
    const dates = seen.map((each) => String(each['effectiveDateTime'] ?? ''));
    const days = dates.filter((date) => date.length >= 10).map((date) => date.slice(0, 10));
    expect(days).toEqual([...days].sort().reverse());
    expect(total).toBeGreaterThan(10);
  });

  it('takes the key of a page of itself alone', async () => {
    const { link } = await get('Observation?_count=1');
    const next = link.find(({ relation }) => relation === 'next')?.url.split('?')[1] ?? '';
    expect((await refusal(`Condition?${next}`))[0]).toBe(400);
    expect((await refusal('Observation?_page=x'))[0]).toBe(400);
  });

  it.each([
    ['Observation?code=http://loinc.org|9318-7', 1],
    ['Observation?code=9318-7', 1],
    ['Observation?code=http://snomed.info/sct|9318-7', 0],
    ['Observation?code=none,9318-7&category=laboratory', 1],
    ['Observation?code=9318-7&category=vital-signs', 0],
    ['Observation?code=9318-7&status=final', 1],
    ['Condition?onset-date=2014-02', 2],
    ['Condition?onset-date=2014', 2],
    ['Condition?onset-date=lt2014', 1],
    ['Condition?onset-date=ge2011-05-16&onset-date=lt2014-01-01', 1],
    ['Condition?onset-date=sa2014-02-09&clinical-status=active', 2],
    ['Condition?onset-date=eb2011-05-16', 0],
    ['Condition?_lastUpdated=gt2000', 3],
    ['Condition?_lastUpdated=lt2000', 0],
    ['Condition?patient=1000001&subject=Patient/1000001', 3],
    ['Patient?name=LIND&birthdate=le2020', 1],
    ['Patient?family=maud', 0],
    ['Patient?name:contains=qvale', 1],
    ['Patient?identifier=1000001', 1],
    ['Patient?identifier=|1000001', 1],
    ['Patient?identifier=urn:x|1000001', 0],
  ])('finds by R4’s rules: %s', async (path, total) => {
    const bundle = await get(path);
    expect(bundle.total).toBe(total);
    expect(matches(bundle)).toHaveLength(total);
  });

  it('is one by POST, too', async () => {
    const response = await container.signed('/fhir/Observation/_search', UI_APP, {
      token: { oauth_token: token.token ?? '', oauth_token_secret: token.tokenSecret ?? '' },
      form: { code: '9318-7', _count: '1' },
    });
    expect(await response.json()).toMatchObject({ total: 1 });
  });

  it('adds what statements link to', async () => {
    const { entry = [] } = await get(
      'MedicationDispense?_include=MedicationDispense:prescription&_include=MedicationDispense:patient',
    );
    const included = entry
      .filter(({ search }) => search?.mode === 'include')
      .map(({ resource }) => resource.resourceType);
    expect(new Set(included)).toEqual(new Set(['MedicationRequest', 'Patient']));
  });

  it.each([
    ['Condition?color=red', 'not-supported'],
    ['Condition?code:in=x', 'not-supported'],
    ['Condition?onset-date=x', 'value'],
    ['Condition?onset-date=2014-02-30', 'value'],
    ['Condition?_count=-1', 'value'],
    ['Condition?_sort=code', 'value'],
    ['Condition?_include=Condition:color', 'value'],
    [`Condition?code=${'a,'.repeat(500)}`, 'value'],
    [`Condition?${'code=a&'.repeat(60)}`, 'value'],
  ])('refuses what it does not know: %s', async (path, code) => {
    const [status, found, sentence] = await refusal(path);
    expect([status, found]).toEqual([400, code]);
    expect(sentence).toMatch(/^[A-Z_a-z].*\.$/u);
  });

  it('leaves out what it does not know where the client asks for that', async () => {
    for (const path of ['Observation?code:not=8302-2', 'Observation?patient:Patient=1000002'])
      expect((await refusal(path, { Prefer: 'handling=lenient' }))[0]).toBe(400);
    const { total, link } = await get('Condition?color=red', { Prefer: 'handling=lenient' });
    expect(total).toBe(3);
    expect(link[0]?.url).not.toContain('color');
  });
});

describe('a resource', () => {
  it('has its version as entity tag, and is not sent again to who has it', async () => {
    const [first] = matches(await get('Condition'));
    const response = await send(`Condition/${first?.id ?? ''}`);
    const tag = response.headers.get('ETag') ?? '';
    expect(tag).toBe(`W/"${first?.meta.versionId ?? ''}"`);
    expect(Date.parse(response.headers.get('Last-Modified') ?? '')).toBe(
      Math.floor(Date.parse(first?.meta.lastUpdated ?? '') / 1000) * 1000,
    );
    expect(await response.json()).toEqual(first);
    const again = await send(`Condition/${first?.id ?? ''}`, { 'If-None-Match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await send(`Condition/${first?.id ?? ''}`, { 'If-None-Match': 'W/"0"' })).status).toBe(200);
  });

  it('has its earlier versions', async () => {
    const [first] = matches(await get('Condition?_sort=onset-date'));
    const id = first?.id ?? '';
    const name = `${container.url}/records/${pathOfId(id) ?? ''}`;
    const primary = openPrimaryStore(container.directory, container.url);
    const before = primary.graph(name) ?? [];
    const quads = before.map((each) =>
      each.predicate.value === sp.startDate ? say(each.subject, sp.startDate, literal('1999-01-01')) : each,
    );
    await primary.write({ replace: [{ name, quads }] });
    const history = await get(`Condition/${id}/_history`);
    expect(history.total).toBe(2);
    const onsets = history.entry?.map(({ resource }) => resource['onsetDateTime']);
    expect(onsets).toEqual(['1999-01-01', first?.['onsetDateTime']]);
    const [now, then] = history.entry?.map(({ resource }) => resource.meta.versionId) ?? [];
    expect(then).toBe(first?.meta.versionId);
    const vread = await send(`Condition/${id}/_history/${then ?? ''}`);
    expect(await vread.json()).toEqual(first);
    expect(vread.headers.get('ETag')).toBe(`W/"${then ?? ''}"`);
    const [newest] = matches(await get('Condition?onset-date=1999'));
    expect(newest?.meta.versionId).toBe(now);
    expect((await refusal(`Condition/${id}/_history/0`))[0]).toBe(404);
    await primary.write({ remove: [name] });
    for (const path of ['', '/_history', `/_history/${then ?? ''}`])
      expect((await refusal(`Condition/${id}${path}`))[0]).toBe(410);
    expect((await refusal(`Procedure/${id}`))[0]).toBe(404);
    await primary.write({ replace: [{ name, quads: before }] });
    expect((await send(`Condition/${id}`)).status).toBe(200);
  });

  it('is JSON, and nothing else', async () => {
    for (const format of ['json', 'application/json', 'application/fhir%2Bjson', 'application/fhir+json'])
      expect((await send(`Patient/${RECORD}?_format=${format}`, { Accept: 'text/html' })).status).toBe(200);
    expect((await refusal(`Patient/${RECORD}?_format=xml`))[0]).toBe(406);
    expect((await refusal('Condition?_format=xml'))[0]).toBe(406);
    expect((await refusal(`Patient/${RECORD}`, { Accept: 'application/fhir+xml' }))[0]).toBe(406);
    expect((await send('Condition', { Accept: 'application/json' })).headers.get('Content-Type')).toBe(
      'application/json',
    );
  });

  it.each(['Condition/a/b/c/d', '', 'Conditio', 'Condition/%00', '__proto__', 'constructor/x'])(
    'that is none is told of as an OperationOutcome: %j',
    async (path) => {
      expect((await refusal(path))[0]).toBe(404);
    },
  );

  it('is everything that the app may read of a patient', async () => {
    const all = await get(`Patient/${RECORD}/$everything`);
    expect(all.entry).toHaveLength(all.total);
    const found = new Set(matches(all).map(({ resourceType }) => resourceType));
    expect(found.size).toBeGreaterThan(8);
    const some = await get(`Patient/${RECORD}/$everything?_type=Condition,Patient&_since=2000`);
    expect(new Set(matches(some).map(({ resourceType }) => resourceType))).toEqual(
      new Set(['Condition', 'Patient']),
    );
    expect((await get(`Patient/${RECORD}/$everything?_since=2099-01-01`)).total).toBe(0);
    expect((await refusal(`Patient/${RECORD}/$everything?_type=Nothing`))[0]).toBe(400);
  });
});

it('a form that is no form, or too long, is never a search without parameters', async () => {
  const bearer = await bearerOf(container);
  const post = async (body: string, type: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': type, Prefer: 'handling=lenient' };
    const answer = await container.request('/fhir/Observation/_search', { method: 'POST', headers, body });
    return answer.status;
  };
  const form = 'application/x-www-form-urlencoded';
  expect(await post('_id=none', form)).toBe(200);
  expect(await post('_id=none', 'text/plain')).toBe(415);
  expect(await post(`_id=none&code=${'a'.repeat(20_000)}`, form)).toBe(413);
  expect(await post(`status=${'a,'.repeat(150)}&code=${'b,'.repeat(150)}`, form)).toBe(400);
});

it('a CapabilityStatement says what is served, and is for everybody', async () => {
  const response = await container.request('/fhir/metadata');
  const { rest } = (await response.json()) as {
    rest: { resource: { type: string; searchParam?: { name: string }[] }[] }[];
  };
  const resource = rest[0]?.resource ?? [];
  expect(resource.map(({ type }) => type)).toEqual([...types, 'Binary'].sort());
  for (const { type, searchParam = [] } of resource.filter(({ type }) => type !== 'Binary'))
    expect(
      searchParam.map(({ name }) => name),
      type,
    ).toContain('_id');
});
