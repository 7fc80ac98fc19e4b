import { factsOf } from '../../model/ontology/answer-forms.js';
import type { CallModel, FilterModel, Ontology, ParameterModel } from '../../model/ontology/model.js';
import { AT, AT_COMMENT, hasPast } from '../../model/ontology/call-facts.js';
import { valueTypeFacts, type ValueSchema, type ValueType } from '../../model/ontology/value-types.js';
import { answeredFormats } from '../../rdf/formats.js';
import { LARGEST_PAGE } from '../../records/lists/page-limits.js';

export interface Argument {
  readonly name: string;
  readonly in: 'path' | 'query';
  /** `filter` narrows a list, `path` is part of the address, `parameter` is anything else. */
  readonly role: 'path' | 'parameter' | 'filter';
  readonly comment: string;
  readonly valueType: ValueType;
  readonly schema: ValueSchema;
}

/** Limits that the container sets, and the ontology only describes in words. */
const bounds: Readonly<Record<string, ValueSchema>> = { limit: { minimum: 1, maximum: LARGEST_PAGE } };

/** Names in paths; any other is the identifier of the resource. */
const pathComments: Readonly<Record<string, string>> = {
  record_id: 'The record. Calls of the record scope take the one that the access token was given for.',
  user_id: 'The user.',
  smart_app_id: 'The app. It writes only what is its own.',
  descriptor: 'The id of the app.',
  app_id: 'The background app, which signs without a token.',
  file: 'The number of the file.',
};

/** Returns everything that may be in the path and query of a call, in the order of explanation. */
export function argumentsOf(call: CallModel, ontology: Pick<Ontology, 'classes'>): Argument[] {
  const label = ontology.classes.get(call.target)?.label ?? 'resource';
  const { graphs, types } = factsOf(call);
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
    ...(graphs ? [formatArgument(types.includes('application/json') ? ['json'] : [])] : []),
    ...(hasPast(call) ? [atArgument] : []),
    ...call.filters.map((model) => queryArgument(model, 'filter')),
  ];
}

/** @param others formats in addition to those of graphs */
const formatArgument = (others: readonly string[]): Argument => ({
  name: '_format',
  in: 'query',
  role: 'parameter',
  comment: 'The serialisation, for callers that cannot set Accept. It counts more than Accept.',
  valueType: 'choice',
  schema: { type: 'string', enum: [...answeredFormats, ...others] },
});

const atArgument: Argument = {
  name: AT,
  in: 'query',
  role: 'parameter',
  comment: AT_COMMENT,
  valueType: 'text',
  schema: { type: 'string', format: 'date-time' },
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
      ...valueTypeFacts[valueType].schema,
      ...(valueType === 'integer' ? bounds[name] : {}),
      ...(choices.length > 0 ? { enum: choices } : {}),
    },
  };
}
