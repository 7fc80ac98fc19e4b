/** An element as the XML parser reports it, with namespaces resolved. */
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

/** Escapes text inside an XML literal (Canonical XML 1.0 §2.3). */
export function escapeLiteralText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => textEscapes[character] ?? character);
}

/** The namespaces that an element of a literal declares, by prefix, and those of the elements around it. */
export interface Rendered {
  readonly own: ReadonlyMap<string, string>;
  readonly around: Rendered | undefined;
}

/**
 * Writes the start tag of an element inside an XML literal in exclusive canonical form: first the namespaces that it
 * visibly uses and that no element `around` it declares, then its attributes, both sorted.
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

/** Looks outwards without copying: nesting is limited, but each element may declare thousands. */
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
