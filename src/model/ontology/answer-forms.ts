import type { ProblemKind } from '../problem.js';
import { answeredFormats, formats, postedFormats } from '../../rdf/formats.js';
import { clientMethods, type ClientMethod } from './client-methods.js';
import type { Scope } from './model.js';
import { serviceForms } from './service-forms.js';

/** Stands for anything stored or sent, when no list of media types can be given. */
export const ANYTHING = '*/*';

/** The media types of graphs, the default first. */
export const graphTypes: readonly string[] = answeredFormats.map((format) => formats[format].mediaType);

const postedTypes: readonly string[] = postedFormats.map((format) => formats[format].mediaType);

export const methodFacts = {
  GET: { verb: 'read', headers: ['If-None-Match'] },
  PUT: { verb: 'store', headers: ['If-Match'] },
  POST: { verb: 'add', headers: ['Idempotency-Key'] },
  DELETE: { verb: 'delete', headers: ['If-Match'] },
} as const satisfies Record<string, MethodFacts>;

interface MethodFacts {
  readonly verb: string;
  readonly headers: readonly RequestHeaderName[];
}

export const requestHeaders = {
  'If-None-Match': 'The ETag of an earlier answer: 304 when nothing has changed since.',
  'If-Match': 'The ETag that must still hold, so that nobody else’s change is overwritten; otherwise 412.',
  Range: 'A part of the file, as bytes=0-1023; answered with 206.',
  'Idempotency-Key':
    'The same key with the same body answers with what was stored the first time, for 24 hours.',
  'Last-Event-ID': 'Of a stream: the revision after which it goes on, before since.',
} as const;

export type RequestHeaderName = keyof typeof requestHeaders;

/** How an example answer is made from queries and seed; `none` when it is not. */
export type ExampleKind = 'graph' | 'documents' | 'json' | 'text' | 'posted' | 'removed' | 'none';

interface FormFacts {
  /** Whether it answers with graphs, hence with every serialisation and the parameter `_format`. */
  readonly graphs: boolean;
  /** The media types of a request body; empty when there is none. */
  readonly takes: readonly string[];
  readonly tagged: boolean;
  /** Whether the data is an app's own, rather than about people or the container. */
  readonly ownedByApp: boolean;
  /** The scope of its calls when a service of the container answers, not a query. */
  readonly service?: Scope;
  /** The largest body in bytes, if it differs from the general limit. */
  readonly bodyLimit?: number;
  /** Header fields that a request may carry, if they differ from those of its method. */
  readonly headers?: readonly RequestHeaderName[];
  /** Refusals besides those that path, scope and parameters bring. */
  readonly problems: readonly ProblemKind[];
  readonly example: ExampleKind;
}

interface CardinalityFacts {
  readonly types: readonly string[];
  readonly paged: boolean;
  /** Whether the answer can be a file, hence ranges of its bytes. */
  readonly ranges: boolean;
  readonly client: ClientMethod;
  /** The client method when the target has no properties to make objects of. */
  readonly clientWithoutClass?: ClientMethod;
  /** The client method by default format, for calls without a `_format` parameter. */
  readonly clientWithoutFormat?: Readonly<Record<'raw' | 'combined', ClientMethod>>;
}

/** A row of the table. A missing cardinality is not available in this form and method. */
interface AnswerForm extends FormFacts {
  readonly single?: CardinalityFacts;
  readonly multiple?: CardinalityFacts;
}

const { graph, object, list, posted, json, jsonList, file, document, stored, removed } = clientMethods;
const plain = { paged: false, ranges: false } as const;
/** Data about people and the container, as it is read. */
const known = { graphs: false, takes: [], tagged: true, ownedByApp: false } as const;
const kept = { ...known, ownedByApp: true, problems: ['precondition-failed'], example: 'text' } as const;

/**
 * All answers that calls can give, by form (cg:answer) and method. Routes, documentation, OpenAPI, clients and
 * `chartgraph validate` read facts about answers from here; `http/` has a handler for each row.
 */
