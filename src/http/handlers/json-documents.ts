import { cg } from '../../rdf/vocabulary.js';
import type { Content } from '../answer.js';
import { forCalls, type CallRequest, type Handler } from '../request-context.js';
import { storedAnswer, type StoredParts } from './graph-answer.js';
import { addressed, construct, noSuchResource, type Reads } from './reads.js';

/**
 * Answers a GET with the JSON documents (`cg:json`) that the query of the call constructs:
 * the one of a single resource, or an array ordered by resource for a collection.
 */
export function jsonHandler(parts: StoredParts): Handler {
  return forCalls((request) =>
    storedAnswer(parts, request, {
      representations: [{ mediaType: 'application/json', make: () => readJson(parts, request) }],
      exists: () => request.route.call.cardinality === 'multiple' || parts.store.has(request.resource),
    }),
  );
}

async function readJson(reads: Reads, request: CallRequest): Promise<Content> {
  const documents = (await construct(reads, addressed(request)))
    .filter(({ predicate }) => predicate.value === cg.json)
    .sort((a, b) => (a.subject.value < b.subject.value ? -1 : 1))
    .map(({ object }) => object.value);
  if (request.route.call.cardinality === 'multiple') return { body: `[${documents.join(',')}]` };
  const [first] = documents;
  if (first === undefined) throw noSuchResource();
  return { body: first };
}
