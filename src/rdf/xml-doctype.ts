import { RdfLimitError, RdfSyntaxError } from './rdf-errors.js';

const MAX_NESTING = 16;
/** The most expanded text: this many times the document, plus the allowance. */
const MAX_GROWTH = 10;
const ALLOWANCE = 1_000_000;

const space = /\s+/y;
const comment = /<!--[^]*?-->/y;
const instruction = /<\?[^]*?\?>/y;
const ignored = /<!(?:ELEMENT|NOTATION)\s[^<>]*>/y;
const entity = /<!ENTITY\s+([\p{L}_:][\p{L}\p{N}\p{M}._:·-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>/uy;
const external = /<!ENTITY\s+(?:%\s*)?\S+\s+(?:SYSTEM|PUBLIC)\s/y;
const parameter = /<!ENTITY\s+%/y;

/**
 * Reads the internal general entities of a DOCTYPE (XML 1.0 §4.2). External identifiers, parameter entities and
 * attribute declarations are refused: they load something, or change what the document says.
 * @param doctype the text between `<!DOCTYPE` and its closing `>`
 * @throws RdfSyntaxError
 */
export function readEntities(doctype: string): Map<string, string> {
  const parts = /^\s*[^\s[>]+\s*(?:\[([^]*)\]\s*)?$/.exec(doctype);
  if (!parts) throw new RdfSyntaxError('the DOCTYPE refers to another document, which is never loaded');
  const subset = parts[1] ?? '';
  const entities = new Map<string, string>();
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(subset);
    if (found) at = pattern.lastIndex;
    return found;
  };
  while (at < subset.length) {
    if (take(space) ?? take(comment) ?? take(instruction) ?? take(ignored)) continue;
    if (take(external)) throw new RdfSyntaxError('external entities are never loaded');
    if (take(parameter) || subset[at] === '%')
      throw new RdfSyntaxError('parameter entities are not supported');
    const found = take(entity);
    if (!found) throw new RdfSyntaxError('the DOCTYPE holds a declaration that is not supported');
    const [, name = '', double, single] = found;
    // The first declaration binds (XML 1.0 §4.2).
    if (!entities.has(name)) entities.set(name, double ?? single ?? '');
  }
  return entities;
}

const reference = /&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|([^;&\s]+));/g;
/** XML 1.0 §4.6: declaring these changes nothing. */
export const predefined: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['apos', "'"],
  ['quot', '"'],
]);

/**
 * Expands entity references within one budget: ten times the `length` of the document plus a million characters. The
 * function throws RdfLimitError beyond that or 16 levels, RdfSyntaxError for unknown entities and those with markup.
 */
export function createExpander(
  entities: ReadonlyMap<string, string>,
  length: number,
): (name: string) => string {
  const known = new Map<string, string>();
  let left = MAX_GROWTH * length + ALLOWANCE;
  const spend = (text: string): string => {
    left -= text.length;
    if (left < 0) throw new RdfLimitError('entities expand to too much text');
    return text;
  };
  const expand = (name: string, depth: number): string => {
    if (depth > MAX_NESTING)
      throw new RdfLimitError('entities refer to each other too deeply, or to themselves');
    const done = known.get(name);
    if (done !== undefined) return done;
    const declared = entities.get(name);
    if (declared === undefined) throw new RdfSyntaxError(`the entity &${name}; is not declared`);
    // XML 1.0 §4.5: character references are replaced in the declaration, entity references where the text is used.
    const replacement = declared.replace(reference, (all, hex?: string, decimal?: string) =>
      hex === undefined && decimal === undefined ? all : spend(characterOf(hex, decimal)),
    );
    if (replacement.includes('<'))
      throw new RdfSyntaxError(`the entity &${name}; holds markup, which is not supported`);
    const text = replacement.replace(reference, (_, hex?: string, decimal?: string, inner = '') => {
      if (hex !== undefined || decimal !== undefined) return spend(characterOf(hex, decimal));
      return spend(predefined.get(inner) ?? expand(inner, depth + 1));
    });
    known.set(name, text);
    return text;
  };
  return (name) => spend(expand(name, 1));
}

function characterOf(hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
  if (!(code <= 0x10ffff))
    throw new RdfSyntaxError(`&#${hex === undefined ? '' : 'x'}${hex ?? decimal}; is no character`);
  return String.fromCodePoint(code);
}
