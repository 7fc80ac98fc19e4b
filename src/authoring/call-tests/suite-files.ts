import { TEST_APP } from './derive-suite.js';
import type { Suite, CallTest } from './suite.js';

export type SuiteFile = readonly [name: string, text: string];

/** Makes the files of a suite: its tests as data, a runner, and the requests as plain HTTP files. */
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

/** A module that signs the requests of HTTP files. It needs only Node.js, to run in any client with scripts. */
const signer = `// Signs the requests of the HTTP files beside it (OAuth 1.0a, RFC 5849, HMAC-SHA1).
const { createHash, createHmac, randomUUID } = require('node:crypto');
const { readFileSync } = require('node:fs');

const encode = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => '%' + sign.charCodeAt(0).toString(16).toUpperCase());

/** The Authorization header of a request, signed with the token of a record. */
exports.sign = (method, url, record, body) => {
  const file = process.env.CHARTGRAPH_TEST_TOKENS + '/' + record + '.json';
  const token = JSON.parse(readFileSync(file, 'utf8'));
  const own = {
    oauth_consumer_key: token.consumer_key,
    oauth_token: token.oauth_token,
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_nonce: randomUUID(),
    oauth_version: '1.0',
  };
  if (body !== undefined) own.oauth_body_hash = createHash('sha1').update(body).digest('base64');
  const address = new URL(url);
  const pairs = [...address.searchParams, ...Object.entries(own)].map((pair) => pair.map(encode));
  const sorted = pairs.sort((a, b) => (a[0] + ' ' + a[1] < b[0] + ' ' + b[1] ? -1 : 1));
  const parameters = sorted.map((pair) => pair.join('=')).join('&');
  const base = [method, address.origin + address.pathname, parameters].map(encode).join('&');
  const key = encode(token.consumer_secret) + '&' + encode(token.oauth_token_secret);
  own.oauth_signature = createHmac('sha1', key).update(base).digest('base64');
  return 'OAuth ' + Object.entries(own).map(([name, value]) => name + '="' + encode(value) + '"').join(', ');
};
`;

/** Writes the requests of a call in the dialect of httpYac, which signs by script and checks status and media type. */
function httpFile({ tests }: Suite, call: string): string {
  const own = tests.filter(
    (test) => test.call === call && test.body === undefined && statusOf(test) !== undefined,
  );
  const head = `# ${call}: requests of calls.json, for HTTP clients; README.md says how they sign.
{{
  exports.base = process.env.CHARTGRAPH_TEST_URL;
  exports.sign = require('./sign.cjs').sign;
}}
`;
  return [head, ...own.map(requestOf)].join('\n');
}

function requestOf(test: CallTest): string {
  const { call, says, method, target, as } = test;
  // JSON escapes quotes, and closing brackets that would end a script.
  const path = JSON.stringify(target);
  const signed = as === undefined ? '' : `Authorization: {{sign('${method}', base + ${path}, '${as}')}}\n`;
  const type = typeOf(test);
  return `###
# ${call} ${says}
${method} {{base}}${target}
${signed}
?? status == ${statusOf(test)}
${type === undefined ? '' : `?? header content-type startsWith ${type}\n`}`;
}

/** Returns the status of a plain request; undefined for tests with several requests. */
function statusOf({ expect }: CallTest): number | undefined {
  if (expect.kind === 'refusal') return expect.status;
  return ['graph', 'list', 'json', 'file'].includes(expect.kind) ? 200 : undefined;
}

function typeOf({ expect }: CallTest): string | undefined {
  if (expect.kind === 'refusal') return 'application/problem+json';
  if (expect.kind === 'graph' || expect.kind === 'list') return expect.type;
  return expect.kind === 'json' ? 'application/json' : undefined;
}
