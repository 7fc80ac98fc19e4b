export type Parameter = readonly [name: string, value: string];

const UNRESERVED = /^[\w.~-]*$/;
const LEFT_BY_JAVASCRIPT = /[!'()*]/;
const EACH_LEFT_BY_JAVASCRIPT = /[!'()*]/g;

/** Percent-encodes all but unreserved characters (RFC 5849 §3.6). @throws URIError for a lone surrogate */
export function percentEncode(text: string): string {
  if (UNRESERVED.test(text)) return text;
  const encoded = encodeURIComponent(text);
  if (!LEFT_BY_JAVASCRIPT.test(encoded)) return encoded;
  return encoded.replace(
    EACH_LEFT_BY_JAVASCRIPT,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Decodes percent-encoded UTF-8. @throws URIError when the encoding is broken */
export function percentDecode(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text;
}

/** Reads a query or form (RFC 5849 §3.4.1.3.1), where `+` is a space. @throws URIError for a broken percent-encoding */
export function readForm(text: string): [name: string, value: string][] {
  const parameters: [string, string][] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    parameters.push([decode(name), equals < 0 ? '' : decode(pair.slice(equals + 1))]);
  }
  return parameters;
}

function decode(text: string): string {
  // `replaceAll` takes several times as long when there are many.
  return percentDecode(text.includes('+') ? text.split('+').join(' ') : text);
}
