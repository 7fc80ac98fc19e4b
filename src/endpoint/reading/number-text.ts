/**
 * How numbers were written, where JavaScript would write them otherwise: `1.00`, `1e3`. FHIR's decimals have a
 * precision ("implementations SHALL preserve it"), which a number cannot hold, so it is kept beside the object.
 */
const texts = new WeakMap<object, Map<string, string>>();

/** Keeps the text of `holder[key]`, unless the number says it all. */
export function keepNumberText(holder: object, key: string, text: string, value: number): void {
  if (String(value) === text) return;
  const own = texts.get(holder) ?? new Map<string, string>();
  own.set(key, text);
  texts.set(holder, own);
}

/** The text of the number `holder[key]` as it was read; as JavaScript writes it when it was set by a program. */
export function numberText(holder: object, key: string, value: number): string {
  const text = texts.get(holder)?.get(key);
  if (text !== undefined && Number(text) === value) return text;
  return Object.is(value, -0) ? '-0' : String(value);
}
