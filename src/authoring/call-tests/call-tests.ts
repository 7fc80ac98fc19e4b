import { readFileSync } from 'node:fs';
import { runningContainer, type IssuedToken } from './ask.js';
import { checkCall } from './check-answer.js';
import { writingKinds, type Suite } from './suite.js';

// `chartgraph/call-tests`, used by the generated `calls.test.js`.

export { TestFailure } from './check-answer.js';
export type { CallTest, Suite } from './suite.js';

export interface ReadyTest {
  readonly call: string;
  /** Continues a sentence that begins with the name of the call. */
  readonly says: string;
  /** Resolves when the answer is right. @throws TestFailure that says how it differs */
  run(): Promise<void>;
}

/** Environment variables that select the container and its tokens. */
const variables = {
  url: 'CHARTGRAPH_TEST_URL',
  tokens: 'CHARTGRAPH_TEST_TOKENS',
  writes: 'CHARTGRAPH_TEST_WRITES',
} as const;

/**
 * Loads the tests of a suite for the running container that the environment names: its base URL, the folder of its
 * tokens (`{record}.json`, the output of `chartgraph token issue`), and whether tests may write to it.
 * @param suite the path of `calls.json`
 * @throws Error that says which variable is missing
 */
export function testsOf(
  suite: string | URL,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ReadyTest[] {
  const read = JSON.parse(readFileSync(suite, 'utf8')) as Suite;
  const url = required(env, 'url').replace(/\/+$/, '');
  const folder = required(env, 'tokens');
  const tokens = new Map(read.records.map((record) => [record, readToken(`${folder}/${record}.json`)]));
  const container = runningContainer(url, tokens);
  const mayWrite = env[variables.writes] === 'yes';
  return read.tests
    .filter(({ expect }) => mayWrite || !writingKinds.has(expect.kind))
    .map((test) => ({ call: test.call, says: test.says, run: () => checkCall(read, test, container) }));
}

function required(env: Readonly<Record<string, string | undefined>>, name: keyof typeof variables): string {
  const value = env[variables[name]];
  if (value !== undefined && value !== '') return value;
  const what = name === 'url' ? 'the base URL of the container' : 'the folder with a token for each record';
  throw new Error(`${variables[name]} is not set: set it to ${what}; README.md says how.`);
}

function readToken(file: string): IssuedToken {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as IssuedToken;
  } catch {
    throw new Error(`${file} is no token: make it with chartgraph token issue; README.md says how.`);
  }
}
