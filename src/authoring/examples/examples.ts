import { setImmediate as nextTurn } from 'node:timers/promises';
import { factsOf } from '../../model/ontology/answer-forms.js';
import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { foldName } from '../../model/query/fold.js';
import type { Quad } from '../../rdf/terms.js';
import type { NamedGraph } from '../../store/graph-store.js';
import { classSamples } from './class-samples.js';
import { answerFromSeed, postedExample } from './example-answer.js';
import { candidateRequests } from './example-request.js';
import { noExamples, targetOf, type CallExample, type ExampleRequest, type Examples } from './example.js';
import { openSeedStore, type ExampleSource, type SeedStore } from './seed-store.js';

/** Statements in an example list, so that it stays readable. */
const PAGE = '2';

/**
 * Makes the examples of a container: a request for each call with its answer over the seed, and an instance of each
 * class. Reads only the seed folder. @throws Error that names an unreadable file of the seed
 */
export async function makeExamples(source: ExampleSource): Promise<Examples> {
  const seed = await openSeedStore(source);
  if (!seed) return noExamples;
  try {
    const calls = new Map<string, CallExample>();
    for (const call of source.ontology.calls) {
      const example = await exampleOf(seed, call);
      if (example) calls.set(call.name, example);
      // Lets other requests run meanwhile.
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
    // A write is shown by the call that reads the same path.
    const answer = await answerFromSeed[example](seed, { ...asked, call: reading ?? call });
    if (answer) return { request: asked, ...answer };
  }
  return undefined;
}

/** Returns the GET call that reads what a call writes; a GET itself. */
function readingCall({ calls }: Ontology, call: CallModel): CallModel | undefined {
  if (call.method === 'GET') return call;
  const reads = calls.filter(({ method, cardinality }) => method === 'GET' && cardinality === 'single');
  return reads.find(({ path }) => path === call.path) ?? reads.find(({ target }) => target === call.target);
}

/** Limits a list request to a short page, and gives a search a term with matches. */
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

/** Returns a text at the end of one of a search term's paths, in the first graph of the class. */
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
