import {
  answerTypes,
  factsOf,
  methodFacts,
  requestHeaders,
  type RequestHeaderName,
} from '../../model/ontology/answer-forms.js';
import type { CallModel } from '../../model/ontology/model.js';
import { hasPast } from '../../model/ontology/call-facts.js';
import { problemKinds, type ProblemKind } from '../../model/problem.js';

export type Exchange = ReturnType<typeof exchangeOf>;

/** Returns what a call takes and answers, apart from path and query, by its method, scope and form of answer. */
export function exchangeOf(call: CallModel) {
  const { takes, ranges, headers: own } = factsOf(call);
  const headers: RequestHeaderName[] = [
    ...(own ?? methodFacts[call.method].headers),
    ...(ranges ? ['Range' as const] : []),
  ];
  const problems = problemsOf(call);
  return {
    /** Media types of the answer, the default first; `*` + `/*` for stored files. */
    answers: answerTypes(call),
    /** Media types of the body; empty without one. */
    bodies: takes,
    /** Header fields of the request, without Authorization. */
    headers: headers.map((name) => ({ name, comment: requestHeaders[name] })),
    /** Problems that a caller must expect, sorted by status. */
    problems: kindsInOrder.filter((kind) => problems.has(kind)),
  };
}

const kindsInOrder = Object.keys(problemKinds) as ProblemKind[];

/** Problems that any request can meet. */
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
