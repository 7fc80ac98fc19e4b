import { factsOf } from '../../ontology/answer-forms.js';
import type { CallModel, Ontology } from '../../ontology/model.js';
import { graphDifference } from '../../rdf/graph-difference.js';
import type { Quad } from '../../rdf/terms.js';
import type { ContainerDescription } from '../container-manifest.js';
import { compareCosts, costOf, type CallCost } from './cost.js';
import { openAnswerer, type Answerer, type ServedModel, type TrialAnswer } from './trial-answers.js';
import type { DataSource } from './data-source.js';
import { resourceOf } from '../resource-paths.js';
import { instancesOf, type PathParameters } from './instances.js';

export interface TrialOptions {
  readonly data: DataSource;
  readonly old: ServedModel;
  readonly now: ServedModel;
  readonly container: ContainerDescription;
  /** The most requests of each call. */
  readonly limit: number;
  /** Only what lies in this record, and what lies in none. */
  readonly record?: string | undefined;
  /** How often each request is made again to see how long it takes; by default never. */
  readonly rounds?: number;
  /** Told before each call which one it is. */
  readonly onCall?: (done: number, of: number) => void;
}

/** What became of one request that is answered in another way. */
export interface AnswerDifference {
  /** IRI of what was asked for. */
  readonly resource: string;
  readonly added: readonly Quad[];
  readonly removed: readonly Quad[];
  /** Whether the list has another order; for the same graph that is all there is. */
  readonly reordered: boolean;
}

/** What became of one call. */
export interface CallTrial {
  readonly call: string;
  readonly status: 'same' | 'different' | 'added' | 'removed' | 'failed';
  /** How many requests were made, and how many could have been. */
  readonly asked: number;
  readonly of: number;
  /** Triples in all answers of the new ontology (of the old one for a call that is removed). */
  readonly triples: number;
  readonly differences: readonly AnswerDifference[];
  /** What it takes, where that was measured. */
  readonly cost?: CallCost;
  /** Why it failed, and where it did. */
  readonly error?: string;
}

/**
 * Asks every GET call of two ontologies over the same data, each with its own queries and its own index, and compares
 * the answers as graphs. Lists are asked for without filters. Nothing is written.
 */
export async function tryOntology(options: TrialOptions): Promise<CallTrial[]> {
  const { data, old, now, container } = options;
  const oldStore = await data.open(old.ontology);
  const nowStore = sameIndex(old.ontology, now.ontology) ? oldStore : await data.open(now.ontology);
  const before = await openAnswerer(old, data, oldStore, container);
  const after = await openAnswerer(now, data, nowStore, container);
  try {
    return await askAll(options, before, after);
  } finally {
    await before.close();
    await after.close();
    if (nowStore !== oldStore) await nowStore.close();
    await oldStore.close();
  }
}

/** Whether two ontologies ask for the same index: it depends on what their calls filter, search and sort by. */
function sameIndex(old: Ontology, now: Ontology): boolean {
  const asked = ({ calls }: Ontology): string =>
    JSON.stringify(
      calls.map(({ target, filters, parameters, sortProperties, sortNames }) => [
        target,
        filters,
        parameters,
        sortProperties,
        sortNames,
      ]),
    );
  return asked(old) === asked(now);
}

async function askAll(options: TrialOptions, before: Answerer, after: Answerer): Promise<CallTrial[]> {
  const { data, old, now, record, limit } = options;
  const names = data.names();
  const gets = ({ ontology }: ServedModel): CallModel[] => ontology.calls.filter(isAsked);
  const callNames = [...new Set([...gets(old), ...gets(now)].map(({ name }) => name))].sort();
  const trials: CallTrial[] = [];
  for (const [done, name] of callNames.entries()) {
    options.onCall?.(done, callNames.length);
    const [was, is] = [callOf(old, name), callOf(now, name)];
    const all = requestsOf([was, is], names, data.base).filter(
      ({ record_id: id }) => record === undefined || id === undefined || id === record,
    );
    const requests = all.slice(0, limit);
    const common = { call: name, asked: requests.length, of: all.length };
    const found = await askOne(options, { was, is, requests, before, after });
    trials.push({ ...common, ...found });
  }
  return trials;
}

