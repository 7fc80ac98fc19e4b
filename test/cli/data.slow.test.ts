import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prefixes } from '../../src/rdf/vocabulary.js';
import { encodeStored } from '../../src/store/disk/transaction.js';
import { writePlainBackup } from '../store/disk/plain-backup.js';
import { patient, twoBirthdays } from './patients.js';
import { folder, onTerminal, run, runJson, start } from './run.js';

let cwd: string;
/** A data directory into which p17.ttl was loaded. */
let loaded: string;
beforeAll(async () => {
  const made = folder();
  writeFileSync(join(made, 'p17.ttl'), patient('Byron'));
  expect(await run(['load', 'p17.ttl'], { cwd: made })).toMatchObject({ code: 0, stderr: '' });
  loaded = join(made, 'data');
});
beforeEach(() => {
  cwd = folder();
  writeFileSync(join(cwd, 'p17.ttl'), patient('Byron'));
});

const chartgraph = (...args: string[]) => run(args, { cwd });
const json = (...args: string[]) => runJson([...args, '--json'], { cwd });
/** Leaves what loading p17.ttl leaves. */
const withRecord17 = (): void => cpSync(loaded, join(cwd, 'data'), { recursive: true });

describe('load', () => {
  test('says what became of each file, in the shape that scripts rely on', async () => {
    expect(await json('load', 'p17.ttl')).toEqual({
      files: [
        {
          file: 'p17.ttl',
          record_id: '17',
          statements: 1,
          quads: expect.any(Number),
          status: 'loaded',
          errors: [],
        },
      ],
      loss: { meaning: [], content: [], bookkeeping: 0 },
      unmapped: 0,
    });
    const [record] = (await json('record', 'list')) as object[];
    expect(record).toEqual({ record_id: '17', statements: 1, quads: expect.any(Number) });
  });

  test('the same file again changes nothing', async () => {
    withRecord17();
    expect(await json('load', 'p17.ttl')).toMatchObject({ files: [{ status: 'unchanged' }] });
  });

  test('a bad file is named with its line, the others go on, and the exit code is 1', async () => {
    writeFileSync(join(cwd, 'p18.ttl'), '@prefix : <a> .\n:a :b .\n');
    writeFileSync(join(cwd, 'p19.ttl.gz'), gzipSync(patient('Lovelace')));
    const { code, stdout, stderr } = await chartgraph(
      'load',
      'p18.ttl',
      'p19.ttl.gz',
      'missing.ttl',
      '--json',
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [
        { file: 'p18.ttl', status: 'refused', errors: [{ line: 2, reason: expect.any(String) }] },
        { file: 'p19.ttl.gz', status: 'loaded', record_id: '19' },
        { file: 'missing.ttl', status: 'refused', errors: [{ line: null, reason: expect.any(String) }] },
      ],
    });
    expect(stderr).toMatch(/^chartgraph: p18\.ttl:2: [^\n]+\nchartgraph: missing\.ttl: [^\n]+\n$/u);
    expect(await json('record', 'list')).toMatchObject([{ record_id: '19' }]);
  });

  test('what the ontology does not allow is a warning, and an error when strict', async () => {
    writeFileSync(join(cwd, 'p20.ttl'), twoBirthdays);
    const strict = await chartgraph('load', 'p20.ttl', '--strict');
    expect(strict).toMatchObject({
      code: 1,
      stdout: 'Loaded 0 files, 0 records, 0 statements, 0 quads; 1 file refused.\n',
    });
    const lenient = await chartgraph('load', 'p20.ttl');
    expect(lenient.code).toBe(0);
    expect(lenient.stderr).toMatch(/^chartgraph: warning: p20\.ttl: [^\n]*bday[^\n]*\n$/u);
    expect(lenient.stdout).toMatch(/Loaded 1 file, 1 record, 1 statement, \d+ quads\.\n$/u);
  });

  test('a folder with nothing to load is named, and makes no data directory', async () => {
    mkdirSync(join(cwd, 'letters'));
    writeFileSync(join(cwd, 'letters', 'p21.pdf'), 'Dear reader');
    expect(await chartgraph('load', 'letters')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'chartgraph: The folder letters holds no file of RDF or FHIR, by their extensions.\n',
    });
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });

  test('--record chooses the record', async () => {
    expect(await json('load', 'p17.ttl', '--record', 'ada-1')).toMatchObject({
      files: [{ record_id: 'ada-1' }],
    });
    expect(await json('record', 'list')).toMatchObject([{ record_id: 'ada-1' }]);
  });

  test('record remove takes the record out', async () => {
    withRecord17();
    expect(await chartgraph('record', 'remove', '17')).toEqual({
      code: 0,
      stdout: 'Removed record 17.\n',
      stderr: '',
    });
    expect(await json('record', 'list')).toEqual([]);
  });

  test('record remove ends the access to it, and whoever gets its id later is opened to nobody', async () => {
    withRecord17();
    writeFileSync(
      join(cwd, 'app.json'),
      '{"id": "a@b.example", "name": "A", "description": "An app.", "mode": "background"}',
    );
    const names = ['--given-name', 'A', '--family-name', 'B'];
    const before = [
      ['app', 'add', 'app.json'],
      ['user', 'add', 'ada', ...names, '--role', 'person', '--record', '17'],
      ['token', 'issue', '--app', 'a@b.example', '--user', 'ada', '--record', '17'],
    ];
    for (const args of before)
      expect(await run(args, { cwd, stdin: '\n' })).toMatchObject({ code: 0, stderr: '' });
    expect(await chartgraph('record', 'remove', '17')).toMatchObject({
      code: 0,
      stdout: 'Removed record 17. Access to it has ended: 1 token revoked, taken from 1 user.\n',
    });
    await chartgraph('load', 'p17.ttl');
    expect(await json('token', 'list')).toMatchObject([{ revoked: true }]);
    expect(await json('user', 'list')).toMatchObject([{ user_id: 'ada', records: [] }]);
    expect(await chartgraph('record', 'remove', '17')).toMatchObject({ stdout: 'Removed record 17.\n' });
  });

  test('without a terminal there is no progress on stderr', async () => {
    expect((await chartgraph('load', 'p17.ttl')).stderr).toBe('');
  });

  test('Ctrl-C during progress ends it by the signal, with the cursor and the wrapping of lines as they were', async () => {
    const child = start(['ontology', 'docs', 'made'], { cwd, env: onTerminal });
    const ended = new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)));
    let shown = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      if (/Writing \S+ \d+\/\d+/u.test(shown)) child.kill('SIGINT');
    });
    expect(await ended).toBe('SIGINT');
    expect(shown).toContain('Writing');
    // Each escape sequence that switches something off (l) has one after it that switches it on again (h).
    for (const mode of ['\u001b[?25', '\u001b[?7'])
      expect(shown.lastIndexOf(`${mode}h`)).toBeGreaterThanOrEqual(shown.lastIndexOf(`${mode}l`));
  });
});

