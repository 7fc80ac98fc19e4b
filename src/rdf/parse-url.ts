/**
 * Parses a URL as browsers do (WHATWG URL); undefined for a malformed one. `URL.canParse` of Node.js 20, once
 * compiled, reads Latin-1 as UTF-8 and accepts URLs that `new URL` refuses.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
