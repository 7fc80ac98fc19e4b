/** An element as the XML parser reports it, namespaces resolved. */
export interface XmlTag {
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;
  readonly attributes: Record<string, XmlAttribute>;
}

export interface XmlAttribute {
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;
  readonly value: string;
}

const textEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#xD;',
};
const valueEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** Text inside an XML literal (Canonical XML 1.0 §2.3). */
export function escapeLiteralText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => textEscapes[character] ?? character);
}

/** Namespaces that an element of a literal has declared, by prefix, and what those around it have. */
export interface Rendered {
  readonly own: ReadonlyMap<string, string>;
  readonly around: Rendered | undefined;
}

/**
 * The start tag of an element inside an XML literal, in exclusive canonical form: it declares the namespaces that it
 * uses visibly and that no element around it has declared (`around`), then its attributes, both sorted.
 */
export function openLiteralTag(
  tag: XmlTag,
  around?: Rendered,
): { text: string; rendered: Rendered | undefined } {
  const attributes = Object.values(tag.attributes)
    .filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns')
    .sort((a, b) => compare(a.uri, b.uri) || compare(a.local, b.local));
  const used = new Map([[tag.prefix, tag.uri]]);
  for (const { prefix, uri } of attributes) if (prefix !== '') used.set(prefix, uri);
  used.delete('xml');
  const fresh = [...used].filter(([prefix, uri]) => (declaredAs(prefix, around) ?? '') !== uri);
  const declarations = fresh
    .sort(([a], [b]) => compare(a, b))
    .map(([prefix, uri]) => ` xmlns${prefix === '' ? '' : ':' + prefix}="${escapeValue(uri)}"`);
  const values = attributes.map(({ name, value }) => ` ${name}="${escapeValue(value)}"`);
  return {
    text: `<${tag.name}${declarations.join('')}${values.join('')}>`,
    rendered: fresh.length === 0 ? around : { own: new Map(fresh), around },
  };
}

/** Elements nest to a limit, but each may declare thousands: they are looked up outwards and never copied. */
function declaredAs(prefix: string, rendered: Rendered | undefined): string | undefined {
  for (let level = rendered; level; level = level.around) {
    const uri = level.own.get(prefix);
    if (uri !== undefined) return uri;
  }
  return undefined;
}

function escapeValue(value: string): string {
  return value.replace(/[&<"\t\n\r]/g, (character) => valueEscapes[character] ?? character);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
