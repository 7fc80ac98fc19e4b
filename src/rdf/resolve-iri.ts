const absolute = /^[A-Za-z][A-Za-z0-9+.-]*:/;
/** RFC 3986 appendix B, with the scheme of its §3.1. */
const parts = /^([A-Za-z][A-Za-z0-9+.-]*:)?(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(?:#[^]*)?$/;

/**
 * Resolves an IRI reference (RFC 3986 §5.2.2, RFC 3987 §6.5). Absolute IRIs stay unchanged, because RDF compares them
 * as text. Without a base, a relative one stays relative.
 */
export function resolveIri(reference: string, base: string): string {
  if (absolute.test(reference)) return reference;
  const [, scheme = '', authority = '', path = '', query = ''] = parts.exec(base) ?? [];
  if (reference.startsWith('//')) {
    const [, , ownAuthority = '', ownPath = ''] = parts.exec(reference) ?? [];
    const end = ownAuthority.length + ownPath.length;
    return scheme + ownAuthority + withoutDots(ownPath) + reference.slice(end);
  }
  const end = reference.search(/[?#]|$/);
  const [ownPath, rest] = [reference.slice(0, end), reference.slice(end)];
  if (ownPath === '') return scheme + authority + path + (rest.startsWith('?') ? '' : query) + rest;
  const merged = ownPath.startsWith('/') ? ownPath : folder(path, authority) + ownPath;
  return scheme + authority + withoutDots(merged) + rest;
}

/** RFC 3986 §5.2.3: a base that is only an authority has the path `/`. */
function folder(path: string, authority: string): string {
  return path === '' && authority !== '' ? '/' : path.slice(0, path.lastIndexOf('/') + 1);
}

/** RFC 3986 §5.2.4. */
function withoutDots(path: string): string {
  const segments = path.split('/');
  const left: string[] = [];
  for (const segment of segments) {
    // The empty segment before the first slash of an absolute path stays.
    if (segment === '..' && (left.length > 1 || left[0] !== '')) left.pop();
    else if (segment !== '.' && segment !== '..') left.push(segment);
  }
  const last = segments.at(-1);
  if (last === '.' || last === '..') left.push('');
  return left.join('/');
}
