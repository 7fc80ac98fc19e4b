import { isoDatePattern } from '../rdf/iso-date.js';

/** A JSON Schema (draft 2020-12) of a value in a path or a query. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** So many codes one filter takes: the engine compares them one by one, and a list of thousands overflows its stack. */
export const MOST_CODES = 200;

/** What is known of a type of values. */
interface ValueTypeFacts {
  /** What it looks like on the wire. */
  readonly schema: ValueSchema;
  /** Under this name OpenAPI describes it once, instead of at every parameter. */
  readonly shared?: { readonly name: string; readonly description: string };
  /** For people, in a table. */
  readonly label: string;
  /** What a program that calls has to know of it. */
  readonly hint: string;
  /** Its type in TypeScript, where no choices are listed. */
  readonly clientType: string;
  /**
   * Which patterns come first in a query: the engine follows the text, so those that leave the least lead. A whole text
   * is rarer than the beginning of a name, and that is rarer than one of a few choices.
   */
  readonly rank: number;
}

/** How a value of a parameter or filter is read (cg:valueType); `records/lists/` has a reader for each. */
export const valueTypeFacts = {
  text: {
    schema: { type: 'string' },
    label: 'text',
    hint: 'The whole text.',
    clientType: 'string',
    rank: 0,
  },
  /** A folded beginning of a name. */
  name: {
    schema: { type: 'string' },
    label: 'beginning of a name',
    hint: 'The beginning of a name, in any case.',
    clientType: 'string',
    rank: 4,
  },
  date: {
    schema: {
      type: 'string',
      pattern: isoDatePattern,
      examples: ['2010', '2010-06', '2010-06-15', '2010-06-15T10:30:00Z'],
    },
    shared: {
      name: 'PartialDate',
      description: 'A date of ISO 8601, perhaps a part of one: it then means a period.',
    },
    label: 'date, whole or partial',
    hint: 'ISO 8601; a year or a month alone will do.',
    clientType: 'string',
    rank: 1,
  },
  code: {
    schema: {
      type: 'string',
      pattern: `^[A-Za-z0-9._~-]{1,64}([|][A-Za-z0-9._~-]{1,64}){0,${MOST_CODES - 1}}$`,
    },
    shared: {
      name: 'Codes',
      description: `The identifier of a code, or up to ${MOST_CODES} separated by a vertical bar.`,
    },
    label: 'code, or codes separated by |',
    hint: 'The identifier of a code, or of several.',
    clientType: 'string | readonly string[]',
    rank: 2,
  },
  integer: {
    schema: { type: 'integer', minimum: 0 },
    label: 'whole number',
    hint: 'A whole number.',
    clientType: 'number',
    rank: 3,
  },
  /** One of a list (cg:choice). */
  choice: {
    schema: { type: 'string' },
    label: 'choice',
    hint: '',
    clientType: 'string',
    rank: 5,
  },
} as const satisfies Readonly<Record<string, ValueTypeFacts>>;

export type ValueType = keyof typeof valueTypeFacts;

export const valueTypes = Object.keys(valueTypeFacts) as ValueType[];

/** What is known of a type of values. */
export function factsOfType(type: ValueType): ValueTypeFacts {
  return valueTypeFacts[type];
}
