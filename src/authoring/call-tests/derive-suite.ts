import { factsOf } from '../../model/ontology/answer-forms.js';
import type { CallModel } from '../../model/ontology/model.js';
import { shortNameIn } from '../../model/ontology/term-names.js';
import { namedNode, type Quad } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';
import type { ContainerDescription } from '../../records/container-manifest.js';
import { contentKeyOf, withoutContentKey } from '../../records/documents/content-key.js';
import { memoryFiles } from '../../records/documents/memory-files.js';
import { deriveIndex } from '../../records/search-index.js';
import { readSeed, type SeedContent } from '../../records/seed.js';
import { oneTitlePerCode } from '../../records/titles.js';
import { openAnswerer, type ServedModel } from '../trial/trial-answers.js';
import { openMemoryStore } from '../../store/memory-store.js';
import { commonCases } from './access-cases.js';
import { describeGraph } from './describe-graph.js';
import { unfollowedLinks, type SuiteSource } from './suite-source.js';
import { listCases } from './list-cases.js';
import { NaiveData } from './naive-data.js';
import { addedCases, jsonCases, serviceCases, storedCases } from './plain-cases.js';
import { queryOf, singleCases } from './single-cases.js';
import type { CallTest, Description, Suite } from './suite.js';

export const TEST_APP = {
  id: 'call-tests@apps.example.org',
  name: 'Tests of calls',
  description: 'Signs the requests of generated tests; it needs nobody and may make every call.',
  mode: 'background',
} as const;

export interface SuiteOptions {
  readonly model: ServedModel;
  /** The folder of the seed with invented patients, never a data directory. */
  readonly seed: string;
  /** Any base URL, without a trailing slash: the suite does not contain it. */
  readonly base: string;
  readonly container: ContainerDescription;
  readonly calls?: readonly string[];
}

/**
 * Derives the tests of an ontology's calls. Expected answers are computed from the seed with loops over arrays, as the
 * ontology describes them. Queries are not used, except those that create their own triples.
 * @throws Error that names an unreadable file of the seed, or says what the seed lacks
 */
export async function deriveSuite(options: SuiteOptions): Promise<Suite> {
  const { model, seed, base, container, calls: only } = options;
  const { ontology } = model;
  const content = await readSeed({ dir: seed, ontology, base, files: memoryFiles() });
  const data = new NaiveData(content.graphs, ontology, base);
  const store = openMemoryStore(base, deriveIndex(ontology));
  await store.write({ replace: content.graphs });
  const unopened = () => Promise.reject(new Error('a suite opens no data'));
  const source = { base, names: () => data.names(), graph: () => [], open: unopened };
  const answerer = await openAnswerer(model, source, store, container);
  const resources: Record<string, Description> = {};
  const notes: string[] = [];
  const suite: SuiteSource = {
    ...model,
    base,
    content,
    data,
    app: TEST_APP.id,
    user: userOf(content),
    records: recordsOf(content, data),
    answered: async (call, path) => describeGraph((await answerer.answer(call, path)).quads, base),
    use: (name) => {
      const path = data.pathOf(name);
      resources[path] ??= describeGraph(shown(data, name), base);
      return path;
    },
    note: (sentence) => notes.push(sentence),
  };
  try {
    const tests: CallTest[] = [];
    for (const call of ontology.calls) {
      if (only === undefined || only.includes(call.name)) tests.push(...(await casesOf(suite, call)));
    }
    const { app, user, records } = suite;
    return { ontology: ontology.version, app, user, records, resources, tests, notes };
  } finally {
    await answerer.close();
    await store.close();
  }
}

async function casesOf(source: SuiteSource, call: CallModel): Promise<CallTest[]> {
  const own = await ownCases(source, call);
  if (call.method === 'GET' && source.queries.has(call.name)) {
    for (const property of unfollowedLinks(call, queryOf(source, call), source.data)) {
      source.note(
        `${call.name}: its query does not follow ${shortNameIn(source.ontology, property)} to other statements.`,
      );
    }
  }
  return [...commonCases(source, call, own), ...own];
}

