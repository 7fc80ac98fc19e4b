import { percentEncode } from '../oauth/percent.js';
import { PathTemplate } from '../ontology/path-template.js';
import type { CallRow } from './api-model.js';

/** Parameters as a caller gives them. */
export type Parameters = Readonly<Record<string, unknown>>;

/**
 * The path of a call below the base URL, with its query. Several codes are joined as the container takes them.
 * @throws TypeError for a parameter that the call does not know, that is missing, or whose value cannot be sent
 */
export function addressOf(name: string, call: CallRow, parameters: Parameters): string {
  const template = PathTemplate.of(call.path);
  const inPath = template.parameters;
  for (const parameter of Object.keys(parameters)) {
    if (!inPath.includes(parameter) && !call.query.includes(parameter))
      throw new TypeError(`${name} has no parameter ${parameter}.`);
  }
  const values = inPath.map((parameter) => {
    const text = textOf(name, parameter, parameters[parameter]);
    // A URL takes `.` and `..` for steps, and would become the address of something else.
    if (text === undefined || text === '' || text === '.' || text === '..')
      throw new TypeError(`${name} needs a ${parameter}.`);
    return [parameter, encode(name, parameter, text)];
  });
  const path = template.fill(Object.fromEntries(values)) + template.slash;
  const query = call.query.flatMap((parameter) => {
    if (inPath.includes(parameter)) return [];
    const text = textOf(name, parameter, parameters[parameter]);
    return text === undefined ? [] : `${percentEncode(parameter)}=${encode(name, parameter, text)}`;
  });
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function textOf(name: string, parameter: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('|');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new TypeError(`${name} takes a text or a number as ${parameter}.`);
}

function encode(name: string, parameter: string, text: string): string {
  if (/\p{Surrogate}/u.test(text))
    throw new TypeError(`${name} cannot send half of a surrogate pair as ${parameter}.`);
  return percentEncode(text);
}
