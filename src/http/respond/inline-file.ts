import { encodeExtended } from 'content-disposition';

/**
 * A Content-Disposition (RFC 6266) that names a file: an ASCII form for old clients, and the name itself in UTF-8.
 * A path keeps its last part only; control and direction characters, which make a name look like another one, and what
 * file systems give a meaning to, become underscores.
 */
export function inlineAs(fileName: string): string {
  const last = fileName.split(/[/\\]/).pop() ?? '';
  const name = last
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu, '_')
    .slice(0, 200)
    .toWellFormed();
  if (/^\.*$/.test(name)) return 'inline';
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 ._()-]/g, '_');
  const plain = `inline; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=${extended(name)}`;
}

/** RFC 8187 §3.2.1: an apostrophe parts charset and language from the text, so it cannot stand in it. */
function extended(name: string): string {
  const start = "UTF-8''";
  return start + encodeExtended(name).slice(start.length).replaceAll("'", '%27');
}
