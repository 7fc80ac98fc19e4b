import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCall } from '../../../src/authoring/call-tests/check-answer.js';
import { deriveSuite } from '../../../src/authoring/call-tests/derive-suite.js';
import { runningContainer, type Asked } from '../../../src/authoring/call-tests/ask.js';
import { issueTokens } from '../../../src/cli/ontology/scratch-container.js';
import { withQueries } from '../../../src/cli/ontology/served-model.js';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import { startTestContainer, type TestContainer } from '../../http/container.js';
import { containerSettings } from '../../setup/container-settings.js';

const root = resolve(import.meta.dirname, '..', '..', '..');
const model = await withQueries(await loadOntology(resolve(root, 'ontology')), resolve(root, 'queries'));
const { name, description, admin, version } = containerSettings('');
const suite = await deriveSuite({
  model,
  seed: resolve(root, 'seed'),
  base: 'http://localhost:7000',
  container: { name, description, admin, version },
});

let container: TestContainer;
let asked: Asked;

beforeAll(async () => {
  container = await startTestContainer();
  asked = runningContainer(container.url, await issueTokens(container, container.url, suite));
});
afterAll(() => container.stop());

describe('the suite of the shipped ontology', () => {
  it('tests every call, and lets nothing undone but what it names', () => {
    for (const { name: call } of model.ontology.calls) {
      expect(suite.tests.filter((test) => test.call === call).length, call).toBeGreaterThan(1);
    }
    // The seed has one of each kind that is kept in words.
    expect(
      suite.notes.filter((note) => !/no value of the data passes date_|^get_unmapped_/u.test(note)),
    ).toEqual([
      expect.stringContaining('get_documents: no list of the seed tells its order'),
      expect.stringContaining('get_imaging_studies: no list of the seed tells its order'),
      expect.stringContaining('get_record: its query makes triples that no graph holds'),
    ]);
  });

  it.each([...new Set(suite.tests.map(({ call }) => call))])(
    '%s answers as ontology and data say',
    async (call) => {
      const failures: string[] = [];
      for (const test of suite.tests.filter((each) => each.call === call)) {
        await checkCall(suite, test, asked).catch((error: unknown) =>
          failures.push(`${test.says}: ${String(error)}`),
        );
      }
      expect(failures).toEqual([]);
    },
  );
});
