import { Problem, problemKinds, type ProblemKind } from '../../model/problem.js';
import type { JsonObject } from '../../rdf/json-object.js';
import { groupedBy } from '../../rdf/by-key.js';

/** Lists the problems of an operation by status, as references to `problemComponents`. */
export function problemResponses(kinds: readonly ProblemKind[]): JsonObject {
  return Object.fromEntries(
    byStatus(kinds).map(([status, all]) => [
      String(status),
      { $ref: `#/components/responses/${nameOf(status, all)}` },
    ]),
  );
}

/** Makes the responses that operations refer to: each status with the kinds that it can mean. */
export function problemComponents(operations: readonly (readonly ProblemKind[])[]): JsonObject {
  const all = operations.flatMap(byStatus).map(([status, kinds]) => {
    return [nameOf(status, kinds), problemResponse(status, kinds)] as const;
  });
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function byStatus(kinds: readonly ProblemKind[]): [number, ProblemKind[]][] {
  return [...groupedBy(kinds, (kind) => problemKinds[kind].status)];
}

const nameOf = (status: number, kinds: readonly ProblemKind[]): string => [status, ...kinds].join('.');

function problemResponse(status: number, kinds: readonly ProblemKind[]): JsonObject {
  const example = (kind: ProblemKind): JsonObject => {
    const { type, title } = new Problem(kind, '');
    return { value: { type, title, status, detail: `${title}.` } };
  };
  const proof = { description: 'OAuth, with the base URL as realm.', schema: { type: 'string' } };
  return {
    description: kinds.map((kind) => `${kind}: ${problemKinds[kind].title}.`).join(' '),
    ...(status === 401 ? { headers: { 'WWW-Authenticate': proof } } : {}),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(kinds.map((kind) => [kind, example(kind)])),
      },
    },
  };
}

/** The schema of a problem document (RFC 9457), with our own members. */
export function problemSchema(): JsonObject {
  const all = Object.values(problemKinds);
  return {
    type: 'object',
    description: 'A refusal (RFC 9457).',
    required: ['type', 'title', 'status', 'detail'],
    properties: {
      type: { type: 'string', format: 'uri', description: 'What kind of refusal it is.' },
      title: { type: 'string', enum: all.map(({ title }) => title) },
      status: { type: 'integer', enum: [...new Set(all.map(({ status }) => status))] },
      detail: { type: 'string', description: 'One sentence about this refusal.' },
      call: { type: 'string', format: 'uri', description: 'The IRI of the call in the ontology.' },
      parameter: { type: 'string', description: 'The parameter that cannot be used.' },
    },
  };
}
