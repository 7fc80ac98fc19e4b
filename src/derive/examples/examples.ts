import { setImmediate as nextTurn } from 'node:timers/promises';
import { factsOf } from '../../ontology/answer-forms.js';
import type { CallModel, Ontology } from '../../ontology/model.js';
import { foldName } from '../../query/fold.js';
import type { Quad } from '../../rdf/terms.js';
import type { NamedGraph } from '../../store/graph-store.js';
import { classSamples } from './class-samples.js';
import { answerFromSeed } from './example-answer.js';
import { candidateRequests } from './example-request.js';
import { noExamples, targetOf, type CallExample, type ExampleRequest, type Examples } from './example.js';
import { postedExample } from './posted-example.js';
import { openSeedStore, type ExampleSource, type SeedStore } from './seed-store.js';

/** How many statements a list of the examples holds, so that a page of it can be read. */
const PAGE = '2';

/**
 * Makes the examples of a container: each call with a request and the answer that its query gives over the seed, and
 * an instance of each class. Nothing is read but the seed folder.
 * @throws Error that names the file of the seed that cannot be read
 */
export async function makeExamples(source: ExampleSource): Promise<Examples> {
  const seed = await openSeedStore(source);
  if (!seed) return noExamples;
  try {
    const calls = new Map<string, CallExample>();
    for (const call of source.ontology.calls) {
      const example = await exampleOf(seed, call);
      if (example) calls.set(call.name, example);
      // Other requests go on meanwhile.
      await nextTurn();
    }
    return { calls, classes: await classSamples(seed) };
  } finally {
    await seed.store.close();
  }
}

async function exampleOf(seed: SeedStore, call: CallModel): Promise<CallExample | undefined> {
  const { ontology, sender, content, base } = seed;
  const reading = readingCall(ontology, call);
  const { example, paged } = factsOf(call);
  if (example === 'none') return undefined;
  if (example === 'posted') return reading && postedExample(seed, call, reading);
  for (const request of candidateRequests(call, sender, content.graphs, base)) {
    if (example === 'removed') return { request, headers: [], samples: [] };
    const asked = paged ? narrowed(seed, request) : request;
    // What is stored is read back by the call of the same path.
    const answer = await answerFromSeed(seed, { ...asked, call: reading ?? call }, example);
    if (answer) return { request: asked, ...answer };
  }
  return undefined;
}

/** The GET call that reads what another call writes; a GET reads what it answers. */
function readingCall({ calls }: Ontology, call: CallModel): CallModel | undefined {
  if (call.method === 'GET') return call;
  const reads = calls.filter(({ method, cardinality }) => method === 'GET' && cardinality === 'single');
  return reads.find(({ path }) => path === call.path) ?? reads.find(({ target }) => target === call.target);
}

/** A list request with a page that can be read at a glance, and for a search a term that finds somebody. */
function narrowed({ content }: SeedStore, request: ExampleRequest): ExampleRequest {
  const { call } = request;
  const term = call.parameters.find(({ operator }) => operator === 'begins');
  const found = term && firstText(content.graphs, call, term.paths);
  const query = [
    ...request.query,
    ...(term && found !== undefined ? [[term.name, foldName(found).slice(0, 3)] as const] : []),
    ...(call.parameters.some(({ name }) => name === 'limit') ? [['limit', PAGE] as const] : []),
  ];
  return { ...request, query, target: targetOf(call, { path: request.path, query }) };
}

/** A text at the end of one of the paths of a search term, in the first graph of the class that is searched. */
function firstText(
  graphs: readonly NamedGraph[],
  { target }: CallModel,
  paths: readonly (readonly string[])[],
): string | undefined {
  const last = paths.map((path) => path.at(-1));
  const isText = ({ predicate, object }: Quad): boolean =>
    object.termType === 'Literal' && last.includes(predicate.value);
  const searched = graphs.find(({ quads }) => quads.some(({ object }) => object.value === target));
  return searched?.quads.find(isText)?.object.value;
}
