import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { startAnalystServer, type AnalystServer } from './analyst-server.js';

const many = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(' ');

/** Each asks for too much in another way. */
const poison: Readonly<Record<string, string>> = {
  'a cross product': 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }',
  'a sort of everything': 'SELECT * { ?a ?b ?c . ?d ?e ?f } ORDER BY CONCAT(STR(?c), STR(?f)) DESC(?a)',
  'a group of everything':
    'SELECT (GROUP_CONCAT(CONCAT(STR(?c), STR(?f)); separator="x") AS ?all) { ?a ?b ?c . ?d ?e ?f }',
  'a path over everything':
    'SELECT (COUNT(*) AS ?n) { ?a (!<urn:x>|^(!<urn:x>))* ?b . ?b (!<urn:x>|^(!<urn:x>))* ?c }',
  'a path of paths': `ASK { ?a ${'('.repeat(60)}rdf:type*${')*'.repeat(60)} ?b . ?c (^rdf:type/rdf:type)+ ?d . ?d (!<urn:y>)+ ?e }`,
  'a very long path': `ASK { ?a ${Array.from({ length: 4000 }, () => '!<urn:x>').join('/')} ?b }`,
  'many unions': `SELECT (COUNT(*) AS ?n) { ${Array.from({ length: 1000 }, () => '{ ?a ?b ?c }').join(' UNION ')} ?d ?e ?f . ?g ?h ?i }`,
  'many optionals': `SELECT (COUNT(*) AS ?n) { ?a ?b ?c ${many(60, (at) => `OPTIONAL { ?a ?p${at} ?o${at} }`)} }`,
  'many negations': `ASK { FILTER (${'!'.repeat(20_000)}true) }`,
  'many parentheses': `ASK { FILTER (${'('.repeat(30_000)}1${')'.repeat(30_000)}) }`,
  'a long sum': `SELECT (${Array.from({ length: 15_000 }, () => '1').join('+')} AS ?n) {}`,
  'nested groups': `ASK ${'{'.repeat(120)} ?s ?p ?o ${'}'.repeat(120)}`,
  'nested subqueries': `${'SELECT * { { '.repeat(60)} ?s ?p ?o ${'} }'.repeat(60)}`,
  'a huge literal':
    'SELECT (STRLEN(?z) AS ?n) { BIND (REPLACE("a", "a", "' +
    'y'.repeat(1000) +
    '") AS ?x) ' +
    many(
      20,
      (at) => `BIND (CONCAT(?${at === 0 ? 'x' : `x${at}`}, ?${at === 0 ? 'x' : `x${at}`}) AS ?x${at + 1})`,
    ) +
    ' BIND (?x20 AS ?z) }',
  'a regular expression':
    'ASK { ?a ?b ?c . ?d ?e ?f FILTER REGEX(CONCAT(STR(?c), STR(?f)), "(x+x+)+y(z|zz|zzz){1,500}") }',
  'many values': `SELECT (COUNT(*) AS ?n) { ${many(6, (at) => `VALUES ?v${at} { ${many(400, (number) => String(number))} }`)} }`,
  'a graph of everything': 'CONSTRUCT { ?a ?b ?f . ?d ?e ?c . ?a ?e ?c } { ?a ?b ?c . ?d ?e ?f }',
  'a description of everything': 'DESCRIBE * { ?a ?b ?c . ?d ?e ?f }',
};

const PEOPLE = ['ana', 'ben', 'cleo', 'dora'];
/** The least that can be set: a query that is stopped takes a processor for as long. */
const TIMEOUT = 1000;

let server: AnalystServer;
let tokens: readonly string[];

beforeAll(async () => {
  server = await startAnalystServer(
    '--analyst-timeout',
    String(TIMEOUT / 1000),
    '--container-access',
    'signed',
  );
  const issued: string[] = [];
  for (const person of PEOPLE) {
    await server.user(person, 'analyst');
    issued.push(await server.token(person));
  }
  tokens = issued;
});
afterAll(() => server.stop());

