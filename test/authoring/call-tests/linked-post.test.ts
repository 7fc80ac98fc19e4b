import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkCall } from '../../../src/authoring/call-tests/check-answer.js';
import { deriveSuite } from '../../../src/authoring/call-tests/derive-suite.js';
import type { Suite } from '../../../src/authoring/call-tests/suite.js';
import { withQueries } from '../../../src/cli/ontology/served-model.js';
import { loadOntology, readOntologyLayers } from '../../../src/model/ontology/directory.js';
import { containerSettings } from '../../setup/container-settings.js';
import { startSwappedContainer, type SwappedContainer } from './swapped-container.js';

const root = resolve(import.meta.dirname, '..', '..', '..');
const { name, description, admin, version } = containerSettings('');

/** Statements that link to others of their record: problems to encounters, imaging studies to their images. */
const posts = `
  @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
  @prefix sp: <http://smartplatforms.org/terms#> . @prefix api: <http://smartplatforms.org/terms/api#> .
  @prefix cg: <https://chartgraph.example.org/terms#> .
  ${[
    ['post_problem', 'problems', 'sp:Problem'],
    ['post_imaging_study', 'imaging_studies', 'sp:ImagingStudy'],
  ]
    .map(
      ([call, path, target]) => `api:${call} a owl:NamedIndividual , api:Call ; rdfs:label "Add" ;
        api:clientMethodName "${call}" ; api:httpMethod "POST" ; api:path "/records/{record_id}/${path}/" ;
        api:target ${target} ; api:category "record" ; api:cardinality "single" ; cg:answer "rdf" .`,
    )
    .join('\n')}`;

let suite: Suite;
let container: SwappedContainer;
beforeAll(async () => {
  const { files } = await loadOntology(resolve(root, 'ontology'));
  const added = { name: 'posts.ttl', path: 'posts.ttl', text: new TextEncoder().encode(posts) };
  const model = await withQueries(await readOntologyLayers([[...files, added]]), resolve(root, 'queries'));
  suite = await deriveSuite({
    model,
    seed: resolve(root, 'seed'),
    base: 'http://localhost:7000',
    container: { name, description, admin, version },
    calls: ['post_problem', 'post_imaging_study'],
  });
  container = await startSwappedContainer(suite, model);
  await container.serve(model, false);
});
afterAll(() => container.stop());

it('a statement that links to others is added to the record that it is of', async () => {
  const added = suite.tests.filter(({ expect: { kind } }) => kind === 'added');
  expect(added.map(({ call }) => call)).toEqual(['post_imaging_study', 'post_problem']);
  for (const test of added) {
    expect(test.body?.text).toContain(`{base}/records/${test.as}/`);
    await checkCall(suite, test, container);
  }
  // One of them is not of the record that all else is asked of.
  expect(new Set(added.map(({ as }) => as)).size).toBe(2);
});
