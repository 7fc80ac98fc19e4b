import type { ProblemKind } from '../problem.js';
import { answeredFormats, formats, postedFormats } from '../rdf/formats.js';
import { clientMethods, type ClientMethod } from './client-methods.js';
import type { Scope } from './model.js';
import { serviceForms } from './service-forms.js';

/** Stands for whatever is stored or sent, where no list of media types can be given. */
export const ANYTHING = '*/*';

/** The media types of graphs, the default first. */
export const graphTypes: readonly string[] = answeredFormats.map((format) => formats[format].mediaType);

const postedTypes: readonly string[] = postedFormats.map((format) => formats[format].mediaType);

/** The methods of calls. */
export const methodFacts = {
  GET: { verb: 'read', headers: ['If-None-Match'] },
  PUT: { verb: 'store', headers: ['If-Match'] },
  POST: { verb: 'add', headers: ['Idempotency-Key'] },
  DELETE: { verb: 'delete', headers: ['If-Match'] },
} as const satisfies Record<string, MethodFacts>;

interface MethodFacts {
  /** What it does, for people who allow it. */
  readonly verb: string;
  /** The header fields that a request may carry, beside its Authorization. */
  readonly headers: readonly RequestHeaderName[];
}

/** What header fields of requests mean. */
export const requestHeaders = {
  'If-None-Match': 'The ETag of an earlier answer: 304 when nothing has changed since.',
  'If-Match': 'The ETag that must still hold, so that nobody else’s change is overwritten; otherwise 412.',
  Range: 'A part of the file, as bytes=0-1023; answered with 206.',
  'Idempotency-Key':
    'The same key with the same body answers with what was stored the first time, for 24 hours.',
  'Last-Event-ID': 'Of a stream: the revision after which it goes on, before since.',
} as const;

export type RequestHeaderName = keyof typeof requestHeaders;

/** How the answer of an example is made from the queries and the seed; `none` where it is not made of them. */
export type ExampleKind = 'graph' | 'documents' | 'json' | 'text' | 'posted' | 'removed' | 'none';

/** What is true of an answer form and method, whether one thing is answered or several. */
interface FormFacts {
  /** Whether a graph can be answered, and so every serialisation and the parameter `_format`. */
  readonly graphs: boolean;
  /** The media types of a body, empty where none is taken. */
  readonly takes: readonly string[];
  /** Whether the answer carries the entity tag of its state. */
  readonly tagged: boolean;
  /** Whether it is what an app keeps for itself, rather than what is known of a person or the container. */
  readonly ownedByApp: boolean;
  /** The scope of its calls, where a service of the container answers them: not a query, and no graph of its own. */
  readonly service?: Scope;
  /** The largest body that is taken, in bytes, where it is not that of all calls. */
  readonly bodyLimit?: number;
  /** The header fields that a request may carry, where they are not those of its method. */
  readonly headers?: readonly RequestHeaderName[];
  /** Refusals that only some calls know, beside those that path, scope and parameters bring. */
  readonly problems: readonly ProblemKind[];
  readonly example: ExampleKind;
}

/** What is true of one thing, or of several. */
interface CardinalityFacts {
  /** What the answer may be, the default first. */
  readonly types: readonly string[];
  /** Whether it comes in pages, which filters narrow. */
  readonly paged: boolean;
  /** Whether it can be the bytes of a file, and so a range of them. */
  readonly ranges: boolean;
  readonly client: ClientMethod;
  /** The client's method where the target has no properties to make objects of. */
  readonly clientWithoutClass?: ClientMethod;
  /** The client's method by the default format, for calls without a parameter to ask for another. */
  readonly clientWithoutFormat?: Readonly<Record<'raw' | 'combined', ClientMethod>>;
}

/** A row of the table: a cardinality that is missing cannot be had in this form by this method. */
interface AnswerForm extends FormFacts {
  readonly single?: CardinalityFacts;
  readonly multiple?: CardinalityFacts;
}

const { graph, object, list, posted, json, jsonList, file, document, stored, removed } = clientMethods;
const plain = { paged: false, ranges: false } as const;

/**
 * What a call can answer with: each form (cg:answer) with each method that it has. Routes, documentation, OpenAPI,
 * clients and `chartgraph validate` read what they know of an answer here; `http/` has a handler for each row.
 */
