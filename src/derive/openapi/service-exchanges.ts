import {
  answerKeyOf,
  type AnswerKey,
  type Cardinality,
  type ServiceKey,
} from '../../ontology/answer-forms.js';
import type { CallModel } from '../../ontology/model.js';
import type { JsonObject } from './operation.js';

/** What a service takes and answers as JSON, which no class of the ontology describes. */
export interface ServiceExchange {
  readonly body?: { readonly schema?: JsonObject; readonly isOptional?: boolean };
  /** By status. */
  readonly answers: Readonly<Record<string, ServiceAnswer>>;
}

interface ServiceAnswer {
  readonly description: string;
  readonly schema: JsonObject;
  /** Header fields, with what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const revision = { type: 'integer', minimum: 0 };
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

type Exchanges = Readonly<Partial<Record<Cardinality, ServiceExchange>>>;

const exchanges: Readonly<Record<ServiceKey, Exchanges>> = {
  'changes GET': {
    multiple: { answers: { 200: { description: 'The changes in their order.', schema: changes } } },
  },
};

/** What is said of a call that a service answers; undefined for all others. */
export function serviceExchangeOf(call: CallModel): ServiceExchange | undefined {
  const key = answerKeyOf(call);
  const all: Partial<Record<AnswerKey, Exchanges>> = exchanges;
  return key && all[key]?.[call.cardinality];
}
