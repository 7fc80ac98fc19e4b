/** RFC 8187 §3.2.1: what stands in an extended value as it is. */
const EXTENDED_PLAIN = /[A-Za-z0-9!#$&+.^_`|~-]/;

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
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${extended(name)}`;
}

function extended(name: string): string {
  return [...Buffer.from(name, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return byte < 0x80 && EXTENDED_PLAIN.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