/** Signed GETs of a record, one after the other, until `done` says so. @returns statuses and times in milliseconds */
async function appReads(done: () => boolean): Promise<{ statuses: Set<number>; times: number[] }> {
  const app = 'demo-ui@apps.example.org';
  const { token, secret } = await server.accounts.issueToken({ app, user: 'clinician', record: '1000001' });
  const consumerSecret = server.directory.read((tx) => server.accounts.appCredentials(tx, app)?.secret ?? '');
  const url = `${server.url}/records/1000001/problems/`;
  const statuses = new Set<number>();
  const times: number[] = [];
  while (!done()) {
    const Authorization = signRequest({
      method: 'GET',
      url,
      consumerKey: app,
      consumerSecret,
      token,
      tokenSecret: secret,
    });
    const start = performance.now();
    const response = await fetch(url, { headers: { Authorization } });
    await response.text();
    statuses.add(response.status);
    times.push(performance.now() - start);
    await wait(5);
  }
  return { statuses, times };
}

/** Asks until somebody else's queries leave a place, and a copy of the data that was ended is made anew. */
async function ask(token: string, query: string): Promise<{ status: number; text: string }> {
  for (;;) {
    const response = await server.ask(token, query, '*/*');
    const text = await response.text();
    if (response.status !== 429 && response.status !== 503) return { status: response.status, text };
    await wait(100);
  }
}

/** Copies of the data that were ended are made anew, which a busy machine takes its time for. */
const isAnswered = (): Promise<void> =>
  expect.poll(async () => (await ask(tokens[0] ?? '', 'ASK {}')).status, { timeout: 300_000 }).toBe(200);

test('queries that ask for too much end in a sentence, while apps read and other analysts are answered', async () => {
  const names = Object.keys(poison);
  let isDone = false;
  const reads = appReads(() => isDone);
  const outcomes = await Promise.all(
    tokens.map(async (token, person) => {
      const own: [string, number, string][] = [];
      // Each begins with another one, and two ask each of them.
      const first = Math.floor((person * names.length) / PEOPLE.length);
      for (let at = first; at < first + names.length / 2; at++) {
        const name = names[at % names.length] ?? '';
        const { status, text } = await ask(token, poison[name] ?? '');
        own.push([name, status, status === 200 ? '' : text]);
      }
      return own;
    }),
  );
  isDone = true;
  const { statuses, times } = await reads;
  expect([...statuses]).toEqual([200]);
  expect(times.length).toBeGreaterThan(50);
  // What is answered in its time, and within its rows, is; all else is told why it is not.
  for (const [name, status, text] of outcomes.flat()) {
    expect([200, 400, 422], `${name}: ${text}`).toContain(status);
    if (status !== 200) expect((JSON.parse(text) as { detail: string }).detail.length).toBeGreaterThan(10);
  }
  const stopped = outcomes.flat().filter(([, status]) => status === 422);
  expect(stopped.length).toBeGreaterThan(PEOPLE.length * 2);
  await isAnswered();
  expect(server.log()).not.toMatch(/unexpected error|"status":500/u);
}, 400_000);

/** The process id of the analysts of a server, as Linux tells it. */
function analystProcess(): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  const found = all.find((pid) => {
    try {
      const [, parent] = /^PPid:\t(\d+)$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return (
        Number(parent) === server.pid &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('analyst-process')
      );
    } catch {
      return false;
    }
  });
  return Number(found);
}

// Processes are found in /proc, which other systems do not have.
test.skipIf(process.platform !== 'linux')(
  'a process of analysts that dies is replaced, and apps notice nothing',
  async () => {
    let isDone = false;
    const reads = appReads(() => isDone);
    const before = analystProcess();
    process.kill(before, 'SIGKILL');
    await isAnswered();
    isDone = true;
    expect([...(await reads).statuses]).toEqual([200]);
    expect(analystProcess()).not.toBe(before);
  },
  400_000,
);
