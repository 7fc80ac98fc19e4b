import { SaxesParser, type SaxesTagNS } from 'saxes';
import { xhtml } from '../../../rdf/vocabulary.js';

/**
 * Returns the problem of a narrative's XHTML as a sentence; undefined if there is none. It must be one well-formed
 * `div` (FHIR R4 Narrative.div) with HTML formatting and nothing that runs, loads or submits anything (txt-1), and it
 * must not be empty (txt-2).
 */
export function narrativeFault(div: string): string | undefined {
  try {
    parse(div);
    return undefined;
  } catch (error) {
    if (error instanceof NarrativeFault) return error.message;
    throw error;
  }
}

/** Thrown from the parser to stop it. */
class NarrativeFault extends Error {}

function parse(div: string): void {
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  let says = false;
  const hear = (text: string): void => {
    says ||= /\S/u.test(text);
  };
  parser.on('error', (error) => refuse(`The XHTML is not well-formed: ${reasonOf(error)}.`));
  parser.on('doctype', () => refuse('A narrative has no document type declaration.'));
  parser.on('processinginstruction', () => refuse('A narrative has no processing instructions.'));
  parser.on('opentag', (tag) => {
    if (depth === 0) checkRoot(tag);
    if (++depth > MAX_DEPTH) refuse(`The elements of the narrative nest deeper than ${MAX_DEPTH}.`);
    checkElement(tag);
    says ||= tag.local === 'img';
  });
  parser.on('closetag', () => depth--);
  parser.on('text', hear);
  parser.on('cdata', hear);
  parser.write(div).close();
  if (!says) refuse('The narrative holds no text.');
}

/** Limited because the parser looks up a namespace through all open elements. */
const MAX_DEPTH = 200;

/** saxes puts the position in front: `1:20: unexpected close tag.` */
function reasonOf(error: Error): string {
  return error.message.replace(/^(\d+):(\d+): (.*?)\.?$/su, '$3 (line $1, column $2)');
}

function checkRoot({ local, uri }: SaxesTagNS): void {
  if (local !== 'div') refuse(`A narrative is a <div>, not a <${local}>.`);
  if (uri !== xhtml) refuse(`The <div> of a narrative is in the namespace ${xhtml}.`);
}

function checkElement({ local, name: element, uri, attributes }: SaxesTagNS): void {
  if (uri !== xhtml || !isAllowedElement(local)) refuse(`A narrative cannot hold <${element}>.`);
  for (const [name, { value }] of Object.entries(attributes)) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) continue;
    if (!isAllowedAttribute(local, name))
      refuse(`A narrative cannot hold the attribute "${name}" of <${local}>.`);
    if (urlAttributes.has(name) && !isSafeUrl(value))
      refuse(`The "${name}" of <${local}> would run a program.`);
    if (name === 'style' && !isSafeStyle(value))
      refuse(`The style of <${local}> would load or run something.`);
  }
}

function refuse(sentence: string): never {
  // Names and attributes can have any length.
  throw new NarrativeFault(sentence.length > 300 ? `${sentence.slice(0, 298)}….` : sentence);
}

/** The formatting elements of HTML 4.0 that FHIR R4 lets a narrative use (Narrative, txt-1). */
// prettier-ignore
const elements = new Set([
  'a', 'abbr', 'acronym', 'address', 'b', 'bdo', 'big', 'blockquote', 'br', 'caption', 'cite', 'code', 'col', 'colgroup', 'dd',
  'del', 'dfn', 'div', 'dl', 'dt', 'em', 'font', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'map',
  'area', 'ol', 'p', 'pre', 'q', 's', 'samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'table', 'tbody', 'td', 'tfoot',
  'th', 'thead', 'tr', 'tt', 'u', 'ul', 'var',
]);

// prettier-ignore
const general = new Set([
  'class', 'dir', 'id', 'lang', 'xml:lang', 'xml:space', 'style', 'title', 'accesskey', 'tabindex', 'align', 'valign', 'width',
  'height', 'bgcolor', 'color', 'role',
]);

const table = ['border', 'cellpadding', 'cellspacing', 'frame', 'rules', 'summary'];
const cell = ['abbr', 'axis', 'char', 'charoff', 'colspan', 'headers', 'nowrap', 'rowspan', 'scope'];
const column = ['char', 'charoff', 'span'];
const section = ['char', 'charoff'];
const edit = ['cite', 'datetime'];

const own: Readonly<Record<string, readonly string[]>> = {
  a: ['charset', 'coords', 'href', 'hreflang', 'name', 'rel', 'rev', 'shape', 'target', 'type'],
  area: ['alt', 'coords', 'href', 'nohref', 'shape', 'target'],
  blockquote: ['cite'],
  br: ['clear'],
  col: column,
  colgroup: column,
  del: edit,
  font: ['face', 'size'],
  hr: ['noshade', 'size'],
  img: ['alt', 'border', 'hspace', 'ismap', 'longdesc', 'name', 'src', 'usemap', 'vspace'],
  ins: edit,
  li: ['type', 'value'],
  map: ['name'],
  ol: ['compact', 'start', 'type'],
  q: ['cite'],
  table,
  tbody: section,
  td: cell,
  tfoot: section,
  th: cell,
  thead: section,
  tr: section,
  ul: ['compact', 'type'],
};

/** Attributes whose values are followed or loaded. */
const urlAttributes: ReadonlySet<string> = new Set(['cite', 'href', 'longdesc', 'src', 'usemap']);

function isAllowedElement(name: string): boolean {
  return elements.has(name);
}

/** None of them handles events: no list has a name that begins with `on`. */
function isAllowedAttribute(element: string, name: string): boolean {
  return general.has(name) || (Object.hasOwn(own, element) && (own[element]?.includes(name) ?? false));
}

/** Browsers remove control characters and white space before they read the scheme. */
function isSafeUrl(value: string): boolean {
  const plain = value.replace(/[\s\p{C}]/gu, '').toLowerCase();
  const scheme = /^([a-z][a-z0-9+.-]*):/u.exec(plain)?.[1];
  if (scheme === undefined) return true;
  // A picture may be inline, but not a document that could run a script.
  if (scheme === 'data') return /^data:image\/(?:png|gif|jpe?g|webp|bmp)[;,]/u.test(plain);
  return !['javascript', 'vbscript', 'livescript', 'mocha'].includes(scheme);
}

/** CSS that loads nothing and runs nothing. Backslashes could hide both. */
export function isSafeStyle(value: string): boolean {
  // An unclosed comment runs to the end and stays, so the search for an end stops there.
  const plain = value
    .replace(/\/\*[^]*?(\*\/|$)/gu, (comment, end) => (end === '' ? comment : ''))
    .toLowerCase();
  return !/\\|url\s*\(|expression\s*\(|@import|javascript:|behavior\s*:|-moz-binding/u.test(plain);
}