describe('a data directory that is none of ours is left as it is', () => {
  test('a folder with other files', async () => {
    mkdirSync(join(cwd, 'data'));
    writeFileSync(join(cwd, 'data', 'letter.txt'), 'Dear reader');
    const { code, stderr } = await chartgraph('load', 'p17.ttl');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^chartgraph: [^\n]*is not a Chartgraph data directory[^\n]*\n$/u);
    expect(existsSync(join(cwd, 'data', 'store'))).toBe(false);
  });
});

describe('query', () => {
  const sp = `PREFIX sp: <${prefixes.sp}> PREFIX v: <${prefixes.v}>`;
  let data: string;
  const query = (sparql: string, ...args: string[]) =>
    run(['query', '--data', data, ...args], { stdin: sparql });

  test('is read from a file or from stdin, and says so to who writes it in the place of a file', async () => {
    const { code, stdout, stderr } = await run(['query', '--data', data, 'SELECT * { ?s a ?class }']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^chartgraph: A query is read from a file or from stdin, as with echo .*\n$/);
  });

  beforeAll(async () => {
    const made = folder();
    data = join(made, 'data');
    writeFileSync(join(made, 'p1.ttl'), patient('Byron, \\"Ada\\"'));
    writeFileSync(join(made, 'p2.ttl'), patient('Lovelace'));
    await run(['load', 'p1.ttl', 'p2.ttl'], { cwd: made });
    await run(['user', 'add', 'u', '--given-name', 'G', '--family-name', 'F'], { cwd: made });
    writeFileSync(join(made, 'names.rq'), `${sp} SELECT ?name { ?n v:family-name ?name } ORDER BY ?name`);
  });

  test('reads all records without a word about graphs, as CSV', async () => {
    expect(await query(`${sp} SELECT ?name { ?n v:family-name ?name } ORDER BY ?name`)).toEqual({
      code: 0,
      stdout: 'name\n"Byron, ""Ada"""\nLovelace\n',
      stderr: '',
    });
  });

  test('knows the prefixes of the container, and the instants of dates', async () => {
    expect((await query('ASK { ?n v:family-name "Lovelace" }')).stdout).toBe('true\n');
    const born = `?p v:bday ?day ; v:bday/^rdf:value ?at . ?at cg:earliest ?from ; cg:latest ?to`;
    const dated = await query(`SELECT DISTINCT ?day ?from ?to { ${born} }`);
    expect(dated).toEqual({
      code: 0,
      stdout: 'day,from,to\n1970-01-02,1970-01-02T00:00:00Z,1970-01-02T23:59:59.999Z\n',
      stderr: '',
    });
  });

  test('reads the query from a file', async () => {
    const { stdout } = await run(['query', join(data, '..', 'names.rq'), '--data', data, '--format', 'tsv']);
    expect(stdout).toBe('?name\n"Byron, \\"Ada\\""\n"Lovelace"\n');
  });

  test('gives Parquet', async () => {
    const { code, stdout } = await query('SELECT ?name { ?n v:family-name ?name }', '--format', 'parquet');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^PAR1.*Lovelace.*PAR1$/su);
  });

  test('sees the graphs by their names too, users among them', async () => {
    const { stdout } = await query(
      'SELECT ?g { GRAPH ?g { ?g a ?type } } ORDER BY ?g',
      '--base-url',
      'https://h.example/c',
    );
    expect(stdout.split('\n').slice(1, -1)).toEqual([
      'https://h.example/c/records/1',
      'https://h.example/c/records/1/demographics',
      'https://h.example/c/records/2',
      'https://h.example/c/records/2/demographics',
      'https://h.example/c/users/u',
    ]);
  });

  test('relative IRIs stand under the base URL', async () => {
    expect((await query(`${sp} ASK { <records/1> a sp:MedicalRecord }`)).stdout).toBe('true\n');
  });

  test('blank nodes are blank', async () => {
    const { stdout } = await query(`${sp} SELECT ?n { ?n v:family-name "Lovelace" }`, '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ results: { bindings: [{ n: { type: 'bnode' } }] } });
    const graph = await query(`${sp} CONSTRUCT { ?d v:n ?n } { ?d v:n ?n }`, '--format', 'ntriples');
    expect(graph.stdout).toMatch(/^(<[^>]+\/demographics> <[^>]+> _:\w+ \.\n){2}$/u);
  });

  test.each([
    ['rdfxml', /^<\?xml .*<rdf:RDF/su],
    ['turtle', /@prefix v: /u],
    ['ntriples', /^<http:\/\/localhost:7000\/records\/1\/demographics> /u],
    ['jsonld', /^\s*[{[]/u],
  ])('CONSTRUCT answers in %s', async (format, start) => {
    const { code, stdout } = await query(
      `${sp} CONSTRUCT { ?d v:bday ?b } { ?d v:bday ?b }`,
      '--format',
      format,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(start);
  });

  test.each([
    ['an update', 'DELETE WHERE { ?s ?p ?o }', [], 1, /This is an update; a query only reads\./u],
    ['a syntax error', 'SELECT ?s { ?s ?p }', [], 1, /The query cannot be answered: .*1:/u],
    ['an empty text', '', [], 1, /The query cannot be answered/u],
    ['a SERVICE elsewhere', 'ASK { SERVICE <http://a.example/> { ?s ?p ?o } }', [], 1, /cannot be answered/u],
    ['a graph as CSV', 'CONSTRUCT {} {}', ['--format', 'csv'], 2, /csv cannot carry/u],
    ['rows as Turtle', 'SELECT * {}', ['--format', 'turtle'], 2, /turtle cannot carry/u],
    ['no columns as Parquet', 'SELECT * {}', ['--format', 'parquet'], 2, /SELECT without variables takes/u],
    ['yes or no as Parquet', 'ASK {}', ['--format', 'parquet'], 2, /parquet cannot carry.*ASK takes/u],
    ['a timeout of nothing', 'ASK {}', ['--timeout', '0'], 2, /--timeout must be/u],
    [
      'a query as deep as the sea',
      `ASK ${'{'.repeat(60000)}${'}'.repeat(60000)}`,
      [],
      1,
      /too deeply nested/u,
    ],
  ])('%s is refused in one line', async (_, sparql, args, exit, message) => {
    const { code, stdout, stderr } = await query(sparql, ...args);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toMatch(/^chartgraph: [^\n]+\n$/u);
    expect(stderr).toMatch(message);
  });

  test.each([
    ['nothing', ''],
    ['JSON without one', '{"oauth_token": "t"}'],
    ['one that is no text', '{"access_token": 7}'],
    ['text that no token is made of', 'two words'],
  ])('a file with %s for a token is named before a server is asked', async (_, written) => {
    const file = join(cwd, 'token.json');
    writeFileSync(file, written);
    expect(await query('ASK {}', '--server', 'http://127.0.0.1:9', '--token', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `chartgraph: ${file} holds no access_token; make one with chartgraph token issue --analyst.\n`,
    });
  });

  test.each([
    ['JSON of another kind', '{"error": "no"}'],
    ['no JSON', 'no'],
  ])('a server that refuses with %s may be no Chartgraph', async (_, body) => {
    const asked: unknown[] = [];
    const server = createServer(({ headers }, response) => {
      asked.push(headers.authorization);
      response.writeHead(404).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(join(cwd, 'token'), 'abc.def=\n');
    const { code, stderr } = await query('ASK {}', '--server', url, '--token', join(cwd, 'token'));
    server.close();
    expect({ code, stderr, asked }).toEqual({
      code: 1,
      stderr: 'chartgraph: The server answered 404; is it the base URL of a Chartgraph?\n',
      asked: ['Bearer abc.def='],
    });
  });

  const endless =
    'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n1 ?o . ?p ?q ?r }';

  test('a query that would never end is stopped by --timeout', async () => {
    const { code, stderr } = await query(endless, '--timeout', '1');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'chartgraph: The query was stopped after 1 s.\n' });
  });

  test('a query that would never end is stopped by Ctrl-C', async () => {
    const child = start(['query', '--data', data]);
    child.stdin?.end(endless);
    const ended = new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.kill('SIGINT');
    expect(await ended).toBe('SIGINT');
  });
});

describe('export, backup and restore', () => {
  test('an export loads back into another directory as the same records', async () => {
    withRecord17();
    const { stdout } = await chartgraph('export', '--format', 'trig');
    writeFileSync(join(cwd, 'all.trig'), stdout);
    expect(await json('load', 'all.trig', '--data', 'second')).toMatchObject({
      files: [{ record_id: '17' }],
    });
    expect((await chartgraph('export', '--format', 'trig', '--data', 'second')).stdout).toBe(stdout);
  });

  test('a record that is not there cannot be exported', async () => {
    withRecord17();
    expect(await chartgraph('export', '--record', '18')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'chartgraph: There is no record 18.\n',
    });
  });

  test('the reader of an export may go away: it ends quietly', async () => {
    withRecord17();
    const child = start(['export'], { cwd });
    let stderr = '';
    child.stderr?.on('data', (text) => (stderr += text));
    child.stdout?.destroy();
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('a backup brings records and accounts back, and never holds the secret key', async () => {
    withRecord17();
    await run(['user', 'add', 'u', '--given-name', 'G', '--family-name', 'F'], {
      cwd,
      stdin: 'seventeen grey herons\n',
    });
    expect(await chartgraph('backup', 'saved')).toMatchObject({ code: 0, stderr: '' });
    const key = readFileSync(join(cwd, 'data', 'secret.key'), 'utf8').trim();
    expect(await chartgraph('backup', 'saved')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('to saved, in the place of the backup that was there.'),
    });
    const other = await chartgraph('backup', 'data/secret.key');
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toContain('data/secret.key is there already and is no backup: choose another name.');
    expect(readFileSync(join(cwd, 'data', 'secret.key'), 'utf8').trim()).toBe(key);
    expect(readFileSync(join(cwd, 'saved')).includes(key)).toBe(false);

    await chartgraph('record', 'remove', '17');
    expect(await chartgraph('restore', 'saved')).toMatchObject({ code: 0, stderr: '' });
    expect(await json('record', 'list')).toMatchObject([{ record_id: '17' }]);
    expect(await json('user', 'list')).toMatchObject([{ user_id: 'u' }]);

    expect(JSON.parse((await chartgraph('backup', 'verify', 'saved', '--json')).stdout)).toMatchObject({
      records: 1,
      problems: [],
    });
    const nowhere = await chartgraph('backup', 'verify', 'nowhere');
    expect(nowhere).toEqual({ code: 1, stdout: '', stderr: 'chartgraph: There is no backup nowhere.\n' });

    const elsewhere = await chartgraph('restore', 'saved', '--data', 'elsewhere');
    expect(elsewhere).toMatchObject({ code: 1, stdout: '' });
    expect(elsewhere.stderr).toMatch(/^chartgraph: [^\n]*put the key [^\n]+\n$/u);
    expect(existsSync(join(cwd, 'elsewhere'))).toBe(false);
    mkdirSync(join(cwd, 'elsewhere'));
    writeFileSync(join(cwd, 'elsewhere', 'secret.key'), key);
    expect(await chartgraph('restore', 'saved', '--data', 'elsewhere')).toMatchObject({
      code: 0,
      stderr: '',
    });
    writeFileSync(join(cwd, 'pass'), 'eleven herons by the weir');
    const sealed = ['--passphrase-file', 'pass'];
    expect(await chartgraph('backup', 'carried', ...sealed)).toMatchObject({ code: 0 });
    expect(await chartgraph('restore', 'carried', ...sealed, '--data', 'new')).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await chartgraph('load', 'p17.ttl', '--data', 'third')).toMatchObject({ code: 0 });
    const third = await chartgraph('restore', 'carried', ...sealed, '--data', 'third');
    expect(third.code).toBe(0);
    expect(third.stderr).toMatch(
      /^chartgraph: warning: the backup was made of another data directory: [^\n]+\n$/u,
    );
    for (const rotate of [
      ['key', 'rotate'],
      ['key', 'rotate', '--data-key'],
    ]) {
      expect(await chartgraph(...rotate, '--data', 'elsewhere')).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await json('record', 'list', '--data', 'elsewhere')).toMatchObject([{ record_id: '17' }]);
  });

  test('a directory in the place of a backup is named', async () => {
    withRecord17();
    mkdirSync(join(cwd, 'saved'));
    for (const command of [['backup'], ['restore'], ['backup', 'verify']])
      expect(await chartgraph(...command, 'saved')).toEqual({
        code: 1,
        stdout: '',
        stderr: 'chartgraph: saved is a directory, not a file.\n',
      });
    expect(await chartgraph('backup', 'other', '--passphrase-file', 'saved')).toMatchObject({
      code: 1,
      stderr: 'chartgraph: A directory, not a file: saved\n',
    });
  });

  test('a folder for a backup that is not there is told from one that takes no file', async () => {
    withRecord17();
    expect(await chartgraph('backup', 'nowhere/saved')).toMatchObject({
      code: 1,
      stderr: 'chartgraph: There is no folder nowhere to write the backup into.\n',
    });
    // Linux alone has a folder that answers as if it were not there.
    if (process.platform !== 'linux') return;
    expect(await chartgraph('backup', '/proc/saved')).toMatchObject({
      code: 1,
      stderr: 'chartgraph: No file can be made in the folder /proc: choose another one for the backup.\n',
    });
  });

  test('a backup that is not sealed is refused and makes nothing', async () => {
    const value = encodeStored('meta', 1);
    writePlainBackup(join(cwd, 'forged'), [{ table: 'meta', key: 'sequence', value }]);
    const refused = await chartgraph('restore', 'forged');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^chartgraph: The backup forged is not sealed, [^\n]+ version 0\.26, [^\n]+\n$/u,
    );
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });

  test('what is no backup restores nothing and makes nothing', async () => {
    writeFileSync(join(cwd, 'saved'), 'not a backup');
    expect(await chartgraph('restore', 'saved')).toMatchObject({ code: 1, stdout: '' });
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });
});

describe('validate', () => {
  test('names file, rule and severity of what is wrong with data', async () => {
    writeFileSync(join(cwd, 'p20.ttl'), twoBirthdays);
    const { code, stdout } = await chartgraph('validate', 'p17.ttl', 'p20.ttl', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      problems: [
        {
          file: 'p20.ttl',
          line: expect.any(Number),
          rule: 'shape-cardinality',
          severity: 'error',
          message: expect.stringContaining('bday'),
        },
      ],
    });
  });

  test('names the line of a syntax error', async () => {
    writeFileSync(join(cwd, 'bad.ttl'), '\n\nnothing\n');
    expect(JSON.parse((await chartgraph('validate', 'bad.ttl', '--json')).stdout)).toMatchObject({
      problems: [{ file: 'bad.ttl', line: 3, rule: 'structure', severity: 'error' }],
    });
  });

  test('good data is no problem', async () => {
    expect(await chartgraph('validate', 'p17.ttl')).toEqual({
      code: 0,
      stdout: 'No problems.\n',
      stderr: '',
    });
  });

  test('app manifests and users are checked in a folder like the seed', async () => {
    mkdirSync(join(cwd, 's', 'apps'), { recursive: true });
    writeFileSync(join(cwd, 's', 'apps', 'a.json'), '{"id": "a"}');
    writeFileSync(join(cwd, 's', 'apps', 'b.json'), '{');
    writeFileSync(join(cwd, 's', 'users.json'), '{}');
    const { problems } = JSON.parse((await chartgraph('validate', 's', '--json')).stdout) as {
      problems: { file: string; rule: string }[];
    };
    const rules = new Set(problems.map(({ file, rule }) => `${file} ${rule}`));
    expect([...rules]).toEqual([
      `${join('s', 'apps', 'a.json')} manifest`,
      `${join('s', 'apps', 'b.json')} syntax`,
      `${join('s', 'users.json')} users`,
    ]);
  });

  test('an ontology and queries of one’s own are checked with file and line', async () => {
    mkdirSync(join(cwd, 'o'));
    writeFileSync(join(cwd, 'o', 'broken.ttl'), '@prefix a: <b> .\na:b a:c\n');
    const { code, stdout } = await chartgraph('validate', '--ontology', 'o', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      problems: [{ file: join(cwd, 'o', 'broken.ttl'), line: expect.any(Number), rule: 'syntax' }],
    });
  });

  test('a seed that is not there is named', async () => {
    expect(await chartgraph('validate', '--seed', 'nowhere')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^chartgraph: No such file or directory: [^\n]*nowhere\n$/u),
    });
  });

  test('the shipped ontology and queries have no error', async () => {
    mkdirSync(join(cwd, 'none'));
    const { stdout } = await chartgraph('validate', '--seed', join(cwd, 'none'), '--json');
    const { problems } = JSON.parse(stdout) as { problems: { severity: string }[] };
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
