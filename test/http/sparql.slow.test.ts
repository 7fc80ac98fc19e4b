import { readFileSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QueryPlan } from '../../src/analysts/query-plan.js';
import { openAccessLog } from '../../src/access/log/access-log.js';
import type { RecordedEntry } from '../../src/access/log/access-entry.js';
import { literal, namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { formats, type RdfFormat } from '../../src/rdf/formats.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { folder, run } from '../cli/run.js';
import { seededCopy } from '../setup/seeded-copy.js';
import { startAnalystServer, type AnalystServer } from './analyst-server.js';

/** Names of patients of the seed, as the identified level shows them. */
const NAMES = 'SELECT DISTINCT ?name { ?s v:given-name|v:family-name ?name }';

let server: AnalystServer;
let token: string;
let identified: string;

beforeAll(async () => {
  server = await startAnalystServer();
  await server.user('ana', 'analyst');
  await server.user('bob', 'clinician');
  token = await server.token('ana');
  identified = await server.token('ana', 'identified');
});
afterAll(() => server.stop());

const entries = async (): Promise<RecordedEntry[]> => {
  const log = await openAccessLog(server.data);
  try {
    const found: RecordedEntry[] = [];
    for await (const entry of log.read({})) if (entry.action === 'query') found.push(entry);
    return found;
  } finally {
    await log.close();
  }
};

const sessionOf = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith('chartgraph-session'))
    ?.split(';')[0] ?? '';

/** The cookie of somebody new, who has signed in. */
async function signedIn(user: string, role: 'admin' | 'analyst'): Promise<string> {
  const password = 'a very long pass phrase 71';
  await server.user(user, role, password);
  const page = await fetch(`${server.url}/login`);
  const csrf = /name="csrf" value="([^"]+)"/u.exec(await page.text())?.[1] ?? '';
  const answer = await fetch(`${server.url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: sessionOf(page) },
    body: new URLSearchParams({ csrf, return_url: '/account', username: user, password }),
  });
  return sessionOf(answer);
}

/** The number of rows and whether there are more, from the fields before or after an answer. */
const factsOf = async (query: string): Promise<{ rows: unknown; isCut: unknown }> => {
  const body = new URLSearchParams({ query }).toString();
  const headers = {
    Authorization: `Bearer ${token}`,
    Accept: 'text/csv',
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${server.url}/sparql`, { method: 'POST', headers }, resolve).once('error', reject).end(body);
  });
  await text(response);
  const fields = { ...response.headers, ...response.trailers };
  return { rows: fields['chartgraph-rows'], isCut: fields['chartgraph-truncated'] };
};

const problem = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;

