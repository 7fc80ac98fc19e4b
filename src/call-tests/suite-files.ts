import { TEST_APP } from './derive-suite.js';
import { httpFile, signer } from './http-file.js';
import type { Suite } from './suite.js';

/** A file of a suite: its name and what stands in it. */
export type SuiteFile = readonly [name: string, text: string];

/** The files of a suite: its tests as data, what runs them, and the same requests as plain HTTP files. */
export function suiteFiles(suite: Suite): SuiteFile[] {
  const calls = [...new Set(suite.tests.map(({ call }) => call))];
  return [
    ['calls.json', `${JSON.stringify(suite, null, 1)}\n`],
    ['calls.test.js', testFile],
    ['app.json', `${JSON.stringify(TEST_APP, null, 2)}\n`],
    ['README.md', readme(suite)],
    ['sign.cjs', signer],
    ...calls.map((call): SuiteFile => [`${call}.http`, httpFile(suite, call)]),
  ];
}

const testFile = `import { describe, test } from 'vitest';
import { testsOf } from 'chartgraph/call-tests';

const tests = testsOf(new URL('calls.json', import.meta.url));

describe.each([...new Set(tests.map(({ call }) => call))])('%s', (name) => {
  test.each(tests.filter(({ call }) => call === name))('$says', ({ run }) => run());
});
`;

function readme({ user, records, ontology }: Suite): string {
  const issue = records
    .map(
      (id) =>
        `npx chartgraph token issue --app ${TEST_APP.id} --user ${user} --record ${id} > tokens/${id}.json`,
    )
    .join('\n');
  return `# Tests of the calls, ontology ${ontology}

Made by \`chartgraph ontology tests\`; make them again rather than change them. They ask a container that holds the seed
and nothing else. The app signs with tokens of its own; the folder of tokens holds secrets, so keep it out of git.

\`\`\`sh
npx chartgraph app add app.json
mkdir -p tokens
${issue}
export CHARTGRAPH_TEST_URL=http://localhost:7000 CHARTGRAPH_TEST_TOKENS=$PWD/tokens
npx vitest run --dir .        # calls.test.js: all of calls.json
npx httpyac send '*.http' --all   # the same requests, with status and media type alone
\`\`\`

With \`CHARTGRAPH_TEST_WRITES=yes\` the tests also store, remove and add; what they add stays, so use it on a container
that is thrown away. \`chartgraph ontology tests DIR --run\` starts such a container and runs everything.
`;
}
