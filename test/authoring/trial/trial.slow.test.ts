import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import { readOntology } from '../../../src/model/ontology/read.js';
import { loadQueries } from '../../../src/model/query/load-queries.js';
import { QueryTemplate } from '../../../src/model/query/template.js';
import { prefixes, sp } from '../../../src/rdf/vocabulary.js';
import type { Quad } from '../../../src/rdf/terms.js';
import type { ServedModel } from '../../../src/authoring/trial/trial-answers.js';
import { seedSource, type DataSource } from '../../../src/authoring/trial/data-source.js';
import { tryOntology, type CallTrial, type TrialOptions } from '../../../src/authoring/trial/trial.js';

const root = resolve(import.meta.dirname, '..', '..', '..');
const container = { name: 'Test', description: 'A trial', admin: '', version: '0.1.0' };
const RECORD = '1000001';

let shipped: ServedModel;
let data: DataSource;

beforeAll(async () => {
  const { ontology, quads } = await loadOntology(resolve(root, 'ontology'));
  const queries = await loadQueries(resolve(root, 'queries'), ontology);
  shipped = { ontology, quads, queries, faults: new Map() };
  data = await seedSource({ dir: resolve(root, 'seed'), ontology, base: 'http://localhost' });
});

/** The shipped model with other quads in its ontology. */
function withQuads(change: (quad: Quad) => readonly Quad[]): ServedModel {
  const quads = shipped.quads.flatMap(change);
  return { ...shipped, quads, ontology: readOntology(quads) };
}

/** The shipped model with another text of one query. */
function withQuery(call: string, edit: (text: string) => string): ServedModel {
  const text = shipped.queries.get(call)?.text ?? '';
  const edited = edit(text);
  if (edited === text) throw new Error(`nothing was edited in the query of ${call}`);
  const queries = new Map(shipped.queries);
  queries.set(call, new QueryTemplate(call, `${call}.rq`, edited));
  return { ...shipped, queries };
}

async function trial(now: ServedModel, more: Partial<TrialOptions> = {}): Promise<Record<string, CallTrial>> {
  const found = await tryOntology({
    data,
    old: shipped,
    now,
    container,
    limit: 3,
    record: RECORD,
    ...more,
  });
  return Object.fromEntries(found.map((each) => [each.call, each]));
}

/** Calls that are not answered the same. */
const changed = (trials: Record<string, CallTrial>): Record<string, string> =>
  Object.fromEntries(
    Object.values(trials)
      .filter(({ status }) => status !== 'same')
      .map(({ call, status }) => [call, status]),
  );

const call = (name: string): string => `${prefixes.calls}${name}`;

describe('an ontology is tried over the data', () => {
  test('the same ontology answers the same, every GET call with what there is', async () => {
    const trials = await trial(shipped);
    expect(changed(trials)).toEqual({});
    const answered = [...shipped.queries.keys()];
    expect(answered).not.toEqual([]);
    expect(Object.keys(trials).sort()).toEqual(answered.sort());
    expect(trials['get_demographics']).toMatchObject({ asked: 1, of: 1 });
    expect(trials['get_medications']).toMatchObject({ asked: 1, of: 1 });
    const { asked, of, triples } = trials['get_medication'] ?? {};
    expect({ asked, of: (of ?? 0) > 3, triples: (triples ?? 0) > 0 }).toEqual({
      asked: 3,
      of: true,
      triples: true,
    });
    // What is in no record is asked for all the same.
    expect(trials['get_user']?.asked).toBe(3);
    expect(trials['search_records']?.triples).toBeGreaterThan(100);
  });

  test('a changed query shows its call and the triples that are missing', async () => {
    const now = withQuery('get_medication', (text) =>
      text.replace('sp:fulfillment? ?part', 'sp:nothing? ?part'),
    );
    const trials = await trial(now, { limit: 100 });
    expect(changed(trials)).toEqual({ get_medication: 'different' });
    const [first] = trials['get_medication']?.differences ?? [];
    expect(first?.resource).toMatch(/^http:\/\/localhost\/records\/1000001\/medications\/[0-9a-f]+$/u);
    expect(first?.added).toEqual([]);
    expect(first?.removed.some(({ object }) => object.value === sp.Fulfillment)).toBe(true);
    expect(first?.reordered).toBe(false);
  });

  test('nodes that a query makes of its own are no difference, though no two of its answers name them alike', async () => {
    const own = (text: string): string =>
      text.replace(
        'CONSTRUCT { ?s ?p ?o }',
        'CONSTRUCT { ?s ?p ?o . [] sp:code ?s ; sp:value [ sp:unit ?o ] }',
      );
    const now = withQuery('get_problem', own);
    const trials = await trial(now, { old: now });
    expect(changed(trials)).toEqual({});
    expect(changed(await trial(now))).toEqual({ get_problem: 'different' });
  });

  test('another order of a list is seen, in the index that it asks for', async () => {
    const now = withQuads((quad) =>
      quad.subject.value === call('get_encounters') && quad.object.value === 'sp:startDate' ? [] : [quad],
    );
    const { get_encounters: found } = await trial(now);
    expect(found).toMatchObject({
      status: 'different',
      differences: [{ added: [], removed: [], reordered: true }],
    });
  });

  test('a call that goes and one that comes are named', async () => {
    const renamed = withQuads((quad) =>
      quad.subject.value === call('get_photograph') || quad.predicate.value === `${prefixes.api}nothing`
        ? []
        : [quad],
    );
    const trials = await trial(renamed);
    // The manifest tells what can be done with each class.
    expect(changed(trials)).toEqual({
      get_photograph: 'removed',
      get_ontology: 'different',
      get_container_manifest: 'different',
    });
    const back = await trial(shipped, { old: renamed });
    expect(changed(back)).toMatchObject({ get_photograph: 'added' });
    expect(back['get_photograph']?.triples).toBeGreaterThan(0);
  });

  test('a call that fails says why and where, and the others go on', async () => {
    const queries = new Map(shipped.queries);
    queries.delete('get_problems');
    const broken = withQuery('get_problem', (text) => text.replaceAll('$record', '$nobody'));
    const now: ServedModel = {
      ...shipped,
      queries: new Map([...queries, ['get_problem', broken.queries.get('get_problem') as QueryTemplate]]),
      faults: new Map([['get_allergy', 'get_allergy.rq:1: the query ends too early']]),
    };
    const trials = await trial(now);
    expect(changed(trials)).toEqual({ get_allergy: 'failed', get_problem: 'failed', get_problems: 'failed' });
    expect(trials['get_allergy']?.error).toBe('get_allergy.rq:1: the query ends too early');
    expect(trials['get_problem']?.error).toMatch(
      /^http:\/\/localhost\/records\/1000001\/problems\/\w+: get_problem\.rq needs a value for \$nobody$/u,
    );
    expect(trials['get_problems']?.error).toBe(
      'http://localhost/records/1000001/problems: there is no query for the call',
    );
  });
});
