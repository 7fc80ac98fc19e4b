import type { Quad, Term } from '../../rdf/terms.js';
import { cg } from '../../rdf/vocabulary.js';
import { readBlob } from '../../records/blobs/blob-graph.js';
import { describeDocuments } from '../../records/documents/describe-documents.js';
import { readList } from '../../records/lists/list.js';
import { nextPageUrl } from '../../records/lists/page.js';
import { responseSummary } from '../../records/lists/response-summary.js';
import { requestTerms, resourceOf } from '../../records/resource-paths.js';
import { oneTitlePerCode } from '../../records/titles.js';
import type { ExampleKind } from '../../ontology/answer-forms.js';
import type { CallModel } from '../../ontology/model.js';
import type { CallExample, ExampleRequest } from './example.js';
import { graphSamples } from './graph-samples.js';
import { sampleOf, type Sample } from './sample.js';
import type { SeedStore } from './seed-store.js';

type Answered = Pick<CallExample, 'headers' | 'samples'>;

/** The examples whose answer the seed gives. */
type AnsweredKind = Exclude<ExampleKind, 'posted' | 'removed' | 'none'>;

/** How each kind of answer is made of what the call's query constructs; undefined where there is nothing. */
const answerers: Record<
  AnsweredKind,
  (seed: SeedStore, request: ExampleRequest) => Promise<Answered | undefined>
> = {
  graph: (seed, request) => answerGraph(seed, request),
  documents: (seed, request) =>
    answerGraph(seed, request, (found) => describeDocuments(found, seed.files, 'metadata')),
  json: async (seed, request) => {
    const documents = (await construct(seed, request))
      .filter(({ predicate }) => predicate.value === cg.json)
      .sort((a, b) => (a.subject.value < b.subject.value ? -1 : 1))
      .map(({ object }) => JSON.parse(object.value) as unknown);
    const shown = request.call.cardinality === 'multiple' ? documents : documents[0];
    return shown === undefined
      ? undefined
      : only(sampleOf('application/json', JSON.stringify(shown, null, 2)));
  },
  text: async (seed, request) => {
    const blob = readBlob(await construct(seed, request));
    return blob && only(sampleOf(blob.mediaType, blob.text));
  },
};

/**
 * Answers a GET as the container does, over the seed: the call's own query, its parameters bound as terms, the page in
 * its order with its summary.
 * @returns undefined when the seed has nothing there
 */
export function answerFromSeed(
  seed: SeedStore,
  request: ExampleRequest,
  kind: AnsweredKind,
): Promise<Answered | undefined> {
  return answerers[kind](seed, request);
}

const only = (sample: Sample): Answered => ({ headers: [], samples: [sample] });

async function answerGraph(
  seed: SeedStore,
  request: ExampleRequest,
  describe = (found: Quad[]): Quad[] | Promise<Quad[]> => found,
): Promise<Answered | undefined> {
  const { call } = request;
  const headers: [string, string][] = [];
  const found =
    call.cardinality === 'multiple' ? await listOf(seed, request, headers) : await construct(seed, request);
  if (found.length === 0) return undefined;
  const quads = oneTitlePerCode(await describe(found), seed.ontology);
  return { headers, samples: await graphSamples(quads, seed.context) };
}

async function listOf(
  seed: SeedStore,
  request: ExampleRequest,
  headers: [string, string][],
): Promise<Quad[]> {
  const { store, ontology, base } = seed;
  const { call } = request;
  const given = new Map(request.query.map(([name, value]) => [name, [value]]));
  const isSearch = call.scope === 'container';
  const values = valuesOf(seed, request);
  const list = await readList(store, ontology, {
    call,
    query: queryOf(seed, call),
    values,
    given,
    counted: !isSearch,
  });
  // Nothing but a summary explains no call.
  if (list.order.length === 0) return [];
  const [path = ''] = request.target.split('?');
  const nextPageURL = list.next && nextPageUrl(base + path, request.query, list.next);
  if (nextPageURL !== undefined) headers.push(['Link', `<${nextPageURL}>; rel="next"`]);
  return isSearch
    ? list.quads
    : [...list.quads, ...responseSummary({ total: list.total, order: list.order, nextPageURL })];
}

function construct(seed: SeedStore, request: ExampleRequest): Promise<Quad[]> {
  return seed.store.construct(queryOf(seed, request.call).bind(valuesOf(seed, request)));
}

function queryOf({ queries }: SeedStore, { name }: CallModel) {
  const query = queries.get(name);
  if (!query) throw new Error(`${name} has no query`);
  return query;
}

function valuesOf({ base }: SeedStore, { path, call }: ExampleRequest): Record<string, Term> {
  return requestTerms({ resource: resourceOf(call, path, base), path }, base);
}
