import { factsOf, graphTypes } from '../../model/ontology/answer-forms.js';
import type { CallModel } from '../../model/ontology/model.js';
import { EVENTS } from '../../model/ontology/service-forms.js';
import { factsOfType, valueTypes, type ValueSchema } from '../../model/ontology/value-types.js';
import type { JsonObject } from '../../rdf/json-object.js';
import type { Exchange } from '../client-source/call-answers.js';
import type { Argument } from '../client-source/call-arguments.js';
import type { CallDoc } from '../docs-model/documentation.js';
import type { CallExample } from '../examples/example.js';
import type { Sample } from '../examples/sample.js';
import type { OpenApiSource } from './openapi.js';
import { problemResponses } from './problems.js';
import { securityOf } from './security.js';
import { serviceExchangeOf, type ServiceExchange } from './service-exchanges.js';

export interface OperationSource extends Pick<OpenApiSource, 'documentation' | 'base' | 'containerAccess'> {
  readonly example: CallExample | undefined;
}

/** Makes the operation of a call (OpenAPI 3.1 §4.8.10). */
export function operationOf(doc: CallDoc, source: OperationSource): JsonObject {
  const { call, place, exchange } = doc;
  const { documentation, base, example } = source;
  const service = serviceExchangeOf(call);
  return {
    operationId: call.name,
    tags: [documentation.ontology.classes.get(call.target)?.label ?? 'Other'],
    summary: call.label,
    ...(call.comment !== '' && { description: call.comment }),
    externalDocs: { url: `${base}/docs/${place.page}` },
    'x-call': call.iri,
    'x-target': call.target,
    'x-scope': call.scope,
    security: securityOf(call, source.containerAccess),
    parameters: [
      ...doc.arguments.map((argument) => parameterOf(argument, example)),
      ...exchange.headers.map(headerOf),
    ],
    ...(exchange.bodies.length > 0 && { requestBody: bodyOf(exchange.bodies, example, service?.body) }),
    responses: {
      ...(service ? servedOf(doc, service) : { '200': successOf(doc, example) }),
      ...(call.method === 'GET' &&
        factsOf(call).tagged && { 304: { description: 'What the caller has is still current.' } }),
      ...problemResponses(exchange.problems),
    },
  };
}

function parameterOf(argument: Argument, example: CallExample | undefined): JsonObject {
  const { name, in: place, comment } = argument;
  const value = place === 'path' ? example?.request.path[name] : undefined;
  return {
    name,
    in: place,
    description: comment,
    ...(place === 'path' && { required: true }),
    schema: valueSchema(argument),
    ...(value !== undefined && { example: value }),
  };
}

const headerOf = ({ name, comment }: Exchange['headers'][number]): JsonObject => ({
  name,
  in: 'header',
  description: comment,
  schema: { type: 'string' },
});

const contentOf = (types: readonly string[], of: (type: string) => JsonObject): JsonObject =>
  Object.fromEntries(types.map((type) => [type, of(type)]));

function bodyOf(
  types: readonly string[],
  example: CallExample | undefined,
  { schema, isOptional = false }: NonNullable<ServiceExchange['body']> = {},
): JsonObject {
  const sent = example?.request.body;
  const content = contentOf(types, (type) => {
    const isSent = sent !== undefined && (type === sent.mediaType || type === '*/*');
    return { schema: schemaOf(type, schema), ...(isSent && { example: sent.text }) };
  });
  return { required: !isOptional, content };
}

/** @param headers fields in addition to the entity tag, with descriptions */
function answerOf(
  call: CallModel,
  description: string,
  headers: Readonly<Record<string, string>>,
  content: JsonObject,
): JsonObject {
  const all = { ...(factsOf(call).tagged && { ETag: 'The state of what is answered.' }), ...headers };
  const fields = Object.entries(all).map(([name, says]): [string, JsonObject] => [
    name,
    { description: says, schema: { type: 'string' } },
  ]);
  return { description, headers: Object.fromEntries(fields), content };
}

function successOf({ call, exchange }: CallDoc, example: CallExample | undefined): JsonObject {
  // One example is enough here; the documentation has more.
  const [sample] = example?.samples ?? [];
  const headers = {
    ...(call.method === 'POST' && { Location: 'The IRI of what was stored.' }),
    ...(factsOf(call).paged && {
      Link: 'Where the next page is, with rel="next", of a search that has one.',
    }),
  };
  const content = contentOf(exchange.answers, (type) => ({
    schema: schemaOf(type),
    ...(sample?.mediaType === type && exampleOf(sample)),
  }));
  return answerOf(call, call.comment || call.label, headers, content);
}

function servedOf({ call, exchange }: CallDoc, { answers }: ServiceExchange): JsonObject {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema, headers = {} }]) => {
      const content = contentOf(exchange.answers, (type) => ({ schema: schemaOf(type, schema) }));
      return [status, answerOf(call, description, headers, content)];
    }),
  );
}

/** Only a complete example is valid in its media type. */
function exampleOf({ text, mediaType, linesOmitted, charactersOmitted }: Sample): JsonObject {
  if (linesOmitted > 0 || charactersOmitted > 0) return {};
  return { example: mediaType.endsWith('json') ? (JSON.parse(text) as unknown) : text };
}

/** @param json the known JSON schema */
function schemaOf(mediaType: string, json: JsonObject = {}): JsonObject {
  if (mediaType === 'application/ld+json') return { type: 'object' };
  if (mediaType === 'application/json') return json;
  if (mediaType === EVENTS)
    return { type: 'string', description: 'Server-sent events, as long as it stays open.' };
  return graphTypes.includes(mediaType) || mediaType.startsWith('text/') ? { type: 'string' } : {};
}

/** Returns the schema of a parameter; named types refer to `valueComponents`. */
function valueSchema({ valueType, schema }: Argument): ValueSchema {
  const { shared } = factsOfType(valueType);
  return shared === undefined ? schema : { $ref: `#/components/schemas/${shared.name}` };
}

export function valueComponents(): JsonObject {
  return Object.fromEntries(
    valueTypes.map(factsOfType).flatMap(({ shared, schema }) => {
      return shared === undefined
        ? []
        : [[shared.name, { description: shared.description, ...schema }] as const];
    }),
  );
}
