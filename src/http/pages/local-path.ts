/**
 * Where to go after signing in: a path of this container, never another place.
 * @param wanted what the address or form asks for
 * @param base the base URL
 * @returns the path and query, or the start page's path when `wanted` is no path of ours
 */
export function localPath(wanted: string | undefined, base: string): string {
  const { origin, pathname } = new URL(base);
  const basePath = pathname.replace(/\/$/, '');
  const start = `${basePath}/`;
  // Browsers take `\` for `/` and skip tabs and line feeds: `/\host` and `/<tab>/host` are other places.
  if (wanted === undefined || wanted.length > 2048 || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(wanted))
    return start;
  const url = new URL(wanted, origin);
  const isOurs = url.origin === origin && (url.pathname === basePath || url.pathname.startsWith(start));
  // A normalised path may begin with two slashes again.
  return isOurs && !url.pathname.startsWith('//') ? url.pathname + url.search : start;
}
