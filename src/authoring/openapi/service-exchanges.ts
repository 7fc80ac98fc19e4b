import {
  answerKeyOf,
  type AnswerKey,
  type Cardinality,
  type ServiceKey,
} from '../../model/ontology/answer-forms.js';
import { exportFormats } from '../../access/accounts/bulk-exports.js';
import type { CallModel } from '../../model/ontology/model.js';
import type { JsonObject } from '../../rdf/json-object.js';

/** JSON that a service takes and answers, which no class of the ontology describes. */
export interface ServiceExchange {
  readonly body?: { readonly schema?: JsonObject; readonly isOptional?: boolean };
  readonly answers: Readonly<Record<string, ServiceAnswer>>;
}

interface ServiceAnswer {
  readonly description: string;
  readonly schema: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const revision = { type: 'integer', minimum: 0 };
const address = { type: 'string', format: 'uri' };
const iris = { type: 'array', items: { type: 'string', format: 'iri' } };

const changes = {
  type: 'object',
  required: ['changes', 'revision'],
  properties: {
    changes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['revision', 'time', 'added', 'replaced', 'removed'],
        properties: {
          ...{ revision, time, user: text, app: text, command: text },
          ...{ added: iris, replaced: iris, removed: iris },
        },
      },
    },
    revision: { ...revision, description: 'What to ask for next time.' },
    next: { type: 'string', format: 'uri', description: 'Where the next page is.' },
  },
};

const since = { ...revision, description: 'Changes after this revision.' };
const subscription = {
  type: 'object',
  required: ['id', 'address', 'url', 'created', 'since', 'failures', 'dead_letters'],
  properties: {
    id: text,
    address,
    url: { ...address, description: 'Where deliveries go.' },
    secret: { type: 'string', description: 'What deliveries are signed with; shown once.' },
    created: time,
    expires: { ...time, description: 'When its token expires.' },
    since: { ...revision, description: 'All changes up to this one were delivered.' },
    failures: { type: 'integer', description: 'Attempts of the next delivery that failed.' },
    next_attempt: time,
    reason: { type: 'string', description: 'Why the last attempt failed.' },
    dead_letters: {
      type: 'array',
      items: { type: 'object', properties: { since: revision, revision, time, reason: text } },
    },
  },
};

const answered = (description: string, schema: JsonObject): ServiceExchange => ({
  answers: { 200: { description, schema } },
});
const all = (name: string, each: JsonObject): ServiceExchange => {
  const properties = { [name]: { type: 'array', items: each } };
  return answered('All of them.', { type: 'object', required: [name], properties });
};
const removal = { type: 'object', properties: { removed: { type: 'boolean' } } };
const ended = answered('It has ended.', removal);
const theSubscription = answered('The subscription.', subscription);

const format = { type: 'string', enum: exportFormats };
const classes = { type: 'array', minItems: 1, items: { type: 'string', format: 'iri' } };
const files = (description: string): JsonObject => ({
  type: 'array',
  description,
  items: {
    type: 'object',
    required: ['address', 'count'],
    properties: { class: { type: 'string', format: 'iri' }, address, count: { type: 'integer' } },
  },
});
const bulkExport = {
  type: 'object',
  required: ['id', 'address', 'state', 'format', 'revision', 'created', 'records'],
  properties: {
    id: text,
    address,
    state: { type: 'string', enum: ['waiting', 'done', 'failed'] },
    format,
    classes,
    since: revision,
    revision: {
      ...revision,
      description: 'The state that the files tell of; the next export goes on from it.',
    },
    created: time,
    expires: { ...time, description: 'When its files go.' },
    records: { type: 'integer', description: 'Records that are in the files by now.' },
    reason: { type: 'string', description: 'Why it failed, in a word.' },
    files: files('Resources, by class.'),
    removed: files('Addresses of resources that were removed, a JSON object in each line.'),
  },
};
/** The answer for an export in progress. @param headers in addition to Retry-After */
const accepted = (headers: Readonly<Record<string, string>>): ServiceExchange['answers'] => ({
  202: {
    description: 'It is being made.',
    schema: bulkExport,
    headers: { 'Retry-After': 'Seconds after which to ask again.', ...headers },
  },
});

type Exchanges = Readonly<Partial<Record<Cardinality, ServiceExchange>>>;

const exchanges: Readonly<Record<ServiceKey, Exchanges>> = {
  'changes GET': { multiple: answered('The changes in their order.', changes) },
  'subscription GET': {
    single: theSubscription,
    multiple: all('subscriptions', subscription),
  },
  'subscription POST': {
    single: {
      body: {
        schema: {
          type: 'object',
          required: ['url'],
          properties: { url: { ...address, description: 'An https address of the app.' }, since },
        },
      },
      answers: {
        200: { description: 'The subscription, which was there already.', schema: subscription },
        201: {
          description: 'The new subscription, with its secret.',
          schema: subscription,
          headers: { Location: 'The address of the subscription.' },
        },
      },
    },
  },
  'subscription PUT': {
    single: {
      body: { schema: { type: 'object', required: ['since'], properties: { since } } },
      ...theSubscription,
    },
  },
  'subscription DELETE': { single: ended },
  'export GET': {
    single: {
      answers: {
        200: {
          description: 'It is done.',
          schema: bulkExport,
          headers: { Expires: 'When its files go.' },
        },
        ...accepted({ 'X-Progress': 'How many records are done.' }),
      },
    },
    multiple: all('exports', bulkExport),
  },
  'export POST': {
    single: {
      body: {
        isOptional: true,
        schema: {
          type: 'object',
          properties: {
            format,
            since: { ...revision, description: 'Only what has changed after this revision.' },
            classes,
          },
        },
      },
      answers: accepted({ 'Content-Location': 'The address of the export.' }),
    },
  },
  'export DELETE': { single: ended },
  'export-file GET': { single: answered('The file, in gzip for who accepts that.', text) },
};

/** Describes a call that a service answers; undefined for all others. */
export function serviceExchangeOf(call: CallModel): ServiceExchange | undefined {
  const key = answerKeyOf(call);
  const known: Partial<Record<AnswerKey, Exchanges>> = exchanges;
  return key && known[key]?.[call.cardinality];
}