async function ownCases(source: SuiteSource, call: CallModel): Promise<CallTest[]> {
  if (call.answer === 'json') return jsonCases(source, call);
  if (factsOf(call).service !== undefined) return serviceCases(source, call);
  if (factsOf(call).ownedByApp) return storedCases(source, call);
  if (call.method === 'POST') return addedCases(source, call);
  if (call.method !== 'GET') return [];
  return call.cardinality === 'multiple' ? listCases(source, call) : singleCases(source, call);
}

/** Returns the part of a stored graph that answers show: without a file's location, and with its real size. */
function shown(data: NaiveData, name: string): Quad[] {
  const quads = data.graph(name);
  const isFile = contentKeyOf(quads, namedNode(name)) !== undefined;
  const isMade = ({ subject, predicate }: Quad): boolean =>
    isFile && subject.value === name && madeOfFiles.includes(predicate.value);
  const stated = withoutContentKey(quads).filter((each) => !isMade(each));
  const replaced = new Set(quads.filter(isMade).map(({ object }) => object.value));
  const own = stated.filter(
    ({ subject }) => !(subject.termType === 'BlankNode' && replaced.has(subject.value)),
  );
  return oneTitlePerCode(own, data.ontology);
}

/** Properties of a file that the container computes, whatever is stored. */
const madeOfFiles: readonly string[] = [sp.fileSize, sp.resource];

function userOf({ users }: SeedContent): string {
  const user = users.find(({ role }) => role === 'clinician') ?? users[0];
  if (!user) throw new Error('The seed has no user; tests sign in the name of one: add one to users.json.');
  return user.user_id;
}

/** Chooses at least two records with every class of the seed, twice if possible, since one shows no order. */
function recordsOf({ patients }: SeedContent, data: NaiveData): readonly [string, string, ...string[]] {
  const counts = new Map(patients.map(({ recordId }) => [recordId, countsOf(recordId, data)]));
  const chosen: string[] = [];
  const gain = (id: string, isAsked: (type: string) => boolean): number =>
    [...(counts.get(id) ?? [])].reduce((sum, [type, count]) => {
      if (!isAsked(type)) return sum;
      const known = Math.max(0, ...chosen.map((other) => counts.get(other)?.get(type) ?? 0));
      const isNew = known === 0 || (known === 1 && count > 1);
      return sum + (isNew ? NEW : 0) + Math.max(0, Math.min(count, ENOUGH) - Math.min(known, ENOUGH));
    }, 0);
  const choose = (isAsked: (type: string) => boolean): void => {
    for (;;) {
      const [next] = [...counts.keys()]
        .filter((id) => !chosen.includes(id))
        .sort((a, b) => gain(b, isAsked) - gain(a, isAsked));
      if (next === undefined || (chosen.length >= 2 && gain(next, isAsked) < NEW)) break;
      chosen.push(next);
    }
  };
  // What is kept in words has no filters; one of each kind is enough.
  choose((type) => data.ontology.classes.get(type)?.insteadOf === undefined);
  choose(() => true);
  const [first, second, ...others] = chosen;
  if (first === undefined || second === undefined) {
    throw new Error(
      'The seed has fewer than two records; isolation is tested with two: add one to records/.',
    );
  }
  return [first, second, ...others];
}

/** The weight of a class that no other record has, or has twice, compared with members of others. */
const NEW = 100;

/** This many members are enough to test the filters and pages of a list. */
const ENOUGH = 4;

function countsOf(record: string, data: NaiveData): Map<string, number> {
  const owner = `${data.base}/records/${record}`;
  const own = data
    .names()
    .filter((name) => data.values(name, sp.belongsTo).some(({ value }) => value === owner));
  const counts = new Map<string, number>();
  for (const type of own.flatMap((name) => data.typesOf(name))) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
