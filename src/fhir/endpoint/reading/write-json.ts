/**
 * Writes a value as JSON. Numbers read from JSON or RDF keep their text: `1.00` stays `1.00`, which `JSON.stringify`
 * cannot do. Undefined properties are left out.
 * @param indent spaces per level; 0, the default, writes one line
 */
export function writeJson(value: unknown, indent = 0): string {
  return indent === 0 ? written(value, '', '') : written(value, '\n', ' '.repeat(indent));
}

function written(value: unknown, newline: string, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = newline + indent;
  const item = (holder: object, key: string, member: unknown): string =>
    typeof member === 'number' && Number.isFinite(Number(numberText(holder, key, member)))
      ? numberText(holder, key, member)
      : written(member, inner, indent);
  const [open, close, items] = Array.isArray(value)
    ? ['[', ']', value.map((member, index) => item(value, String(index), member))]
    : [
        '{',
        '}',
        Object.entries(value)
          .filter(([, member]) => member !== undefined)
          .map(([key, member]) => `${JSON.stringify(key)}:${indent && ' '}${item(value, key, member)}`),
      ];
  return items.length === 0 ? open + close : open + inner + items.join(`,${inner}`) + newline + close;
}

/**
 * The texts of numbers that JavaScript would write otherwise: `1.00`, `1e3`. FHIR's decimals have a precision
 * ("implementations SHALL preserve it"), which a number cannot hold, so it is stored beside the object.
 */
const texts = new WeakMap<object, Map<string, string>>();

/** Keeps the text of `holder[key]`, unless JavaScript would write the same. */
export function keepNumberText(holder: object, key: string, text: string, value: number): void {
  if (String(value) === text) return;
  const own = texts.get(holder) ?? new Map<string, string>();
  own.set(key, text);
  texts.set(holder, own);
}

/** Returns the text of the number `holder[key]` as read, or, if a program set it, as JavaScript writes it. */
export function numberText(holder: object, key: string, value: number): string {
  const text = texts.get(holder)?.get(key);
  if (text !== undefined && Number(text) === value) return text;
  return Object.is(value, -0) ? '-0' : String(value);
}
