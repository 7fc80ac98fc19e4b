import type { CallModel } from '../ontology/model.js';
import type { ProblemKind } from '../problem.js';
import { answeredFormats, formats, postedFormats } from '../rdf/formats.js';
import { answersWithGraphs } from './call-arguments.js';

/** A header field that a request of a call may carry, beside its Authorization. */
export interface RequestHeader {
  readonly name: string;
  readonly comment: string;
}

/** What a call takes and answers, beside its path and query. */
export interface Exchange {
  /** The status of success. */
  readonly status: 200 | 201;
  /** What the answer may be; `*` + `/*` for whatever is stored. The default comes first. */
  readonly answers: readonly string[];
  /** What a body may be, empty for calls without one. */
  readonly bodies: readonly string[];
  readonly headers: readonly RequestHeader[];
  /** The refusals that a caller of this call has to expect. */
  readonly problems: readonly ProblemKind[];
}

const ANYTHING = '*/*';

/** The media types of RDF answers, the default first. */
export const graphTypes: readonly string[] = answeredFormats.map((format) => formats[format].mediaType);

/** Derives from the method, the scope and the form of the answer what a call takes and answers. */
export function exchangeOf(call: CallModel): Exchange {
  return {
    status: call.method === 'POST' ? 201 : 200,
    answers: answersOf(call),
    bodies: bodiesOf(call),
    headers: headerRules.filter(({ when }) => when(call)).map(({ name, comment }) => ({ name, comment })),
    problems: problemRules.filter(([, when]) => when(call)).map(([kind]) => kind),
  };
}

function answersOf(call: CallModel): readonly string[] {
  if (call.answer === 'json') return ['application/json'];
  if (call.answer === 'blob') return call.method === 'DELETE' ? ['text/plain'] : [ANYTHING];
  const isFile = call.answer === 'document' && call.cardinality === 'single';
  if (!isFile) return graphTypes;
  // A call with a media type of its own answers with that; otherwise the file itself comes first.
  return call.contentType === undefined ? [ANYTHING, ...graphTypes] : [...graphTypes, ANYTHING];
}

function bodiesOf({ method, answer }: CallModel): readonly string[] {
  if (method === 'POST' && answer === 'rdf') return postedFormats.map((format) => formats[format].mediaType);
  return method === 'PUT' ? [ANYTHING] : [];
}

type Condition = (call: CallModel) => boolean;

const always: Condition = () => true;
const reads: Condition = ({ method }) => method === 'GET';
const posts: Condition = ({ method }) => method === 'POST';
const takesBody: Condition = (call) => bodiesOf(call).length > 0;
const isFile: Condition = ({ answer, cardinality }) => answer === 'document' && cardinality === 'single';

const headerRules: readonly (RequestHeader & { when: Condition })[] = [
  {
    name: 'If-None-Match',
    comment: 'The ETag of an earlier answer: 304 when nothing has changed since.',
    when: reads,
  },
  {
    name: 'If-Match',
    comment: 'The ETag that must still hold, so that nobody else’s change is overwritten; otherwise 412.',
    when: ({ method }) => method === 'PUT' || method === 'DELETE',
  },
  { name: 'Range', comment: 'A part of the file, as bytes=0-1023; answered with 206.', when: isFile },
  {
    name: 'Idempotency-Key',
    comment: 'The same key with the same body answers with what was stored the first time, for 24 hours.',
    when: posts,
  },
];

/** When each refusal can happen, in the order of their statuses. */
const problemRules: readonly (readonly [ProblemKind, Condition])[] = [
  ['malformed-request', always],
  ['unknown-parameter', always],
  ['invalid-parameter', (call) => answersWithGraphs(call)],
  ['unauthorized', always],
  ['forbidden', ({ scope }) => scope !== 'container'],
  ['not-found', ({ pathParameters }) => pathParameters.length > 0],
  ['not-acceptable', ({ answer }) => answer !== 'blob'],
  ['conflict', posts],
  ['precondition-failed', ({ method }) => method !== 'POST'],
  ['too-large', takesBody],
  ['unsupported-media-type', takesBody],
  ['range-not-satisfiable', isFile],
  ['unprocessable', posts],
  ['internal-error', always],
  ['damaged-document', ({ answer }) => answer === 'document'],
  ['unavailable', always],
];
