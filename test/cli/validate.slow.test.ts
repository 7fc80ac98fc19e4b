import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { paintOn } from '../../src/cli/output.js';
import { findingsText, type Diagnostic } from '../../src/cli/validate/diagnostic.js';
import { rules } from '../../src/cli/validate/all-rules.js';
import { sarifOf } from '../../src/cli/validate/sarif.js';
import { folder, run, runProcess, start } from './run.js';

const root = resolve(import.meta.dirname, '..', '..');
const valid = join(root, 'test', 'model', 'ontology', 'broken', 'valid');
const all = ['--ontology', 'ontology', '--queries', 'queries', '--seed', 'seed'];

/** The small valid folder, in a place where it may be spoilt. */
function copy(): string {
  const cwd = folder();
  cpSync(valid, cwd, { recursive: true });
  return cwd;
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
  writeFileSync(file, text.replace(from, to));
}

describe('validate', () => {
  test('finds nothing wrong with what is shipped, not even a warning', async () => {
    expect(await run(['validate'])).toEqual({ code: 0, stdout: 'No problems.\n', stderr: '' });
  });

  test('tells people file, line, severity, rule, and once what to do', async () => {
    const cwd = copy();
    edit(join(cwd, 'queries', 'get_shoe.rq'), '?part sp:belongsTo $record . ', '');
    edit(join(cwd, 'ontology', 'shoes.ttl'), ' rdfs:label "place" ;', '');
    edit(join(cwd, 'ontology', 'shoes.ttl'), ' rdfs:label "value" ;', '');
    const { code, stdout, stderr } = await run(['validate', ...all], { cwd });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'ontology/shoes.ttl:92  warning  missing-label  sp:place has no rdfs:label.',
      '    Add rdfs:label with a short name for people. See docs/rules/missing-label.md.',
      'ontology/shoes.ttl:93  warning  missing-label  sp:value has no rdfs:label.',
      'queries/get_shoe.rq:6  error  query-unguarded  a graph ?part may be read that does not belong to $record',
      expect.stringMatching(
        /^ {4}Say so of each graph in itself: .* See docs\/rules\/query-unguarded\.md\.$/,
      ),
      '1 error, 2 warnings.',
      '',
    ]);
  });

  test('ends well when there are only warnings', async () => {
    const cwd = copy();
    edit(join(cwd, 'ontology', 'shoes.ttl'), ' rdfs:label "place" ;', '');
    const { code, stdout } = await run(['validate', ...all, '--json'], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      problems: [
        {
          file: join(cwd, 'ontology', 'shoes.ttl'),
          line: 92,
          rule: 'missing-label',
          severity: 'warning',
          message: 'sp:place has no rdfs:label.',
          hint: 'Add rdfs:label with a short name for people.',
          help: 'docs/rules/missing-label.md',
        },
      ],
    });
  });

  test('refuses two formats at once', async () => {
    const { code, stderr } = await run(['validate', '--json', '--sarif']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'chartgraph: Either --json or --sarif, not both.\n',
    });
  });

  test('prints SARIF that names rule and place of each diagnostic', async () => {
    const cwd = copy();
    edit(join(cwd, 'queries', 'get_shoe.rq'), '?part sp:belongsTo $record . ', '');
    const { code, stdout } = await run(['validate', ...all, '--sarif'], { cwd });
    expect(code).toBe(1);
    const log = JSON.parse(stdout) as ReturnType<typeof logOf>;
    const [result] = log.runs[0]?.results ?? [];
    expect(result).toMatchObject({
      ruleId: 'query-unguarded',
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'queries/get_shoe.rq', uriBaseId: 'SRCROOT' },
            region: { startLine: 6 },
          },
        },
      ],
    });
    expect(log.runs[0]?.tool.driver.rules[result?.ruleIndex ?? -1]?.id).toBe('query-unguarded');
    expect((await run(['validate', ...all, '--format', 'sarif'], { cwd })).stdout).toBe(stdout);
  });

  test('watches: checks again when a file changes, and ends at Ctrl-C', async () => {
    const cwd = copy();
    const child = start(['validate', ...all, '--watch'], { cwd });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = new Promise<number | null>((done) => child.on('close', done));
    const rounds = (): number => output.split('Watching for changes').length - 1;
    const round = (n: number): Promise<void> => expect.poll(rounds, { interval: 50 }).toBe(n);
    await round(1);
    expect(output).toContain('No problems.');
    edit(join(cwd, 'queries', 'get_shoe.rq'), '?part sp:belongsTo $record . ', '');
    await round(2);
    expect(output).toContain('query-unguarded');
    edit(join(cwd, 'ontology', 'api.ttl'), '"Shoes"', '"Shoes');
    await round(3);
    expect(output).toContain('ontology/api.ttl:10  error  syntax');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(output).not.toContain('\u001b');
  });

  test('watches: sees each way in which editors save a file, again and again', async () => {
    const cwd = copy();
    const child = start(['validate', ...all, '--watch'], { cwd });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = new Promise<number | null>((done) => child.on('close', done));
    const round = (n: number): Promise<void> =>
      expect.poll(() => output.split('Watching for changes').length - 1, { interval: 50 }).toBe(n);
    const file = join(cwd, 'queries', 'get_shoe.rq');
    const good = readFileSync(file, 'utf8');
    const bad = good.replace('?part sp:belongsTo $record . ', '');
    const saves: readonly ((text: string) => void)[] = [
      // vim and `sed -i`: a new file renamed over the old one.
      (text) => {
        writeFileSync(join(cwd, 'queries', '.get_shoe.rq.swp'), text);
        renameSync(join(cwd, 'queries', '.get_shoe.rq.swp'), file);
      },
      // Others delete and create, or move the old one away first.
      (text) => {
        rmSync(file);
        writeFileSync(file, text);
      },
      (text) => {
        renameSync(file, `${file}~`);
        writeFileSync(file, text);
      },
      (text) => writeFileSync(file, text),
    ];
    await round(1);
    let rounds = 1;
    for (const save of [...saves, ...saves.slice(0, 1)]) {
      for (const text of [bad, good]) {
        const before = output.length;
        save(text);
        await round(++rounds);
        expect(output.slice(before)).toContain(text === bad ? 'query-unguarded' : 'No problems.');
      }
    }
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});

