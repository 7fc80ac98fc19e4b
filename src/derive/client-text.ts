/** The width that the project's formatter allows: what is written here needs no formatting after. */
const WIDTH = 110;

/** A documentation comment; an empty text makes none. */
export function comment(text: string, indent = ''): string {
  const lines = text
    .replaceAll('*/', '*\\/')
    .split(/\s*\n\s*/)
    .filter((line) => line !== '');
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** A string literal in single quotes, or in double ones where that needs fewer escapes. */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  const [single, double] = ["'", '"'].map((quote) => inner.split(quote).length);
  const quote = single !== undefined && double !== undefined && single > double ? '"' : "'";
  return quote + inner.replaceAll(quote, '\\' + quote) + quote;
}

/** The key of a member: quoted only where it must be. */
export function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** A declaration `head` + union + `;`: on one line where it fits. */
export function union(head: string, members: readonly string[], indent = ''): string {
  const line = `${indent}${head} ${members.join(' | ')};\n`;
  if (line.length <= WIDTH + 1 || members.length < 2) return line;
  return `${indent}${head}\n${members.map((member) => `${indent}  | ${member}`).join('\n')};\n`;
}

/** `open` + items + `close`: on one line where it fits, else an item a line. */
export function fitted(
  open: string,
  items: readonly string[],
  close: string,
  { indent = '', inner = '' }: { indent?: string; inner?: string } = {},
): string {
  const line = `${indent}${open}${inner}${items.join(', ')}${inner}${close}\n`;
  if (line.length <= WIDTH + 1) return line;
  return `${indent}${open}\n${items.map((item) => `${indent}  ${item},\n`).join('')}${indent}${close}\n`;
}

/** A member `head` + type arguments + `;`: on one line where it fits. */
export function application(head: string, types: readonly string[], indent = ''): string {
  const line = `${indent}${head}<${types.join(', ')}>;\n`;
  if (line.length <= WIDTH + 1) return line;
  return `${indent}${head}<\n${types.map((type) => `${indent}  ${type}`).join(',\n')}\n${indent}>;\n`;
}
