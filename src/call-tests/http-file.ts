import type { CallTest, Suite } from './suite.js';

/**
 * The module by which HTTP files sign their requests: OAuth 1.0a (RFC 5849) with HMAC-SHA1, in Node.js alone, so that it
 * runs wherever an HTTP client runs scripts.
 */
export const signer = `// Signs the requests of the HTTP files beside it (OAuth 1.0a, RFC 5849, HMAC-SHA1).
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

/**
 * The requests of one call as a plain HTTP file: what editors with a REST client show and send, in the dialect of
 * httpYac, which signs by a script and judges status and media type. What the answer holds is for `calls.test.js`.
 */
export function httpFile({ tests }: Suite, call: string): string {
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
  // In these files a closing bracket pair ends a script, and a quote a text: both are escaped by JSON.
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

/** The status of the plain request; undefined where a test is more than one request. */
function statusOf({ expect }: CallTest): number | undefined {
  if (expect.kind === 'refusal') return expect.status;
  return ['graph', 'list', 'json', 'file'].includes(expect.kind) ? 200 : undefined;
}

function typeOf({ expect }: CallTest): string | undefined {
  if (expect.kind === 'refusal') return 'application/problem+json';
  if (expect.kind === 'graph' || expect.kind === 'list') return expect.type;
  return expect.kind === 'json' ? 'application/json' : undefined;
}