describe('serve', () => {
  test('refuses an ontology or queries with errors, and says where they stand', async () => {
    const cwd = copy();
    const serve = (): ReturnType<typeof run> =>
      runProcess(['serve', '--port', '0', '--no-seed', '--ontology', 'ontology', '--queries', 'queries'], {
        cwd,
      });
    edit(
      join(cwd, 'ontology', 'calls.ttl'),
      'api:path "/records/{record_id}/shoes/search"',
      'api:path "shoes"',
    );
    const ontology = await serve();
    expect(ontology.code).toBe(1);
    expect(ontology.stderr).toMatch(
      /\/ontology\/calls\.ttl:41: calls:search_shoes cannot have the path .*\(call-path\)/,
    );
    edit(
      join(cwd, 'ontology', 'calls.ttl'),
      'api:path "shoes"',
      'api:path "/records/{record_id}/shoes/search"',
    );
    edit(join(cwd, 'queries', 'get_shoe.rq'), '?part sp:belongsTo $record . ', '');
    const queries = await serve();
    expect(queries.code).toBe(1);
    expect(queries.stderr).toContain('/queries/get_shoe.rq:6: a graph ?part may be read');
  });
});

const diagnostic: Diagnostic = {
  file: '/somewhere/else/a b.ttl',
  line: null,
  rule: 'xml-name',
  severity: 'warning',
  message: 'odd \u001b[2J',
};

describe('diagnostics for people', () => {
  test('have colours on a terminal alone, and none where NO_COLOR says so', () => {
    const drawn = (isTTY: boolean, env: Record<string, string>): string =>
      findingsText([diagnostic], paintOn({ isTTY }, env));
    expect(drawn(true, {})).toContain('\u001b[33mwarning\u001b[0m');
    expect(drawn(true, { NO_COLOR: '1' })).not.toContain('\u001b');
    expect(drawn(false, {})).not.toContain('\u001b');
  });

  test('never pass on what would steer the terminal', () => {
    expect(findingsText([diagnostic], (_, text) => text)).toBe(
      '/somewhere/else/a b.ttl  warning  xml-name  odd \\u001b[2J\n0 errors, 1 warning.\n',
    );
  });
});

/** The parts of a SARIF log that are looked at here. */
function logOf(diagnostics: readonly Diagnostic[]): {
  runs: {
    tool: { driver: { rules: { id: string; help: { markdown?: string }; defaultConfiguration: object }[] } };
    results: { ruleId: string; ruleIndex?: number; level: string; locations: object[] }[];
  }[];
} {
  return sarifOf(diagnostics) as ReturnType<typeof logOf>;
}

describe('diagnostics as SARIF 2.1.0', () => {
  const [run] = logOf([diagnostic, { ...diagnostic, rule: 'unheard-of', line: 3 }]).runs;

  test('bring every rule of the catalogue with its page', () => {
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    for (const { id, help } of run?.tool.driver.rules ?? []) expect(help.markdown).toContain(`# ${id}\n`);
  });

  test('keep to the schema of OASIS, which refuses what breaks it', () => {
    const file = createRequire(import.meta.url).resolve(
      '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
    );
    // The schema is written in draft 4, of which it uses nothing that later drafts changed but the name of its id.
    const {
      id: _,
      $schema: __,
      ...schema
    } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });
    const validate = ajv.compile(schema);
    const log = logOf([diagnostic, { ...diagnostic, rule: 'unheard-of', line: 3 }]);
    validate(log);
    expect(validate.errors ?? []).toEqual([]);
    expect(log.runs[0]?.tool.driver).toMatchObject({ informationUri: 'https://chartgraph.example.org/' });
    expect(validate({ ...log, runs: [{ ...log.runs[0], tool: {} }] })).toBe(false);
    expect(validate(logOf([{ ...diagnostic, line: 0 }]))).toBe(false);
  });

  test('name files elsewhere by their whole address, and no line where nobody knows one', () => {
    const [known, unknown] = run?.results ?? [];
    expect(known?.locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: 'file:///somewhere/else/a%20b.ttl' } } },
    ]);
    expect(unknown).toMatchObject({ ruleId: 'unheard-of', level: 'warning' });
    expect(unknown).not.toHaveProperty('ruleIndex');
  });
});

test('every page that validate links to is shipped', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  expect(files).toContain('docs');
  for (const { id } of rules) expect(existsSync(join(root, 'docs', 'rules', `${id}.md`))).toBe(true);
});
