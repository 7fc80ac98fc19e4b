import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import type { CallModel } from '../../src/model/ontology/model.js';
import { writeRecord } from './chart.js';
import { sp } from '../../src/rdf/vocabulary.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

const { ontology } = await loadOntology(resolve(import.meta.dirname, '..', '..', 'ontology'));

const APP = 'demo-ui@apps.example.org';
const RECORD = 'chart';
const USER = 'clinician';

const states = [
  'none',
  'bad signature',
  'unknown token',
  'expired token',
  'revoked token',
  'app alone',
  'other record',
  'other app',
  'other user',
  'right one',
] as const;
type State = (typeof states)[number];

// What each call answers in each state. The right one is a token of the app, user and record in the path; each other
// token differs in one of them. A scratchpad is read by any app and written by its own; preferences have no record.
// prettier-ignore
const table: Record<string, number[]> = {
  //                               none bad  unkn exp. rev. app  other other other right
  //                                    sign tok. tok. tok. only rec.  app   user
  get_app_manifest:               [200, 401, 401, 401, 401, 200, 200, 200, 200, 200],
  get_app_manifests:              [200, 401, 401, 401, 401, 200, 200, 200, 200, 200],
  get_container_manifest:         [200, 401, 401, 401, 401, 200, 200, 200, 200, 200],
  get_ontology:                   [200, 401, 401, 401, 401, 200, 200, 200, 200, 200],
  get_user:                       [200, 401, 401, 401, 401, 200, 200, 200, 200, 200],
  search_records:                 [200, 401, 401, 401, 401, 200, 200, 200, 200, 200],
  search_users:                   [200, 401, 401, 401, 401, 200, 200, 200, 200, 200],

  get_user_preferences:           [401, 401, 401, 401, 401, 403, 200, 403, 403, 200],
  put_user_preferences:           [401, 401, 401, 401, 401, 403, 200, 403, 403, 200],
  delete_user_preferences:        [401, 401, 401, 401, 401, 403, 200, 403, 403, 200],

  get_scratchpad_data:            [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  put_scratchpad_data:            [401, 401, 401, 401, 401, 403, 403, 403, 200, 200],
  delete_scratchpad_data:         [401, 401, 401, 401, 401, 403, 403, 403, 200, 200],
  post_clinical_note:             [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],

  get_allergies:                  [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_allergy:                    [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_clinical_note:              [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_clinical_notes:             [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_demographics:               [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_document:                   [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_documents:                  [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_encounter:                  [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_encounters:                 [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_family_history_observation: [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_family_history_observations:[401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_fulfillment:                [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_fulfillments:               [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_imaging_studies:            [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_imaging_study:              [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_immunization:               [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_immunizations:              [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_lab_panel:                  [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_lab_panels:                 [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_lab_result:                 [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_lab_results:                [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_medication:                 [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_medications:                [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_medical_image:              [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_medical_images:             [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_photograph:                 [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_problem:                    [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_problems:                   [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_procedure:                  [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_procedures:                 [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_record:                     [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_record_changes:             [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_record_subscriptions:       [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_record_subscription:        [401, 401, 401, 401, 401, 403, 403, 404, 404, 404],
  put_record_subscription:        [401, 401, 401, 401, 401, 403, 403, 404, 404, 404],
  delete_record_subscription:     [401, 401, 401, 401, 401, 403, 403, 404, 404, 404],
  // For a background app alone: nobody here is one.
  get_exports:                    [401, 401, 401, 401, 401, 403, 403, 403, 403, 403],
  get_export:                     [401, 401, 401, 401, 401, 403, 403, 403, 403, 403],
  get_export_file:                [401, 401, 401, 401, 401, 403, 403, 403, 403, 403],
  post_export:                    [401, 401, 401, 401, 401, 403, 403, 403, 403, 403],
  delete_export:                  [401, 401, 401, 401, 401, 403, 403, 403, 403, 403],
  // What is sent is no JSON.
  post_record_subscription:       [401, 401, 401, 401, 401, 403, 403, 415, 415, 415],
  get_social_history:             [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_allergies:         [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_allergy:           [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_imaging_studies:   [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_imaging_study:     [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_immunization:      [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_immunizations:     [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_lab_result:        [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_lab_results:       [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_medication:        [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_medications:       [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_problem:           [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_problems:          [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_procedure:         [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_procedures:        [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_vital_sign_set:    [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_unmapped_vital_sign_sets:   [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_vital_sign_set:             [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
  get_vital_sign_sets:            [401, 401, 401, 401, 401, 403, 403, 200, 200, 200],
};

const note = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:sp="http://smartplatforms.org/terms#" xmlns:dcterms="http://purl.org/dc/terms/">
  <sp:ClinicalNote>
    <dcterms:date>2012-05-17</dcterms:date>
    <dcterms:title>A note</dcterms:title>
    <dcterms:format><dcterms:MediaTypeOrExtent rdf:about="http://purl.org/NET/mediatypes/text/plain">
      <rdfs:label>text/plain</rdfs:label>
    </dcterms:MediaTypeOrExtent></dcterms:format>
    <sp:resource><sp:Resource><sp:content><sp:Content>
      <sp:encoding>UTF-8</sp:encoding><sp:value>Well.</sp:value>
    </sp:Content></sp:content></sp:Resource></sp:resource>
  </sp:ClinicalNote>
</rdf:RDF>`;

const bodies: Record<string, { body: string; type: string }> = {
  PUT: { body: 'kept', type: 'text/plain' },
  POST: { body: note, type: 'application/rdf+xml' },
};

/** The path of a call with everything in its place, below the record for what `writeRecord` takes. */
function pathOf({ path, answer, cardinality }: CallModel): string {
  const values: Record<string, string> = {
    record_id: RECORD,
    user_id: USER,
    smart_app_id: APP,
    app_id: APP,
    descriptor: APP,
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x');
  // The document has no file; what its description needs of credentials is the same.
  return answer === 'document' && cardinality === 'single' ? `${filled}?format=metadata` : filled;
}

let container: TestContainer;
const credentials = new Map<State, Credentials>();

beforeAll(async () => {
  container = await startTestContainer();
  const items = ontology.calls.filter(
    ({ method, scope, cardinality, answer }) =>
      method === 'GET' &&
      scope === 'record' &&
      cardinality === 'single' &&
      (answer === 'rdf' || answer === 'document'),
  );
  const own = items
    .filter(({ target }) => target !== sp.MedicalRecord)
    .map((call) => [pathOf(call).replace(/^\/records\/chart\/|\?.*$/g, ''), `<> a <${call.target}> .`]);
  await writeRecord(container, RECORD, Object.fromEntries(own) as Record<string, string>);

  const right = await container.token(RECORD, APP, USER);
  const { consumerKey, consumerSecret } = right;
  const spoilt = await spoiltTokens(container);
  credentials.set('right one', right);
  credentials.set('bad signature', { ...right, tokenSecret: 'not the secret' });
  credentials.set('unknown token', { ...right, token: 'nothing', tokenSecret: 'nothing' });
  credentials.set('expired token', { consumerKey, consumerSecret, ...spoilt.expired });
  credentials.set('revoked token', { consumerKey, consumerSecret, ...spoilt.revoked });
  credentials.set('app alone', { consumerKey, consumerSecret });
  credentials.set('other record', await container.token('1000002', APP, USER));
  credentials.set('other app', await container.token(RECORD, 'demo-frame@apps.example.org', USER));
  credentials.set('other user', await container.token(RECORD, APP, 'person'));
});
afterAll(() => container.stop());

type Token = Pick<Credentials, 'token' | 'tokenSecret'>;

async function spoiltTokens({ data, store }: TestContainer): Promise<{ expired: Token; revoked: Token }> {
  const directory = await openDataDirectory(data, { store });
  try {
    const accounts = openAccounts(directory, await loadSecretKey(data, process.env));
    // A token in the name of a person is for a record that was given to them.
    await directory.transact((tx) => {
      accounts.putUser(tx, { id: 'person', role: 'person', records: [RECORD] });
    });
    const request = { app: APP, user: USER, record: RECORD };
    const expired = await accounts.issueToken({ ...request, lifetime: 1 });
    const revoked = await accounts.issueToken(request);
    await accounts.revoke(revoked.id);
    await pause(5);
    const credentialsOf = ({ token, secret }: typeof expired): Token => ({ token, tokenSecret: secret });
    return { expired: credentialsOf(expired), revoked: credentialsOf(revoked) };
  } finally {
    await directory.close();
  }
}

describe('who may make which call', () => {
  it('the table names every call of the ontology, and only those', () => {
    expect(Object.keys(table).sort()).toEqual(ontology.calls.map(({ name }) => name).sort());
  });

  it.each(ontology.calls.map((call) => [call.name, call] as const))('%s', async (name, call) => {
    const content = bodies[call.method];
    const actual: Record<string, number> = {};
    for (const state of states) {
      const response = await container.request(pathOf(call), {
        method: call.method,
        as: credentials.get(state),
        ...(content && { body: content.body, headers: { 'Content-Type': content.type } }),
      });
      actual[state] = response.status;
      const text = await response.text();
      if (response.status === 401) expect(response.headers.get('WWW-Authenticate')).toMatch(/^OAuth realm="/);
      if (response.status >= 400) expect(JSON.parse(text)).toMatchObject({ call: call.iri });
    }
    expect(actual).toEqual(Object.fromEntries(states.map((state, index) => [state, table[name]?.[index]])));
  });
});
