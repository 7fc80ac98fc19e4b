import { answerTypes, factsOf, methodFacts, requestHeaders } from '../ontology/answer-forms.js';
import type { RequestHeaderName } from '../ontology/answer-forms.js';
import type { CallModel } from '../ontology/model.js';
import { hasPast } from '../ontology/has-past.js';
import { problemKinds, type ProblemKind } from '../problem.js';

/** A header field that a request of a call may carry, beside its Authorization. */
export interface RequestHeader {
  readonly name: RequestHeaderName;
  readonly comment: string;
}

/** What a call takes and answers, beside its path and query. */
export interface Exchange {
  /** What the answer may be; `*` + `/*` for whatever is stored. The default comes first. */
  readonly answers: readonly string[];
  /** What a body may be, empty for calls without one. */
  readonly bodies: readonly string[];
  readonly headers: readonly RequestHeader[];
  /** The refusals that a caller of this call has to expect, in the order of their statuses. */
  readonly problems: readonly ProblemKind[];
}

/** Derives from the method, the scope and the form of the answer what a call takes and answers. */
export function exchangeOf(call: CallModel): Exchange {
  const { takes, ranges, headers: own } = factsOf(call);
  const headers: RequestHeaderName[] = [
    ...(own ?? methodFacts[call.method].headers),
    ...(ranges ? ['Range' as const] : []),
  ];
  const problems = problemsOf(call);
  return {
    answers: answerTypes(call),
    bodies: takes,
    headers: headers.map((name) => ({ name, comment: requestHeaders[name] })),
    problems: kindsInOrder.filter((kind) => problems.has(kind)),
  };
}

const kindsInOrder = Object.keys(problemKinds) as ProblemKind[];

/** What can happen to every request. */
const always: readonly ProblemKind[] = [
  'malformed-request',
  'unknown-parameter',
  'unauthorized',
  'internal-error',
  'unavailable',
];

function problemsOf(call: CallModel): ReadonlySet<ProblemKind> {
  const { problems, graphs, takes, ranges } = factsOf(call);
  return new Set<ProblemKind>([
    ...always,
    ...problems,
    ...(graphs ? (['invalid-parameter'] as const) : []),
    ...(call.scope === 'container' ? [] : (['forbidden'] as const)),
    ...(hasPast(call) ? (['no-history'] as const) : []),
    ...(call.pathParameters.length > 0 ? (['not-found'] as const) : []),
    ...(takes.length > 0 ? (['too-large', 'unsupported-media-type'] as const) : []),
    ...(ranges ? (['range-not-satisfiable'] as const) : []),
  ]);
}