describe('who may ask', () => {
  const paths = ['/sparql?query=ASK%7B%7D', '/sparql', '/sparql/queries', '/.well-known/void'];

  test.each(paths)('nobody without a token learns anything at %s', async (path) => {
    for (const headers of [{}, { Authorization: 'Bearer cga_unknown' }, { Authorization: 'Basic YTpi' }]) {
      const response = await fetch(server.url + path, { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer realm="http/u);
      expect(Object.keys(await problem(response)).sort()).toEqual(['detail', 'status', 'title', 'type']);
    }
  });

  test('a query that is too long is refused before it is written down', async () => {
    const before = (await entries()).length;
    for (const more of ['', '&explain=true']) {
      const response = await fetch(`${server.url}/sparql`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: new URLSearchParams(`query=ASK%7B%7D%23${'x'.repeat(65_536)}${more}`),
      });
      expect(response.status).toBe(400);
      expect((await problem(response))['detail']).toMatch(/^The query is longer than 65536 characters/u);
    }
    expect((await entries()).length).toBe(before);
  });

  test('a token ends when it is revoked, and when its user is no analyst any more', async () => {
    await server.user('cleo', 'analyst');
    const own = await server.token('cleo');
    expect((await server.ask(own, 'ASK {}')).status).toBe(200);
    const [issued] = server.accounts.listAnalystTokens().filter(({ user }) => user === 'cleo');
    await server.accounts.revokeAnalystToken(issued?.id ?? '');
    expect((await server.ask(own, 'ASK {}')).status).toBe(401);
    const other = await server.token('cleo');
    await server.user('cleo', 'person');
    expect((await server.ask(other, 'ASK {}')).status).toBe(401);
  });

  test('a token is for an analyst, with a purpose and an end where it shows who people are', async () => {
    const issue = (...args: string[]) => run(['token', 'issue', '--data', server.data, ...args]);
    expect(await issue('--analyst', 'bob', '--purpose', 'x')).toMatchObject({ code: 1 });
    expect(await issue('--analyst', 'ana')).toMatchObject({ code: 2 });
    expect(await issue('--analyst', 'ana', '--purpose', 'x', '--identified')).toMatchObject({ code: 2 });
    const { stdout } = await issue('--analyst', 'ana', '--purpose', 'a cohort', '--days', '2');
    const issued = JSON.parse(stdout) as { access_token: string; level: string; token_id: string };
    expect(issued.level).toBe('deidentified');
    expect((await server.ask(issued.access_token, 'ASK {}')).status).toBe(200);
    const list = await run(['token', 'list', '--json', '--data', server.data]);
    expect(list.stdout).not.toContain(issued.access_token);
    expect(JSON.parse(list.stdout)).toContainEqual(
      expect.objectContaining({ token_id: issued.token_id, level: 'deidentified', purpose: 'a cohort' }),
    );
  });

  test('a session asks on the de-identified level, from the pages of the container alone', async () => {
    const session = await signedIn('dan', 'analyst');
    const ask = (headers: Record<string, string>) =>
      fetch(`${server.url}/sparql?query=${encodeURIComponent(NAMES)}`, {
        headers: { Accept: 'text/csv', Cookie: session, ...headers },
      });
    const own = await ask({ 'Sec-Fetch-Site': 'same-origin' });
    expect([own.status, own.headers.get('Chartgraph-Level')]).toEqual([200, 'deidentified']);
    expect(await own.text()).toBe('name\n');
    expect((await ask({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await ask({ Origin: 'https://elsewhere.example' })).status).toBe(403);
  });
});

describe('a query that runs', () => {
  test('is listed to its analyst and to an admin, and nobody else ends it', async () => {
    const admin = { Cookie: await signedIn('ada', 'admin') };
    await server.user('eve', 'analyst');
    const others = { Authorization: `Bearer ${await server.token('eve')}` };
    const own = { Authorization: `Bearer ${token}` };
    const queries = `${server.url}/sparql/queries`;
    const listed = async (headers: Record<string, string>): Promise<{ id: string; user: string }[]> => {
      const response = await fetch(queries, { headers });
      return ((await response.json()) as { queries: { id: string; user: string }[] }).queries;
    };
    const end = async (id: string, headers: Record<string, string>): Promise<number> =>
      (await fetch(`${queries}/${id}`, { method: 'DELETE', headers })).status;
    const endless =
      'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . FILTER (?a != ?d && ?d != ?g) }';
    const asked = server.ask(token, endless);
    await expect.poll(() => listed(admin), { interval: 20 }).toMatchObject([{ user: 'ana' }]);
    const [{ id } = { id: '' }] = await listed(own);
    expect(await listed(others)).toEqual([]);
    expect(await end(id, others)).toBe(404);
    expect(await end(id, admin)).toBe(204);
    const answer = await asked;
    expect(answer.status).toBe(422);
    expect(await problem(answer)).toMatchObject({ limit: 'ended' });
    expect(answer.headers.get('Link')).toBe(`<${server.url}/docs#analysts>; rel="help"`);
    expect(await listed(admin)).toEqual([]);
  });

  test('is no fault of the container when whoever asked goes away', async () => {
    const gone = new AbortController();
    const query =
      'SELECT (COUNT(*) AS ?left) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . FILTER (?a != ?d && ?d != ?g) }';
    const asked = fetch(`${server.url}/sparql?query=${encodeURIComponent(query)}`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: gone.signal,
    });
    const ended = expect(asked).rejects.toThrow();
    const last = async () => (await entries()).at(-1);
    await expect.poll(last).toMatchObject({ query, outcome: 'begun' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    gone.abort();
    await ended;
    await expect.poll(last).toMatchObject({ outcome: 'refused', status: 422 });
  });
});

describe('what is answered', () => {
  test('the default level shows no name of the seed, the identified one does', async () => {
    const names = (await (await server.ask(identified, NAMES)).text()).trim().split('\n').slice(1);
    expect(names.length).toBeGreaterThan(10);
    const everything = await (
      await server.ask(
        token,
        'SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } FILTER (!STRSTARTS(STR(?p), STR(api:))) }',
      )
    ).text();
    expect(everything.length).toBeGreaterThan(100_000);
    const cells = new Set(everything.split(/[,\n]/u));
    expect(names.filter((name) => cells.has(name))).toEqual([]);
    expect(everything).not.toContain(`${server.url}/records/1`);
  });

  test('rows are Parquet where that is asked for; yes or no, and triples, are not', async () => {
    const parquet = 'application/vnd.apache.parquet';
    const rows = await server.ask(token, 'SELECT ?s { ?s a sp:Problem }', parquet);
    expect([rows.status, rows.headers.get('Content-Type')]).toEqual([200, parquet]);
    const bytes = Buffer.from(await rows.arrayBuffer());
    expect([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1']);
    for (const [query, sentence] of [
      ['ASK {}', 'ASK takes json, csv, tsv, xml.'],
      [
        'SELECT * { <http://a.example/> a sp:Problem }',
        'SELECT without variables takes json, csv, tsv, xml.',
      ],
      ['CONSTRUCT WHERE { ?s a sp:Problem }', 'CONSTRUCT and DESCRIBE take'],
    ] as const) {
      const refused = await server.ask(token, query, parquet);
      expect(refused.status).toBe(406);
      expect((await problem(refused))['detail']).toContain(sentence);
    }
  });

  test('a character that XML does not know is refused as XML, and given in other formats', async () => {
    const xml = 'application/sparql-results+xml';
    for (const [character, status] of [
      ['\u0001', 406],
      ['\uffff', 406],
      ['\u{1f600}', 200],
      ['\\r\\n\\t', 200],
      ['\ufffd', 200],
    ] as const) {
      const query = `SELECT ("a${character}b" AS ?a) {}`;
      const answer = await server.ask(token, query, xml);
      expect([character, answer.status]).toEqual([character, status]);
      if (status === 406)
        expect((await problem(answer))['detail']).toContain(
          'a text in it has a character that XML 1.0 does not know, so SELECT takes json, csv, tsv, parquet.',
        );
      expect((await server.ask(token, query, 'text/csv')).status).toBe(200);
    }
  });

  test('parameters that clients send of their own are left aside', async () => {
    const own = new URLSearchParams({ query: 'ASK {}', format: 'json', output: 'json', timeout: '0' });
    const headers = { Authorization: `Bearer ${token}`, Accept: 'text/csv' };
    const answer = await fetch(`${server.url}/sparql?${own.toString()}`, { headers });
    expect([answer.status, await answer.text()]).toEqual([200, 'true\n']);
  });

  test.each([
    ['purpos', 'purpose'],
    ['Purpose', 'purpose'],
    ['porpuse', 'purpose'],
    ['expalin', 'explain'],
  ])('a parameter %s is refused, since %s was meant, and nothing runs', async (name, meant) => {
    const before = (await entries()).length;
    const own = new URLSearchParams({ query: 'ASK {}', [name]: 'a study' });
    const bearer = { Authorization: `Bearer ${token}` };
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const answer of [
      await fetch(`${server.url}/sparql?${own.toString()}`, { headers: bearer }),
      await fetch(`${server.url}/sparql`, {
        method: 'POST',
        headers: { ...bearer, ...form },
        body: own.toString(),
      }),
    ]) {
      expect(answer.status).toBe(400);
      expect(await problem(answer)).toMatchObject({
        type: expect.stringMatching(/#unknown-parameter$/u),
        detail: `Queries have no parameter of this name. Did you mean ${meant}?`,
        parameter: name,
      });
    }
    expect((await entries()).slice(before).filter(({ outcome }) => outcome === 'begun')).toEqual([]);
  });

  test('triples are in each of the formats that a refusal names', async () => {
    const construct = 'CONSTRUCT WHERE { ?s a sp:Problem }';
    const refused = (await problem(await server.ask(token, construct, 'text/csv')))['detail'];
    const [, list = ''] = /; CONSTRUCT and DESCRIBE take ([a-z, ]+)\.$/u.exec(String(refused)) ?? [];
    const named = list.split(', ') as RdfFormat[];
    expect(named).toEqual(['rdfxml', 'turtle', 'ntriples', 'nquads', 'trig', 'jsonld']);
    const counted = new Set<number>();
    for (const name of named) {
      const { mediaType } = formats[name];
      const answer = await server.ask(token, construct, mediaType);
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, mediaType]);
      const bytes = Buffer.from(await answer.arrayBuffer());
      counted.add((await parseRdf(bytes, { format: name, baseIRI: server.url })).length);
    }
    expect([...counted]).toEqual([expect.toSatisfy((count: number) => count > 0)]);
  });

  test('what was written is in the next answer, on both levels', async () => {
    const name = `${server.url}/records/1000001/problems/new`;
    const asked = 'SELECT (COUNT(*) AS ?n) { ?s a sp:Problem }';
    const count = async (by: string): Promise<number> =>
      Number((await (await server.ask(by, asked)).text()).split('\n')[1]);
    const before = [await count(token), await count(identified)] as const;
    const self = namedNode(name);
    const revision = await server.primary.write({
      replace: [
        {
          name,
          quads: [
            quad(self, namedNode(rdf.type), namedNode(sp.Problem)),
            quad(self, namedNode(sp.belongsTo), namedNode(`${server.url}/records/1000001`)),
            quad(self, namedNode(sp.startDate), literal('2019')),
          ],
        },
      ],
    });
    expect([await count(token), await count(identified)]).toEqual([before[0] + 1, before[1] + 1]);
    expect((await server.ask(token, 'ASK {}')).headers.get('Chartgraph-Revision')).toBe(String(revision));
    await server.primary.write({ remove: [name] });
    expect([await count(token), await count(identified)]).toEqual(before);
  });

  test('a term that nothing has is a warning beside the answer, with the one that was meant', async () => {
    const response = await server.ask(token, 'SELECT ?s\n{ ?s a sp:Problm }');
    expect(response.headers.get('Warning')).toBe(
      '199 - "line 2, column 8: sp:Problm is not declared in the ontology, so nothing has it. Did you mean sp:Problem?"',
    );
    expect(await response.text()).toBe('s\n');
  });

  test('a long name that nothing has is told in short, and costs no answer', async () => {
    const response = await server.ask(token, `SELECT ?s { ?s a sp:${'x'.repeat(60_000)} }`);
    expect([response.status, await response.text()]).toEqual([200, 's\n']);
    expect(response.headers.get('Warning')).toMatch(/^199 - "line 1, column 18: sp:x{77}\? is not declared/u);
  });

  test.each([
    ['SELECT ?s { ?s ?p }', /unexpected "\}" \(line 1, column 19\)/u],
    ['SELECT ?s\n{ ?s foo:bar ?o }', /prefix foo: is not declared.*\(line 2, column 6\)/u],
    [
      'SELECT ?s {\n SERVICE <http://x.example/> { ?s ?p ?o } }',
      /nothing leaves this one.*\(line 2, column 2\)/u,
    ],
    ['INSERT DATA { <urn:a> <urn:b> 1 }', /only read here/u],
    ['LOAD <file:///etc/passwd>', /only read here/u],
    ['', /empty/u],
    [`ASK { ${'{'.repeat(200)} ?s ?p ?o ${'}'.repeat(200)} }`, /nested more than 128 deep/u],
    [`ASK { ?s ?p "${'x'.repeat(70_000)}" }`, /longer than 65536 characters/u],
  ])('%.40s is refused in a sentence', async (query, sentence) => {
    const response = await server.ask(token, query);
    const { detail } = await problem(response);
    expect(response.status).toBe(400);
    expect(detail).toMatch(sentence);
  });

  test('a tool of any origin may ask with its token, and read what is said beside the answer', async () => {
    const origin = 'https://yasgui.example';
    const preflight = await fetch(`${server.url}/sparql`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('Authorization');
    const answer = await fetch(`${server.url}/sparql?query=ASK%7B%7D`, {
      headers: { Origin: origin, Authorization: `Bearer ${token}` },
    });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('Chartgraph-Truncated');
    const other = await fetch(`${server.url}/ontology`, { headers: { Origin: origin } });
    expect(other.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  test('an answer that is cut leads to how the rest is had, which is all of it', async () => {
    const digits = ['a', 'b', 'c', 'd'].map((name) => `VALUES ?${name} { 0 1 2 3 4 5 6 7 8 9 }`);
    const query = `SELECT * { VALUES ?more { 0 1 2 3 4 5 6 7 8 9 10 } ${digits.join(' ')} } ORDER BY ?more ?a ?b ?c ?d`;
    const first = await server.ask(token, query);
    const { rows, isCut } = await factsOf(query);
    expect([rows, isCut]).toEqual(['100000', 'true']);
    const [, help] = /^<(.*)>; rel="help"$/u.exec(first.headers.get('Link') ?? '') ?? [];
    const { pathname, hash, origin } = new URL(help ?? '');
    expect(origin).toBe(server.url);
    expect(await (await fetch(server.url + pathname)).text()).toContain(`id="${hash.slice(1)}"`);
    const more = `${query} LIMIT ${rows} OFFSET ${rows}`;
    const rest = await server.ask(token, more);
    expect((await factsOf(more)).isCut).toBe('false');
    expect(first.headers.get('Link') === rest.headers.get('Link')).toBe(false);
    const parts = await Promise.all(
      [first, rest].map(async (part) => (await part.text()).trim().split(/\r?\n/u)),
    );
    expect(new Set(parts.flatMap(([, ...lines]) => lines)).size).toBe(110_000);
    const whole = { user: 'ana', purpose: 'a test', isIdentified: false, lifetime: 3_600_000, allRows: true };
    const all = await server.ask((await server.accounts.issueAnalystToken(whole)).token, query);
    expect((await all.text()).trim().split(/\r?\n/u)).toHaveLength(1 + 110_000);
  });

  test('the data of a level is described in numbers', async () => {
    const headers = { Authorization: `Bearer ${token}`, Accept: 'application/n-triples' };
    const described = async (): Promise<string> =>
      (await fetch(`${server.url}/.well-known/void`, { headers })).text();
    // Queries of the tests before may still be ending.
    await expect.poll(described).toContain(sp.Problem);
    const count = await (await server.ask(token, 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }')).text();
    const triples = count.split('\n')[1];
    expect(await described()).toContain(`<http://rdfs.org/ns/void#triples> "${triples}"`);
  });
});

describe('what is recorded', () => {
  test('each query is in the access log with person, purpose, level, text and revision, then rows and time', async () => {
    await (await server.ask(token, 'SELECT ?s { ?s a sp:Problem } LIMIT 3 # who knew Lucinda')).text();
    const [begun, done] = (await entries()).slice(-2);
    expect(begun).toMatchObject({
      outcome: 'begun',
      user: 'ana',
      purpose: 'a test of deidentified',
      level: 'deidentified',
    });
    expect(begun?.query).toContain('Lucinda');
    expect(readFileSync(join(server.data, 'access-log', '000000001.log'), 'utf8')).not.toContain('Lucinda');
    expect(done).toMatchObject({ outcome: 'done', rows: 3, status: 200 });
    expect(done?.revision).toEqual(expect.any(Number));
    expect(done?.milliseconds).toEqual(expect.any(Number));
    const audit = await run(['audit', '--json', '--user', 'ana', '--data', server.data]);
    expect(audit.stdout).toContain('who knew Lucinda');
  });

  test('the request log holds neither queries nor tokens', async () => {
    await (await server.ask(token, 'ASK { ?s ?p "Needle-in-a-haystack" }')).text();
    await (await server.ask(token, 'ASK { ?s ?p "Needle-in-a-haystack }')).text();
    await (await fetch(`${server.url}/sparql?query=ASK%7B%3Fs+%3Fp+%22Needle-in-a-haystack%22%7D`)).text();
    await expect.poll(() => server.log().match(/"status":401/gu)?.length ?? 0).toBeGreaterThan(0);
    expect(server.log()).not.toMatch(/Needle|cga_/u);
  });
});

describe('the command', () => {
  const query = (args: readonly string[], stdin: string) =>
    run(['query', '-', '--data', server.data, ...args], { stdin });

  test('asks the server that runs on the data directory, and names its IRIs', async () => {
    const { code, stdout } = await query(
      ['--format', 'csv'],
      `ASK { GRAPH <${server.url}/records/1000001> { ?s ?p ?o } }`,
    );
    expect([code, stdout]).toEqual([0, 'true\n']);
    const table = await query(
      ['--format', 'table'],
      'SELECT ?a ?b { VALUES (?a ?b) { ("x" 1) ("longer" UNDEF) } }',
    );
    expect(table.stdout).toBe('a       b\nx       1\nlonger\n');
    const alone = await query(
      ['--alone'],
      'SELECT (COUNT(*) AS ?n) { ?s a <http://smartplatforms.org/terms#Problem> }',
    );
    const served = await query(
      [],
      'SELECT (COUNT(*) AS ?n) { ?s a <http://smartplatforms.org/terms#Problem> }',
    );
    expect(served.stdout).toBe(alone.stdout);
  });

  test('explains a query in the place of its answer, recorded like one, to who may ask it', async () => {
    const query = 'SELECT ?s { ?s a sp:Problem ; sp:noSuch ?o }';
    const asked = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${server.url}/sparql?${new URLSearchParams({ query, explain: 'true' })}`, { headers });
    expect((await asked({})).status).toBe(401);
    const explained = await asked({ Authorization: `Bearer ${token}` });
    expect(explained.headers.get('Content-Type')).toBe('application/json');
    expect(explained.headers.get('Chartgraph-Level')).toBe('deidentified');
    expect(explained.headers.get('Warning')).toContain('sp:noSuch is not declared in the ontology');
    const { steps } = (await explained.json()) as QueryPlan;
    expect(steps.map(({ operation }) => operation)).toEqual([
      'Triple pattern',
      'Triple pattern',
      'Project',
      'Answer',
    ]);
    expect((await entries()).slice(-2)).toMatchObject([
      { outcome: 'begun', query },
      { outcome: 'done', rows: 0 },
    ]);
  });

  test('explains a query as text or as JSON, here and on another server', async () => {
    const file = join(folder(), 'token.json');
    writeFileSync(file, JSON.stringify({ access_token: token }));
    const text = 'SELECT ?s { ?s a sp:Problem ; sp:startDate ?d }';
    const table = await query(['--explain'], text);
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout).toMatch(
      /^PREFIX sp: [^\n]+\n?.*SELECT \?s [^\n]+\n[^]*\nStep +Operation +In the query +Line\n1 /u,
    );
    const there = await query(
      ['--explain', '--format', 'json', '--server', server.url, '--token', file],
      text,
    );
    expect(JSON.parse(there.stdout)).toMatchObject({
      query: expect.stringContaining(text) as unknown,
      steps: expect.arrayContaining([
        expect.objectContaining({ number: '2', operation: 'Triple pattern' }),
      ]) as unknown,
    });
    for (const more of [['--alone'], ['--format', 'csv']])
      expect(await query(['--explain', ...more], text)).toMatchObject({ code: 2, stdout: '' });
    const nobody = await run(['query', '--explain', '--data', await seededCopy()], { stdin: text });
    expect(nobody).toMatchObject({ code: 1, stdout: '' });
    expect(nobody.stderr).toMatch(/--explain asks a running server, and none answers here/u);
  });

  test('asks another server with a token, and tells what it warns of', async () => {
    const file = join(folder(), 'token.json');
    writeFileSync(file, JSON.stringify({ access_token: token }));
    const asked = await query(['--server', server.url, '--token', file], NAMES.replace('given', 'givn'));
    expect(asked).toMatchObject({ code: 0, stdout: 'name\n' });
    expect(asked.stderr).toContain('Did you mean v:given-name?');
    const wrong = await query(['--server', server.url, '--token', file], 'SELECT { }');
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/not SPARQL 1\.1/u);
    expect(await query(['--server', server.url], 'ASK {}')).toMatchObject({ code: 2 });
  });
});
