import { numberText } from './number-text.js';

/**
 * Writes a value as JSON. Numbers that were read, from JSON or from RDF, keep their text: `1.00` stays `1.00`, which
 * `JSON.stringify` cannot do. Undefined properties are left out.
 * @param indent spaces for each level; 0, the default, writes one line
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
