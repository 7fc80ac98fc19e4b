/**
 * The URL of a text as browsers read it (WHATWG URL), or undefined where it is none. `URL.canParse` is not asked: once it
 * is compiled, that of Node.js 20 takes the bytes of a text in Latin-1 for UTF-8, and says yes to what `new URL` refuses.
 * @param base what a relative reference is resolved against
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
