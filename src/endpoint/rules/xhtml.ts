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
export const urlAttributes: ReadonlySet<string> = new Set(['cite', 'href', 'longdesc', 'src', 'usemap']);

export function isAllowedElement(name: string): boolean {
  return elements.has(name);
}

/** None of them handles events: what begins with `on` is in no list. */
export function isAllowedAttribute(element: string, name: string): boolean {
  return general.has(name) || (Object.hasOwn(own, element) && (own[element]?.includes(name) ?? false));
}

/** Browsers leave control characters and white space out before they look at the scheme. */
export function isSafeUrl(value: string): boolean {
  const plain = value.replace(/[\s\p{C}]/gu, '').toLowerCase();
  const scheme = /^([a-z][a-z0-9+.-]*):/u.exec(plain)?.[1];
  if (scheme === undefined) return true;
  // A picture may be inlined, but not as a document that could run a script.
  if (scheme === 'data') return /^data:image\/(?:png|gif|jpe?g|webp|bmp)[;,]/u.test(plain);
  return !['javascript', 'vbscript', 'livescript', 'mocha'].includes(scheme);
}

/** CSS that loads nothing and runs nothing. Backslashes could hide both. */
export function isSafeStyle(value: string): boolean {
  // A comment that is not closed goes to the end, and stays: each of many is not looked for an end of its own.
  const plain = value
    .replace(/\/\*[^]*?(\*\/|$)/gu, (comment, end) => (end === '' ? comment : ''))
    .toLowerCase();
  return !/\\|url\s*\(|expression\s*\(|@import|javascript:|behavior\s*:|-moz-binding/u.test(plain);
}
