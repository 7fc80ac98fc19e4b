/** What a JSON object is read as. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value that JSON can hold is an object: neither an array nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
