import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { validateEndpoint } from '../../../../src/fhir/endpoint/endpoint.js';
import { corpus } from './corpus.js';
import { kinds, type Kind } from './kinds.js';

interface Message {
  readonly severity: string;
  readonly message: string;
}

const hapi = process.env['CHARTGRAPH_TEST_HAPI'] ?? '';
const data = join(import.meta.dirname, 'disagreements.json');
const page = resolve(import.meta.dirname, '..', '..', '..', '..', 'docs', 'endpoint.md');

describe('endpoints of the tests, generated ones and 500 changes of them', () => {
  // .ci/hapi fetches it, with Java and Maven.
  test.skipIf(!existsSync(join(hapi, 'classes')))(
    'are judged as HAPI’s validator judges them, or differently in a way that is listed',
    { timeout: 900_000 },
    async () => {
      const samples = corpus();
      const answers = await validated(samples.map(({ document }) => document));
      expect(answers.length).toBe(samples.length);
      const met = new Map<Kind, string[]>();
      const unlisted: string[] = [];
      let agreed = 0;
      for (const [index, { name, document }] of samples.entries()) {
        const own = validateEndpoint(document)
          .filter(({ severity }) => severity === 'error')
          .map(({ rule, message }) => `${rule}: ${message}`);
        const theirs = (answers[index] ?? [])
          .filter(({ severity }) => !['warning', 'information'].includes(severity))
          .map(({ message }) => message);
        if ((own.length === 0) === (theirs.length === 0)) {
          agreed++;
          continue;
        }
        const finds = own.length > 0 ? 'Chartgraph' : 'HAPI';
        for (const said of [...own, ...theirs]) {
          const kind = kinds.find((each) => each.finds === finds && each.says.test(said));
          if (kind) met.set(kind, [...new Set(met.get(kind)).add(name)]);
          else unlisted.push(`${name}: ${finds} alone says: ${said}`);
        }
      }
      expect(unlisted).toEqual([]);
      const found = kinds.map((each) => {
        const { kind, finds, right } = each;
        return { kind, finds, right, samples: (met.get(each) ?? []).join('; ') };
      });
      await expect(
        `${JSON.stringify({ samples: samples.length, agreed, found }, null, 2)}\n`,
      ).toMatchFileSnapshot(data);
    },
  );

  test('differ in ways that are met, and that the documentation tells', () => {
    const { found } = JSON.parse(readFileSync(data, 'utf8')) as {
      found: { kind: string; samples: string }[];
    };
    expect(found.filter(({ samples }) => samples === '')).toEqual([]);
    const rows = kinds.map(({ kind, finds, right, why }) => [kind, finds, right, why].join(' | '));
    const text = readFileSync(page, 'utf8').replace(/ +/gu, ' ');
    expect(rows.filter((row) => !text.includes(`| ${row} |`))).toEqual([]);
  });
});

/** What HAPI finds in each of some resources; one process for all of them. */
async function validated(documents: readonly object[]): Promise<Message[][]> {
  const path = `${join(hapi, 'lib', '*')}:${join(hapi, 'classes')}`;
  const running = promisify(execFile)('java', ['-Xmx1g', '-cp', path, 'Validate'], { maxBuffer: 2 ** 28 });
  running.child.stdin?.end(documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
  const { stdout } = await running;
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Message[]);
}