export const answerForms = {
  'rdf GET': {
    ...known,
    graphs: true,
    problems: ['not-acceptable', 'precondition-failed'],
    example: 'graph',
    single: { ...plain, types: graphTypes, client: object, clientWithoutClass: graph },
    multiple: { ...plain, types: graphTypes, paged: true, client: list, clientWithoutClass: graph },
  },
  'rdf POST': {
    ...known,
    graphs: true,
    takes: postedTypes,
    problems: ['not-acceptable', 'conflict', 'unprocessable'],
    example: 'posted',
    single: { ...plain, types: graphTypes, client: posted },
  },
  'json GET': {
    ...known,
    problems: ['not-acceptable', 'precondition-failed'],
    example: 'json',
    single: { ...plain, types: ['application/json'], client: json },
    multiple: { ...plain, types: ['application/json'], client: jsonList },
  },
  'blob GET': {
    ...kept,
    single: { ...plain, types: [ANYTHING], client: file },
  },
  'blob PUT': {
    ...kept,
    takes: [ANYTHING],
    single: { ...plain, types: [ANYTHING], client: stored },
  },
  'blob DELETE': {
    ...kept,
    tagged: false,
    example: 'removed',
    single: { ...plain, types: ['text/plain'], client: removed },
  },
  'document GET': {
    ...known,
    graphs: true,
    problems: ['not-acceptable', 'precondition-failed', 'damaged-document'],
    example: 'documents',
    single: {
      ...plain,
      types: [ANYTHING, ...graphTypes],
      ranges: true,
      client: document,
      clientWithoutFormat: { raw: file, combined: object },
    },
    multiple: { ...plain, types: graphTypes, paged: true, client: list },
  },
  ...serviceForms,
} as const satisfies Readonly<Record<`${string} ${keyof typeof methodFacts}`, AnswerForm>>;

export type AnswerKey = keyof typeof answerForms;
export type ServiceKey = keyof typeof serviceForms;
export type Answer = AnswerKey extends `${infer FORM} ${string}` ? FORM : never;
export type Method = keyof typeof methodFacts;
export type Cardinality = 'single' | 'multiple';

export interface AnswerFacts extends FormFacts, CardinalityFacts {}

export interface AnswerChoice {
  readonly answer: Answer;
  readonly method: Method;
  readonly cardinality: Cardinality;
}

export const answerKeys = Object.keys(answerForms) as AnswerKey[];
export const answers = [...new Set(answerKeys.map((key) => key.split(' ')[0]))] as Answer[];
export const methods = Object.keys(methodFacts) as Method[];
export const cardinalities = ['single', 'multiple'] as const satisfies readonly Cardinality[];

const forms: Readonly<Record<string, AnswerForm>> = answerForms;
const facts = new Map<string, AnswerFacts>(
  answerKeys.flatMap((key) => {
    const { single, multiple, ...form } = forms[key] as AnswerForm;
    return [
      ...(single ? [[`${key} single`, { ...form, ...single }] as const] : []),
      ...(multiple ? [[`${key} multiple`, { ...form, ...multiple }] as const] : []),
    ];
  }),
);

export const answerRows: readonly string[] = [...facts.keys()];

/** Returns the row of a call; undefined when form, method and cardinality do not go together. */
export function answerKeyOf({ answer, method, cardinality }: AnswerChoice): AnswerKey | undefined {
  return facts.has(`${answer} ${method} ${cardinality}`) ? (`${answer} ${method}` as AnswerKey) : undefined;
}

/** Returns the facts about a call's answer. @throws RangeError when `answerKeyOf` returns undefined */
export function factsOf({ answer, method, cardinality }: AnswerChoice): AnswerFacts {
  const found = facts.get(`${answer} ${method} ${cardinality}`);
  if (!found) throw new RangeError(`nothing is answered as ${answer} ${method} ${cardinality}`);
  return found;
}

/** Whether a call is about people or the container in graphs: neither an app's own data nor a service. */
export function isAboutData(call: AnswerChoice): boolean {
  const { ownedByApp, service } = factsOf(call);
  return !ownedByApp && service === undefined;
}

/** The default format of a single document: the file, unless its call states an RDF media type. */
export function defaultFormat({
  contentType,
}: {
  readonly contentType?: string | undefined;
}): 'raw' | 'combined' {
  return contentType === undefined ? 'raw' : 'combined';
}

/** The media types of a call's answer, the default first. If the call states one, graphs come before files. */
export function answerTypes(
  call: AnswerChoice & { readonly contentType?: string | undefined },
): readonly string[] {
  const { types } = factsOf(call);
  return call.contentType === undefined ? types : [...types].sort((a, b) => rank(a) - rank(b));
}

const rank = (type: string): number => (type === ANYTHING ? 1 : 0);
