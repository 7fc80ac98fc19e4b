import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkCall, TestFailure } from '../../../src/authoring/call-tests/check-answer.js';
import { deriveSuite } from '../../../src/authoring/call-tests/derive-suite.js';
import { withQueries } from '../../../src/cli/ontology/served-model.js';
import { answerTypes } from '../../../src/model/ontology/answer-forms.js';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import { containerSettings } from '../../setup/container-settings.js';
import { ontologyMutants } from './ontology-mutants.js';
import { queryMutants, type Mutant } from './query-mutants.js';
import { startSwappedContainer, type SwappedContainer } from './swapped-container.js';

const root = resolve(import.meta.dirname, '..', '..', '..');
const loaded = await loadOntology(resolve(root, 'ontology'));
const model = await withQueries(loaded, resolve(root, 'queries'));
const { name, description, admin, version } = containerSettings('');
const suite = await deriveSuite({
  model,
  seed: resolve(root, 'seed'),
  base: 'http://localhost:7000',
  container: { name, description, admin, version },
});

/**
 * A usual run takes every so many-th of the mutants; `CHARTGRAPH_TEST_MUTANTS=1` takes them all, in ten minutes or so.
 */
const every = Number(process.env['CHARTGRAPH_TEST_MUTANTS'] ?? 0);
const isQueryChosen = (index: number): boolean => index % (every || 8) === 0;
const isOntologyChosen = (index: number): boolean => index % (every || 24) === 0;
/** No test of speed: so many mutants take so long. */
const timeout = every === 0 ? 180_000 : 3_600_000;

let container: SwappedContainer;
beforeAll(async () => {
  container = await startSwappedContainer(suite, model);
});
afterAll(() => container.stop());

/** Whether a test of one of its calls fails. What answers are of comes first: most mutants fall there. */
async function isCaught({ model: changed, calls, hasOtherIndex }: Mutant): Promise<boolean> {
  await container.serve(changed, hasOtherIndex);
  const own = suite.tests.filter(({ call }) => calls.includes(call));
  const ordered = [...own.filter(({ expect: { kind } }) => kind !== 'refusal'), ...own];
  try {
    for (const test of ordered) await checkCall(suite, test, container);
    return false;
  } catch (error) {
    if (error instanceof TestFailure) return true;
    throw error;
  } finally {
    await container.tidy();
  }
}

it('the suite passes on the model that it is derived from', async () => {
  expect(
    await isCaught({ name: 'none', model, calls: ['get_problems', 'get_problem'], hasOtherIndex: false }),
  ).toBe(false);
});

const isSingle = (call: string): boolean => model.ontology.callByName.get(call)?.cardinality === 'single';

/** Changes that no request can tell from what was there. */
const equivalents: readonly ((call: string, change: string) => boolean)[] = [
  // The place of a single resource decides its class: nothing of another class can stand there.
  (call, change) => isSingle(call) && /^(; a \S+|FILTER \(\?class IN .*\)) → nothing$/.test(change),
  // What is kept in words has no components.
  (call, change) => /_unmapped_/.test(call) && change.endsWith('FILTER (!CONTAINS(STR(?s), "#_"))'),
  // The answer is one triple.
  (call, change) => isSingle(call) && call.endsWith('_manifest') && change === '} → } LIMIT 1',
  // Every record of the seed has statements.
  (call, change) => call === 'get_record' && change === 'OPTIONAL → nothing',
  // Where the form of the answer has these media types in this order anyway, nobody has to promise one.
  (name, change) => {
    const call = model.ontology.callByName.get(name);
    if (!call || change !== `responseContentType ${call.contentType} → nothing`) return false;
    const { contentType: _, ...unsaid } = call;
    return answerTypes(unsaid).join() === answerTypes(call).join();
  },
];

/** What is left over of mutants: those that no test caught and that are not known to be equivalent. */
function judge(tried: number, survivors: readonly string[]): void {
  const isEquivalent = (survivor: string): boolean => {
    const [call = '', change = ''] = survivor.split(/: (.*)/s);
    return equivalents.some((is) => is(call, change));
  };
  const missed = survivors.filter((survivor) => !isEquivalent(survivor));
  const able = tried - (survivors.length - missed.length);
  const share = (able - missed.length) / able;
  // A sample may have more than its share of those that are missed.
  expect(share, `${able} changes, missed: ${missed.join('; ')}`).toBeGreaterThanOrEqual(
    every === 1 ? 0.95 : 0.9,
  );
}

it('changes of queries that the rules accept are caught', { timeout }, async () => {
  const { mutants, refused } = queryMutants(model);
  expect(mutants.length).toBeGreaterThan(200);
  expect(refused).toBeGreaterThan(0);
  const chosen = mutants.filter((_, index) => isQueryChosen(index));
  const survivors: string[] = [];
  for (const mutant of chosen) if (!(await isCaught(mutant))) survivors.push(mutant.name);
  judge(chosen.length, survivors);
});

it('changes of the ontology that the rules accept are caught', { timeout }, async () => {
  const survivors: string[] = [];
  let tried = 0;
  for (const mutant of ontologyMutants(loaded.quads, model, isOntologyChosen)) {
    if (!mutant) continue;
    tried++;
    if (!(await isCaught(mutant))) survivors.push(mutant.name);
  }
  judge(tried, survivors);
});
