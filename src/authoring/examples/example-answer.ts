import type { ExampleKind } from '../../model/ontology/answer-forms.js';
import type { CallModel } from '../../model/ontology/model.js';
import { formats } from '../../rdf/formats.js';
import { blankNode, quad, type Quad, type Term } from '../../rdf/terms.js';
import { cg, sp } from '../../rdf/vocabulary.js';
import { writeRdf } from '../../rdf/write.js';
import { readBlob } from '../../records/blobs/blob-graph.js';
import { describeDocuments } from '../../records/documents/describe-documents.js';
import { readList } from '../../records/lists/list.js';
import { nextPageUrl, responseSummary } from '../../records/lists/page-limits.js';
import { userNames } from '../../records/people.js';
import { withProvider } from '../../records/posted/provider.js';
import { requestTerms, resourceOf } from '../../records/resource-paths.js';
import { oneTitlePerCode } from '../../records/titles.js';
import { candidateRequests } from './example-request.js';
import { targetOf, type CallExample, type ExampleRequest } from './example.js';
import { graphSamples, sampleOf, type Sample } from './sample.js';
import type { SeedStore } from './seed-store.js';

type Answered = Pick<CallExample, 'headers' | 'samples'>;

/** Examples whose answer comes from the seed. */
type AnsweredKind = Exclude<ExampleKind, 'posted' | 'removed' | 'none'>;

/** Answers a GET over the seed as the container does, by the kind of answer; undefined if there is nothing. */
export const answerFromSeed: Record<
  AnsweredKind,
  (seed: SeedStore, request: ExampleRequest) => Promise<Answered | undefined>
> = {
  graph: (seed, request) => answerGraph(seed, request),
  documents: (seed, request) =>
    answerGraph(seed, request, (found) => Promise.resolve(describeDocuments(found))),
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
  return { headers, samples: await graphSamples(quads, seed.ontology) };
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
  // A mere summary does not explain a call.
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

/**
 * Shows a POST as if a statement of the seed had just been added: the body lacks its name, record and provider, which the
 * container sets; the answer is the statement as stored. @param read a GET call of one statement of the same class
 */
export async function postedExample(
  seed: SeedStore,
  call: CallModel,
  read: CallModel,
): Promise<CallExample | undefined> {
  const { base, content, sender, ontology, store } = seed;
  const [found] = candidateRequests(read, sender, content.graphs, base);
  const known = content.graphs.find(({ name }) => found && name === base + found.target);
  const model = ontology.classes.get(call.target);
  if (!found || !known || !model) return undefined;
  const { name } = known;
  const { role } = content.users.find(({ user_id: id }) => id === sender.user) ?? {};
  const provider = role === 'clinician' ? await userNames(store, sender.user) : [];
  const stored = withProvider(known.quads, name, model, provider);
  const body = await writeRdf(unnamed(withProvider(known.quads, name, model, []), name), 'rdfxml', ontology);
  const target = targetOf(call, { path: found.path, query: [] });
  return {
    request: { ...found, call, query: [], target, body: { mediaType: formats.rdfxml.mediaType, text: body } },
    headers: [['Location', name]],
    samples: await graphSamples(stored, ontology),
  };
}

/** Removes the name and record of a statement, as in the body of a POST. */
export function unnamed(quads: readonly Quad[], name: string): Quad[] {
  const node = blankNode('statement');
  const replaced = <T extends Term>(term: T): T | typeof node => (term.value === name ? node : term);
  return quads
    .filter(({ predicate }) => predicate.value !== sp.belongsTo)
    .map(({ subject, predicate, object }) => quad(replaced(subject), predicate, replaced(object)));
}
