// Random requests from a seed: calls of the ontology and the container's own paths, with valid, broken and no signatures,
// with any methods, headers, parameters and bodies, and requests whose bytes were changed.
import { signRequest } from '../../dist/access/oauth/sign-request.js';

/** Paths beside those of the ontology's calls. */
const OWN = [
  '/oauth/request_token',
  '/oauth/access_token',
  '/oauth/authorize',
  '/oauth/debug',
  '/apps/{smart_app_id}/launch',
  '/apps/{smart_app_id}/tokens/records/first',
  '/apps/{smart_app_id}/tokens/records/{record_id}',
  '/apps/{smart_app_id}/tokens/records/{record_id}/next',
  '/login',
  '/login/code',
  '/logout',
  '/account/apps',
  '/account/security',
  '/account/security/password',
  '/account/security/sessions',
  '/account/security/second-factor',
  '/docs',
  '/docs/classes',
  '/openapi.json',
  '/context.jsonld',
  '/ontology/shapes',
  '/endpoint/schema.json',
  '/health/live',
  '/health/ready',
  '/records/{record_id}',
  '/fhir/metadata',
  '/fhir/Observation',
  '/fhir/Condition/_search',
  '/fhir/Patient/{record_id}',
  '/fhir/Patient/{record_id}/$everything',
  '/fhir/Condition/{record_id}..problems..1/_history',
  '/fhir/Condition/{record_id}..problems..1/_history/1',
  '/',
];
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'QUERY', 'TRACE'];
const WORDS = [
  ...[
    '..',
    '.',
    '',
    '%2F',
    '%2e%2e',
    '%00',
    '%0d%0a',
    '%',
    '%zz',
    '%C3%28',
    '%22',
    '%27',
    '%3E',
    '%7D',
    '//',
  ],
  ...[
    '> } UNION { ?s ?p ?o } #',
    '"@en',
    '^^<x>',
    '$record',
    '?x',
    '__proto__',
    'constructor',
    'é',
    '𝄞',
    '\\',
  ],
  ...['-1', '1e9', '9'.repeat(40), 'x'.repeat(2000), 'null', 'undefined', '2001-13-45', '2001', '*', ' '],
];
const PARAMETERS = [
  ...['_format', 'limit', 'offset', 'date_from', 'date_to', 'date_from_including', 'date_to_excluding'],
  ...[
    'family_name',
    'given_name',
    'zipcode',
    'birthday',
    'format',
    'rxnorm',
    'snomed',
    'loinc',
    'oauth_token',
  ],
  ...['oauth_callback', 'oauth_verifier', 'oauth_signature', 'record_id', 'response_format', 'x'],
  ...['_count', '_sort', '_page', '_include', '_summary', 'patient', 'code', 'date', '_lastUpdated'],
];
const VALUES = [
  'ge2001',
  '-date',
  'WzAsIngiLCJ4Il0',
  'a|b,c',
  'turtle',
  'application/ld+json',
  'text/html',
  'raw',
  'combined',
  'metadata',
  '0',
  '1',
  '10',
];
const TYPES = [
  ...['application/rdf+xml', 'text/turtle', 'application/ld+json', 'application/n-triples', 'text/plain'],
  ...[
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '*/*',
    'x',
    '',
  ],
];
const HEADERS = [
  ['accept', [...TYPES, 'a;q=x, */*;q=2', 'text/turtle;q=0, */*', 'text/html']],
  ['range', ['bytes=-', 'bytes=0-0', 'bytes=5-1', 'bytes=0-1,3-4', 'bytes=99999999999999999-', 'x=1']],
  ['if-none-match', ['*', '"x"', 'W/"', '""', '"a", W/"b"']],
  ['if-match', ['*', '"x"', '"']],
  ['if-modified-since', ['Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday']],
  ['cookie', ['session=x', 'a=b; a=c', '=', 'x'.repeat(3000)]],
  ['origin', ['http://localhost', 'null', 'https://evil.example']],
  ['idempotency-key', ['a', '', 'k'.repeat(300), 'é']],
  ['x-request-id', ['a', 'x'.repeat(500), '{"a":1}']],
  ['traceparent', ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'x']],
  ['x-forwarded-for', ['127.0.0.1', '::1', 'x']],
  ['host', ['h', 'localhost', '[', 'a b']],
  ['content-encoding', ['gzip', 'br', 'x']],
];

/** Numbers of a seed: mulberry32. */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { below, pick: (list) => list[below(list.length)], chance: (share) => next() < share };
}

/**
 * Gives requests one after the other.
 * @param options.calls { method, path } of the ontology
 * @param options.people { record, user, marker, tokens: credentials[], ids: of statements }, one of whom each request is of
 * @param options.url of the container
 */
