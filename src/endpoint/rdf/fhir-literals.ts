import { literal, namedNode, type Literal } from '../../rdf/terms.js';
import { xsd } from '../../rdf/vocabulary.js';

/** The datatypes of literals by FHIR's datatypes (R4 RDF, "Representing Primitive Elements"); all others are strings. */
const datatypes: Readonly<Record<string, (text: string) => string>> = {
  base64Binary: () => xsd.base64Binary,
  boolean: () => xsd.boolean,
  date: ofDate,
  dateTime: ofDate,
  decimal: ofNumber,
  instant: ofDate,
  integer: () => xsd.integer,
  positiveInt: () => xsd.integer,
  time: () => xsd.time,
  unsignedInt: () => xsd.integer,
};

/** The literal of a primitive value; without a type one that its kind in JSON says enough of. */
export function literalOf(value: string | boolean | number, text: string, type?: string): Literal {
  if (type !== undefined) {
    const datatype = datatypes[type]?.(text);
    return literal(text, datatype === undefined ? undefined : namedNode(datatype));
  }
  if (typeof value === 'string') return literal(text);
  if (typeof value === 'boolean') return literal(text, namedNode(xsd.boolean));
  return literal(text, namedNode(/[.eE]/u.test(text) ? ofNumber(text) : xsd.integer));
}

/** What a literal is in JSON, by FHIR's datatype or else by its own. */
export function jsonKind({ datatype }: Literal, type: string | undefined): 'string' | 'boolean' | 'number' {
  if (type !== undefined) return kinds.get(type) ?? 'string';
  if (datatype.value === xsd.boolean) return 'boolean';
  return numeric.has(datatype.value) ? 'number' : 'string';
}

const kinds = new Map<string, 'boolean' | 'number'>([
  ['boolean', 'boolean'],
  ['decimal', 'number'],
  ['integer', 'number'],
  ['positiveInt', 'number'],
  ['unsignedInt', 'number'],
]);
const numeric: ReadonlySet<string> = new Set([xsd.integer, xsd.decimal, xsd.double]);

/** xsd:decimal has no exponent. */
function ofNumber(text: string): string {
  return /[eE]/u.test(text) ? xsd.double : xsd.decimal;
}

/** A partial date has the datatype of its precision. */
function ofDate(text: string): string {
  if (text.includes('T')) return xsd.dateTime;
  return { 4: xsd.gYear, 7: xsd.gYearMonth }[text.length] ?? xsd.date;
}
