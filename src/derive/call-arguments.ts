import type { CallModel, FilterModel, Ontology, ParameterModel, ValueType } from '../ontology/model.js';
import { answeredFormats } from '../rdf/formats.js';
import { LARGEST_PAGE } from '../records/lists/page.js';

/** A JSON Schema (draft 2020-12) of a value in a path or a query. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** Something that a request says in its path or its query. */
export interface Argument {
  readonly name: string;
  readonly in: 'path' | 'query';
  /** `filter` narrows a list, `parameter` does anything else; `path` is part of the address. */
  readonly role: 'path' | 'parameter' | 'filter';
  readonly comment: string;
  readonly valueType: ValueType;
  readonly schema: ValueSchema;
}

/** What each type of value looks like on the wire. */
export const valueSchemas: Readonly<Record<ValueType, ValueSchema>> = {
  text: { type: 'string' },
  name: { type: 'string' },
  date: {
    type: 'string',
    pattern:
      '^\\d{4}(-\\d{2}(-\\d{2}(T\\d{2}(:\\d{2}(:\\d{2}([.,]\\d+)?)?)?(Z|[+-]\\d{2}(:?\\d{2})?)?)?)?)?$',
    examples: ['2010', '2010-06', '2010-06-15', '2010-06-15T10:30:00Z'],
  },
  code: { type: 'string', pattern: '^[A-Za-z0-9._~-]{1,64}([|][A-Za-z0-9._~-]{1,64})*$' },
  integer: { type: 'integer', minimum: 0 },
  choice: { type: 'string' },
};

/** Bounds that the container sets and the ontology only tells of in words. */
const bounds: Readonly<Record<string, ValueSchema>> = { limit: { minimum: 1, maximum: LARGEST_PAGE } };

/** What is known of names in paths; any other one is the identifier of what the call is about. */
const pathComments: Readonly<Record<string, string>> = {
  record_id: 'The record. Calls of the record scope take the one that the access token was given for.',
  user_id: 'The user.',
  smart_app_id: 'The app. It writes only what is its own.',
  descriptor: 'The id of the app.',
};

/** Everything that a request of a call may say in its path and query, in the order in which it is explained. */
export function argumentsOf(call: CallModel, ontology: Pick<Ontology, 'classes'>): Argument[] {
  const label = ontology.classes.get(call.target)?.label ?? 'resource';
  return [
    ...call.pathParameters.map((name): Argument => ({
      name,
      in: 'path',
      role: 'path',
      comment: pathComments[name] ?? `Which ${label.toLowerCase()}: the last part of its IRI.`,
      valueType: 'text',
      schema: { type: 'string', minLength: 1, maxLength: 128 },
    })),
    ...call.parameters.map((model) => queryArgument(model, 'parameter')),
    ...(answersWithGraphs(call) ? [formatArgument] : []),
    ...call.filters.map((model) => queryArgument(model, 'filter')),
  ];
}

/** Whether a call can be answered with a graph, and so in every serialisation. */
export function answersWithGraphs({ answer }: CallModel): boolean {
  return answer === 'rdf' || answer === 'document';
}

const formatArgument: Argument = {
  name: '_format',
  in: 'query',
  role: 'parameter',
  comment: 'The serialisation, for callers that cannot set Accept. It counts more than Accept.',
  valueType: 'choice',
  schema: { type: 'string', enum: [...answeredFormats] },
};

function queryArgument(model: ParameterModel | FilterModel, role: 'parameter' | 'filter'): Argument {
  const { name, valueType, comment } = model;
  const choices = 'choices' in model ? model.choices : [];
  return {
    name,
    in: 'query',
    role,
    comment,
    valueType,
    schema: {
      ...valueSchemas[valueType],
      ...(valueType === 'integer' ? bounds[name] : {}),
      ...(choices.length > 0 ? { enum: choices } : {}),
    },
  };
}