export function requestMaker({ seed, url, calls, people, apps }) {
  const { below, pick, chance } = random(seed);
  const templates = [
    ...calls,
    ...calls,
    ...OWN.map((path) => ({ method: chance(0.5) ? 'GET' : 'POST', path })),
  ];
  const word = () =>
    chance(0.7) ? pick(WORDS) : String.fromCodePoint(...Array.from({ length: below(8) }, () => below(0x2ff)));
  const anybody = () => pick(people);

  const placed = (template, own) =>
    template.replace(/\{([^}]+)\}/g, (_, name) => {
      if (chance(0.05)) return encodeURIComponent(word());
      const other = anybody();
      if (name === 'record_id') return (chance(0.7) ? own : other).record;
      if (name === 'user_id') return (chance(0.7) ? own : other).user;
      if (/app|descriptor/.test(name)) return pick(apps);
      return pick((chance(0.7) ? own : other).ids);
    });
  const query = () => {
    const pairs = Array.from({ length: chance(0.6) ? 0 : 1 + below(4) }, () => {
      const value = chance(0.5) ? pick(VALUES) : word();
      return `${chance(0.9) ? pick(PARAMETERS) : word()}=${chance(0.8) ? encodeURIComponent(value) : value}`;
    });
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  };
  const changed = (text) => {
    let result = text;
    for (let left = 1 + below(4); left > 0; left--) {
      const at = below(result.length + 1);
      const added = chance(0.5) ? String.fromCharCode(below(256)) : chance(0.3) ? pick(WORDS) : '';
      result = result.slice(0, at) + added + result.slice(at + below(4));
    }
    return result;
  };
  const note = (marker) => `@prefix sp: <http://smartplatforms.org/terms#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
[] a sp:ClinicalNote ; dcterms:date "2024-01-0${1 + below(9)}" ; dcterms:title "${marker} ${below(1e6)}" ;
  dcterms:format <http://purl.org/NET/mediatypes/text/plain> ;
  sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "${marker}" ] ] .
<http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ;
  <http://www.w3.org/2000/01/rdf-schema#label> "text/plain" .`;
  const body = (marker) => {
    if (chance(0.3)) return [note(marker), 'text/turtle'];
    if (chance(0.3)) return [changed(note(marker)), 'text/turtle'];
    const text = pick([
      ...[
        '<rdf:RDF',
        '{',
        '[]',
        '{"@context":"http://x/"}',
        '@prefix',
        '<a> <b> <c> .',
        '[ '.repeat(3000),
        '',
      ],
      ...[
        '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>',
        `a=${marker}&oauth_token=x`,
        marker,
        'user=u&password=p',
      ],
    ]);
    return [chance(0.5) ? text : changed(text), pick(TYPES)];
  };
  const signature = (request) => {
    try {
      return signRequest(request);
    } catch {
      // What our own signer refuses.
      return 'OAuth ';
    }
  };
  const proof = (method, target, own, content, contentType) => {
    const credentials = pick(own.tokens);
    const kind = below(10);
    const as = kind === 7 ? { ...credentials, tokenSecret: 'x' } : { ...credentials };
    if (kind === 8) as.token = pick(anybody().tokens).token;
    if (kind === 9) return pick(['OAuth ', 'OAuth oauth_token="', 'Basic eA==', 'Bearer x', 'x']);
    const header = signature({ method, url: url + target, ...as, body: content, contentType });
    return kind === 6 ? changed(header) : header;
  };

  /** @returns { marker, method, target, headers, body } or, with changed bytes, { marker, bytes } */
  return function make() {
    const own = anybody();
    const call = pick(templates);
    const method = chance(0.8) ? call.method : pick(METHODS);
    const path = chance(0.93)
      ? placed(call.path, own)
      : `/${Array.from({ length: below(6) }, word).join('/')}`;
    const target = (path + query()).replace(/[^\u0021-\u007e]/gu, (one) =>
      encodeURIComponent(one.toWellFormed()),
    );
    const headers = {};
    for (let left = chance(0.5) ? 0 : below(4); left > 0; left--) {
      const [name, values] = pick(HEADERS);
      headers[name] = chance(0.8) ? pick(values) : word();
    }
    const takesBody = ['POST', 'PUT', 'PATCH'].includes(method) || chance(0.05);
    const [content, type] = takesBody ? body(own.marker) : [undefined, undefined];
    if (type !== undefined) headers['content-type'] = type;
    // A signature needs a path that a URL can have; without one the request goes unsigned.
    const isSigned = chance(0.75) && URL.canParse(url + target);
    if (isSigned) headers.authorization = proof(method, target, own, content, type);
    for (const [name, value] of Object.entries(headers))
      headers[name] = value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
    // What may come back: what they may read, and what they say themselves.
    const marker = isSigned || content?.includes(own.marker) ? own.marker : undefined;
    if (!chance(0.03)) return { marker, method, target, headers, body: content };
    const lines = Object.entries({ host: 'h', connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const text = [`${method} ${target} HTTP/1.1`, ...lines, '', content ?? ''].join('\r\n');
    return { marker, bytes: changed(text) };
  };
}