const callOf = ({ ontology }: ServedModel, name: string): CallModel | undefined => {
  const call = ontology.callByName.get(name);
  return call && isAsked(call) ? call : undefined;
};

/** What a service answers is the same with any ontology. */
const isAsked = (call: CallModel): boolean => call.method === 'GET' && factsOf(call).service === undefined;

/** The requests of either version of a call, each once. */
function requestsOf(
  calls: readonly (CallModel | undefined)[],
  names: readonly string[],
  base: string,
): PathParameters[] {
  const all = calls.flatMap((call) => (call ? instancesOf(call, names, base) : []));
  return [...new Map(all.map((parameters) => [JSON.stringify(parameters), parameters])).values()];
}

interface Asked {
  readonly was: CallModel | undefined;
  readonly is: CallModel | undefined;
  readonly requests: readonly PathParameters[];
  readonly before: Answerer;
  readonly after: Answerer;
}

type Outcome = Omit<CallTrial, 'call' | 'asked' | 'of'>;

async function askOne(options: TrialOptions, asked: Asked): Promise<Outcome> {
  const { now, data } = options;
  const { was, is, requests, before, after } = asked;
  const fault = is && now.faults.get(is.name);
  if (fault !== undefined) return { status: 'failed', triples: 0, differences: [], error: fault };
  let triples = 0;
  const differences: AnswerDifference[] = [];
  for (const parameters of requests) {
    const old = was && (await attempt(before, was, parameters, data.base));
    const own = is && (await attempt(after, is, parameters, data.base));
    // One failure tells all: the others would cost as much and say the same.
    if (own?.error !== undefined) return { status: 'failed', triples, differences, error: own.error };
    triples += (own ?? old)?.quads.length ?? 0;
    // Where the old one failed, the new one can only be better.
    if (old && own && old.error === undefined) differences.push(...compare(own.resource, old, own));
  }
  const status = !was ? 'added' : !is ? 'removed' : differences.length > 0 ? 'different' : 'same';
  if (requests.length === 0 || !options.rounds) return { status, triples, differences };
  return { status, triples, differences, cost: await timed(options, asked) };
}

/** Makes all requests again, the old and the new in turns, so that what slows the machine slows both. */
async function timed({ old, now, data, rounds = 0 }: TrialOptions, asked: Asked): Promise<CallCost> {
  const { was, is, requests, before, after } = asked;
  const sides = [
    { call: was, answerer: before, times: [] as number[] },
    { call: is, answerer: after, times: [] as number[] },
  ];
  for (let round = 0; round < rounds; round++) {
    for (const { call, answerer, times } of sides) {
      if (!call) continue;
      const start = performance.now();
      for (const parameters of requests) await attempt(answerer, call, parameters, data.base);
      times.push(performance.now() - start);
    }
  }
  const [first, second] = sides.map(({ times }) => times);
  return compareCosts(
    costOf(was && old.queries.get(was.name), first),
    costOf(is && now.queries.get(is.name), second),
    rounds,
  );
}

interface Attempt extends TrialAnswer {
  readonly resource: string;
  readonly error?: string;
}

async function attempt(
  answerer: Answerer,
  call: CallModel,
  parameters: PathParameters,
  base: string,
): Promise<Attempt> {
  const resource = resourceOf(call, parameters, base);
  try {
    return { resource, ...(await answerer.answer(call, parameters)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { resource, quads: [], order: [], error: `${resource}: ${reason}` };
  }
}

function compare(resource: string, old: TrialAnswer, now: TrialAnswer): AnswerDifference[] {
  const { added, removed } = graphDifference(old.quads, now.quads);
  // What came or went changes the order by itself: only what both hold can be in another one.
  const [was, is] = [new Set(old.order), new Set(now.order)];
  const common = (order: readonly string[]): string =>
    JSON.stringify(order.filter((iri) => was.has(iri) && is.has(iri)));
  const reordered = common(old.order) !== common(now.order);
  return added.length + removed.length > 0 || reordered ? [{ resource, added, removed, reordered }] : [];
}
