import type { Ontology } from '../../model/ontology/model.js';
import { localName } from '../../model/ontology/term-names.js';
import { contextName } from '../../model/jsonld-context.js';

/** The width of the project's formatter, so that the output needs no formatting. */
const WIDTH = 110;

/** Writes a documentation comment; nothing for an empty text. */
export function comment(text: string, indent = ''): string {
  const lines = text
    .replaceAll('*/', '*\\/')
    .split(/\s*\n\s*/)
    .filter((line) => line !== '');
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** Writes a string literal, in the quotes that need fewer escapes. */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  const [single, double] = ["'", '"'].map((quote) => inner.split(quote).length);
  const quote = single !== undefined && double !== undefined && single > double ? '"' : "'";
  return quote + inner.replaceAll(quote, '\\' + quote) + quote;
}

/** Writes the key of a member, quoted only if necessary. */
export function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** Writes `head` + union + `;`, on one line if it fits. */
export function union(head: string, members: readonly string[], indent = ''): string {
  const line = `${indent}${head} ${members.join(' | ')};\n`;
  if (line.length <= WIDTH + 1 || members.length < 2) return line;
  return `${indent}${head}\n${members.map((member) => `${indent}  | ${member}`).join('\n')};\n`;
}

/** Writes `open` + items + `close`, on one line if it fits, else one item per line. */
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

/** Writes `head` + type arguments + `;`, on one line if it fits. */
export function application(head: string, types: readonly string[], indent = ''): string {
  const line = `${indent}${head}<${types.join(', ')}>;\n`;
  if (line.length <= WIDTH + 1) return line;
  return `${indent}${head}<\n${types.map((type) => `${indent}  ${type}`).join(',\n')}\n${indent}>;\n`;
}

/** Writes the row of a call or analysis in the table of requests. @param more further members, as source text */
export function callRow(
  name: string,
  { method, path, form }: { readonly method: string; readonly path: string; readonly form: string },
  lists: Readonly<Record<'query' | 'classes', readonly string[]>>,
  more: readonly string[] = [],
): string {
  const indent = '      ';
  return [
    `    ${key(name)}: {\n`,
    ...Object.entries({ method, path, form }).map(([each, text]) => `${indent}${each}: ${quoted(text)},\n`),
    fitted('query: [', lists.query.map(quoted), '],', { indent }),
    fitted('classes: [', lists.classes.map(quoted), '],', { indent }),
    ...more.map((each) => `${indent}${each},\n`),
    '    },\n',
  ].join('');
}

/** Assigns unique names that are valid in TypeScript. */
export class Names {
  readonly #taken: Set<string>;

  constructor(
    private readonly ontology: Pick<Ontology, 'prefixes'>,
    taken: Iterable<string>,
  ) {
    this.#taken = new Set(taken);
  }

  /** Returns the local name of a term; if taken, with its prefix or a number. */
  of(iri: string): string {
    const local = identifier(localName(iri));
    const whole = identifier(contextName(this.ontology, iri) ?? local);
    const free = [local, whole].find((name) => !this.#taken.has(name));
    return this.take(free ?? whole);
  }

  take(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count++) name = `${wanted}_${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** Makes an identifier: `family-name` becomes `family_name`. */
function identifier(text: string): string {
  const name = text.replace(/[^\p{L}\p{N}_]/gu, '_');
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}

/** Makes a type name: `get_lab_results` becomes `GetLabResults`. */
export function pascalCase(name: string): string {
  return identifier(name)
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
