/** An element as the XML parser reports it, namespaces resolved. */
export interface XmlTag {
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;
  readonly attributes: Record<string, XmlAttribute>;
}

interface XmlAttribute {
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

/**
 * The start tag of an element inside an XML literal, in exclusive canonical form: it declares the namespaces that it
 * uses visibly and that no element around it has declared (`rendered`, by prefix), then its attributes, both sorted.
 */
export function openLiteralTag(
  tag: XmlTag,
  rendered: ReadonlyMap<string, string> = new Map(),
): { text: string; rendered: ReadonlyMap<string, string> } {
  const attributes = Object.values(tag.attributes)
    .filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns')
    .sort((a, b) => compare(a.uri, b.uri) || compare(a.local, b.local));
  const used = new Map([[tag.prefix, tag.uri]]);
  for (const { prefix, uri } of attributes) if (prefix !== '') used.set(prefix, uri);
  used.delete('xml');
  const fresh = [...used].filter(([prefix, uri]) => (rendered.get(prefix) ?? '') !== uri);
  const declarations = fresh
    .sort(([a], [b]) => compare(a, b))
    .map(([prefix, uri]) => ` xmlns${prefix === '' ? '' : ':' + prefix}="${escapeValue(uri)}"`);
  const values = attributes.map(({ name, value }) => ` ${name}="${escapeValue(value)}"`);
  return {
    text: `<${tag.name}${declarations.join('')}${values.join('')}>`,
    rendered: new Map([...rendered, ...fresh]),
  };
}

function escapeValue(value: string): string {
  return value.replace(/[&<"\t\n\r]/g, (character) => valueEscapes[character] ?? character);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
