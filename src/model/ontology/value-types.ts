import { isoDatePattern } from '../../rdf/iso-date.js';

/** A JSON Schema (draft 2020-12) of a value in a path or a query. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** The most codes per filter: the engine compares them one by one, and thousands overflow its stack. */
export const MAX_CODES = 200;

interface ValueTypeFacts {
  readonly schema: ValueSchema;
  /** The name under which OpenAPI describes it once, instead of at every parameter. */
  readonly shared?: { readonly name: string; readonly description: string };
  readonly label: string;
  readonly hint: string;
  /** Its TypeScript type when no choices are listed. */
  readonly clientType: string;
  /**
   * The order of patterns in a query: engines follow the text, so the most selective come first. A whole text is
   * rarer than the beginning of a name, and that is rarer than one of a few choices.
   */
  readonly rank: number;
}

const plainText = { schema: { type: 'string' }, clientType: 'string' } as const;

/** How values of parameters and filters are read (cg:valueType); `records/lists/` has a reader for each. */
export const valueTypeFacts = {
  text: {
    ...plainText,
    label: 'text',
    hint: 'The whole text.',
    rank: 0,
  },
  name: {
    ...plainText,
    label: 'beginning of a name',
    hint: 'The beginning of a name, in any case.',
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
      pattern: `^[A-Za-z0-9._~-]{1,64}([|][A-Za-z0-9._~-]{1,64}){0,${MAX_CODES - 1}}$`,
    },
    shared: {
      name: 'Codes',
      description: `The identifier of a code, or up to ${MAX_CODES} separated by a vertical bar.`,
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
  choice: {
    ...plainText,
    label: 'choice',
    hint: '',
    rank: 5,
  },
} as const satisfies Readonly<Record<string, ValueTypeFacts>>;

export type ValueType = keyof typeof valueTypeFacts;

export const valueTypes = Object.keys(valueTypeFacts) as ValueType[];

export function factsOfType(type: ValueType): ValueTypeFacts {
  return valueTypeFacts[type];
}
