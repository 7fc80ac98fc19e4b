import type { JsonObject } from '../../rdf/json-object.js';
import type { Argument } from '../call-arguments.js';
import { factsOf, graphTypes } from '../../ontology/answer-forms.js';
import { EVENTS } from '../../ontology/service-forms.js';
import type { RequestHeader } from '../call-answers.js';
import type { CallDoc } from '../documentation/documentation.js';
import type { CallExample } from '../examples/example.js';
import type { Sample } from '../examples/sample.js';
import type { OpenApiSource } from './openapi.js';
import { problemResponses } from './problems.js';
import { securityOf } from './security.js';
import { serviceExchangeOf, type ServiceExchange } from './service-exchanges.js';
import { valueSchema } from './value-schema.js';

/** What the operation of a call is derived from. */
export interface OperationSource extends Pick<OpenApiSource, 'documentation' | 'base' | 'containerAccess'> {
  readonly example: CallExample | undefined;
}

/** The operation of a call (OpenAPI 3.1 §4.8.10). */
export function operationOf(doc: CallDoc, source: OperationSource): JsonObject {
  const { call, place, exchange } = doc;
  const { documentation, base, example } = source;
  const service = serviceExchangeOf(call);
  return {
    operationId: call.name,
    tags: [documentation.ontology.classes.get(call.target)?.label ?? 'Other'],
    summary: call.label,
    ...(call.comment === '' ? {} : { description: call.comment }),
    externalDocs: { url: `${base}/docs/${place.page}` },
    'x-call': call.iri,
    'x-target': call.target,
    'x-scope': call.scope,
    security: securityOf(call, source.containerAccess),
    parameters: [
      ...doc.arguments.map((argument) => parameterOf(argument, example)),
      ...exchange.headers.map(headerOf),
    ],
    ...(exchange.bodies.length > 0 ? { requestBody: bodyOf(exchange.bodies, example, service?.body) } : {}),
    responses: {
      ...(service ? servedOf(doc, service) : { '200': successOf(doc, example) }),
      ...(call.method === 'GET' && factsOf(call).tagged
        ? { 304: { description: 'What the caller has is still current.' } }
        : {}),
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
    ...(place === 'path' ? { required: true } : {}),
    schema: valueSchema(argument),
    ...(value === undefined ? {} : { example: value }),
  };
}

const headerOf = ({ name, comment }: RequestHeader): JsonObject => ({
  name,
  in: 'header',
  description: comment,
  schema: { type: 'string' },
});

function bodyOf(
  types: readonly string[],
  example: CallExample | undefined,
  { schema, isOptional = false }: NonNullable<ServiceExchange['body']> = {},
): JsonObject {
  const sent = example?.request.body;
  const content = types.map((type) => {
    const isSent = sent !== undefined && (type === sent.mediaType || type === '*/*');
    return [type, { schema: schemaOf(type, schema), ...(isSent ? { example: sent.text } : {}) }] as const;
  });
  return { required: !isOptional, content: Object.fromEntries(content) };
}

function successOf({ call, exchange }: CallDoc, example: CallExample | undefined): JsonObject {
  const { tagged, paged } = factsOf(call);
  // One example says enough here; the documentation has the others.
  const [sample] = example?.samples ?? [];
  const content = exchange.answers.map((type) => {
    return [
      type,
      { schema: schemaOf(type), ...(sample?.mediaType === type ? exampleOf(sample) : {}) },
    ] as const;
  });
  const isAdded = call.method === 'POST';
  return {
    description: call.comment === '' ? call.label : call.comment,
    headers: {
      ...(tagged ? { ETag: responseHeader('The state of what is answered.') } : {}),
      ...(isAdded ? { Location: responseHeader('The IRI of what was stored.') } : {}),
      ...(paged
        ? { Link: responseHeader('Where the next page is, with rel="next", of a search that has one.') }
        : {}),
    },
    content: Object.fromEntries(content),
  };
}

/** The answers of a service, by status. */
function servedOf({ call, exchange }: CallDoc, { answers }: ServiceExchange): JsonObject {
  const tag = factsOf(call).tagged ? { ETag: 'The state of what is answered.' } : {};
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema, headers = {} }]) => {
      const fields = Object.entries({ ...tag, ...headers });
      const content = exchange.answers.map((type) => [type, { schema: schemaOf(type, schema) }] as const);
      return [
        status,
        {
          description,
          headers: Object.fromEntries(fields.map(([name, says]) => [name, responseHeader(says)])),
          content: Object.fromEntries(content),
        },
      ] as const;
    }),
  );
}

const responseHeader = (description: string): JsonObject => ({ description, schema: { type: 'string' } });

/** Only what is whole: a cut example would be none of its media type. */
function exampleOf({ text, mediaType, linesOmitted, charactersOmitted }: Sample): JsonObject {
  if (linesOmitted > 0 || charactersOmitted > 0) return {};
  return { example: mediaType.endsWith('json') ? (JSON.parse(text) as unknown) : text };
}

/** @param json what is known of JSON */
function schemaOf(mediaType: string, json: JsonObject = {}): JsonObject {
  if (mediaType === 'application/ld+json') return { type: 'object' };
  if (mediaType === 'application/json') return json;
  if (mediaType === EVENTS)
    return { type: 'string', description: 'Server-sent events, as long as it stays open.' };
  return graphTypes.includes(mediaType) || mediaType.startsWith('text/') ? { type: 'string' } : {};
}
