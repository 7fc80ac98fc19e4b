import { factsOf } from '../../model/ontology/answer-forms.js';
import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { graphDifference } from '../../rdf/graph-difference.js';
import type { Quad } from '../../rdf/terms.js';
import type { ContainerDescription } from '../../records/container-manifest.js';
import {
  instancesOf,
  openAnswerer,
  type Answerer,
  type PathParameters,
  type ServedModel,
  type TrialAnswer,
} from './trial-answers.js';
import type { DataSource } from './data-source.js';
import { resourceOf } from '../../records/resource-paths.js';

export interface TrialOptions {
  readonly data: DataSource;
  readonly old: ServedModel;
  readonly now: ServedModel;
  readonly container: ContainerDescription;
  readonly limit: number;
  readonly record?: string | undefined;
  readonly onCall?: (done: number, of: number) => void;
}

export interface AnswerDifference {
  readonly resource: string;
  readonly added: readonly Quad[];
  readonly removed: readonly Quad[];
  readonly reordered: boolean;
}

export interface CallTrial {
  readonly call: string;
  readonly status: 'same' | 'different' | 'added' | 'removed' | 'failed';
  readonly asked: number;
  readonly of: number;
  /** In all answers of the new ontology (the old one's for a removed call). */
  readonly triples: number;
  readonly differences: readonly AnswerDifference[];
  readonly error?: string;
}

/** Compares the answers to every unfiltered GET call of two ontologies over the same data. Nothing is written. */
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

/** Whether two ontologies need the same index: for filters, searches and orders of their calls. */
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
    trials.push({ ...common, ...(await askOne(options, [was, before], [is, after], requests)) });
  }
  return trials;
}

const callOf = ({ ontology }: ServedModel, name: string): CallModel | undefined => {
  const call = ontology.callByName.get(name);
  return call && isAsked(call) ? call : undefined;
};

/** A service answers the same with any ontology. */
const isAsked = (call: CallModel): boolean => call.method === 'GET' && factsOf(call).service === undefined;

function requestsOf(calls: readonly (CallModel | undefined)[], names: readonly string[], base: string) {
  const all = calls.flatMap((call) => (call ? instancesOf(call, names, base) : []));
  return [...new Map(all.map((parameters) => [JSON.stringify(parameters), parameters])).values()];
}

async function askOne(
  { now, data }: TrialOptions,
  [was, before]: readonly [CallModel | undefined, Answerer],
  [is, after]: readonly [CallModel | undefined, Answerer],
  requests: readonly PathParameters[],
): Promise<Omit<CallTrial, 'call' | 'asked' | 'of'>> {
  const fault = is && now.faults.get(is.name);
  if (fault !== undefined) return { status: 'failed', triples: 0, differences: [], error: fault };
  let triples = 0;
  const differences: AnswerDifference[] = [];
  for (const parameters of requests) {
    const old = was && (await attempt(before, was, parameters, data.base));
    const own = is && (await attempt(after, is, parameters, data.base));
    if (own?.error !== undefined) return { status: 'failed', triples, differences, error: own.error };
    triples += (own ?? old)?.quads.length ?? 0;
    if (old && own && old.error === undefined) differences.push(...compare(own.resource, old, own));
  }
  const status = !was ? 'added' : !is ? 'removed' : differences.length > 0 ? 'different' : 'same';
  return { status, triples, differences };
}

async function attempt(answerer: Answerer, call: CallModel, parameters: PathParameters, base: string) {
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
  const [was, is] = [new Set(old.order), new Set(now.order)];
  const common = (order: readonly string[]): string =>
    JSON.stringify(order.filter((iri) => was.has(iri) && is.has(iri)));
  const reordered = common(old.order) !== common(now.order);
  return added.length + removed.length > 0 || reordered ? [{ resource, added, removed, reordered }] : [];
}