export const answerForms = {
  'rdf GET': {
    graphs: true,
    takes: [],
    tagged: true,
    ownedByApp: false,
    problems: ['not-acceptable', 'precondition-failed'],
    example: 'graph',
    single: { ...plain, types: graphTypes, client: object, clientWithoutClass: graph },
    multiple: { ...plain, types: graphTypes, paged: true, client: list, clientWithoutClass: graph },
  },
  'rdf POST': {
    graphs: true,
    takes: postedTypes,
    tagged: true,
    ownedByApp: false,
    problems: ['not-acceptable', 'conflict', 'unprocessable'],
    example: 'posted',
    single: { ...plain, types: graphTypes, client: posted },
  },
  'json GET': {
    graphs: false,
    takes: [],
    tagged: true,
    ownedByApp: false,
    problems: ['not-acceptable', 'precondition-failed'],
    example: 'json',
    single: { ...plain, types: ['application/json'], client: json },
    multiple: { ...plain, types: ['application/json'], client: jsonList },
  },
  'blob GET': {
    graphs: false,
    takes: [],
    tagged: true,
    ownedByApp: true,
    problems: ['precondition-failed'],
    example: 'text',
    single: { ...plain, types: [ANYTHING], client: file },
  },
  'blob PUT': {
    graphs: false,
    takes: [ANYTHING],
    tagged: true,
    ownedByApp: true,
    problems: ['precondition-failed'],
    example: 'text',
    single: { ...plain, types: [ANYTHING], client: stored },
  },
  'blob DELETE': {
    graphs: false,
    takes: [],
    tagged: false,
    ownedByApp: true,
    problems: ['precondition-failed'],
    example: 'removed',
    single: { ...plain, types: ['text/plain'], client: removed },
  },
  'document GET': {
    graphs: true,
    takes: [],
    tagged: true,
    ownedByApp: false,
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

/** A form with its method, as `rdf GET`: what a handler answers. */
export type AnswerKey = keyof typeof answerForms;
/** What a service of the container answers. */
export type ServiceKey = keyof typeof serviceForms;
/** The form of a call's answer (cg:answer). */
export type Answer = AnswerKey extends `${infer FORM} ${string}` ? FORM : never;
export type Method = keyof typeof methodFacts;
export type Cardinality = 'single' | 'multiple';

/** What is known of the answer of a call. */
export interface AnswerFacts extends FormFacts, CardinalityFacts {}

/** What makes the answer of a call what it is. */
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

/** Everything that calls can be answered with, as `rdf GET multiple`. */
export const answerRows: readonly string[] = [...facts.keys()];

/** The row of a call; undefined where its form, its method and its cardinality do not go together. */
export function answerKeyOf({ answer, method, cardinality }: AnswerChoice): AnswerKey | undefined {
  return facts.has(`${answer} ${method} ${cardinality}`) ? (`${answer} ${method}` as AnswerKey) : undefined;
}

/**
 * What is known of the answer of a call.
 * @throws RangeError for one that `answerKeyOf` has no row for: `checkOntology` refuses it
 */
export function factsOf({ answer, method, cardinality }: AnswerChoice): AnswerFacts {
  const found = facts.get(`${answer} ${method} ${cardinality}`);
  if (!found) throw new RangeError(`nothing is answered as ${answer} ${method} ${cardinality}`);
  return found;
}

/** Whether a call is about what graphs say of people and the container: neither what an app keeps, nor a service. */
export function isAboutData(call: AnswerChoice): boolean {
  const { ownedByApp, service } = factsOf(call);
  return !ownedByApp && service === undefined;
}

/** The format of a single document where none is asked for: the file, unless its call answers with a type of RDF. */
export function defaultFormat({ contentType }: { readonly contentType?: string }): 'raw' | 'combined' {
  return contentType === undefined ? 'raw' : 'combined';
}

/** What the answer of a call may be, the default first: where it states a media type, graphs come before files. */
export function answerTypes(call: AnswerChoice & { readonly contentType?: string }): readonly string[] {
  const { types } = factsOf(call);
  return call.contentType === undefined ? types : [...types].sort((a, b) => rank(a) - rank(b));
}

const rank = (type: string): number => (type === ANYTHING ? 1 : 0);
