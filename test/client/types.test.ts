import { expect, expectTypeOf, it } from 'vitest';
import type { DatasetCore } from '@rdfjs/types';
import {
  createAnalyst,
  createClient,
  type Allergy,
  type AllergyExclusion,
  type Client,
  type Code,
  type FileAnswer,
  type GraphAnswer,
  type JsonAnswer,
  type ListAnswer,
  type Medication,
  type NotModified,
  type ObjectAnswer,
  type Photograph,
  type Reference,
  type TableAnswer,
} from '../../src/client/client.js';

// The compiler holds these: `tsc` fails where a line after @ts-expect-error does compile. Nothing here is sent.
const client = createClient({ baseUrl: 'http://localhost', fetch: () => Promise.reject(new Error('sent')) });
const quiet = (promise: Promise<unknown>): Promise<unknown> => promise.catch(() => undefined);

it('a list call gives typed objects, a dataset and a count', () => {
  const list = client.get_medications({ record_id: '1', limit: 10, date_from: '2012', rxnorm: ['1', '2'] });
  expectTypeOf(list).resolves.toEqualTypeOf<ListAnswer<Medication>>();
  expectTypeOf<ListAnswer<Medication>>().toHaveProperty('total').toEqualTypeOf<number | undefined>();
  expectTypeOf<ListAnswer<Medication>['dataset']>().toEqualTypeOf<DatasetCore>();
  return quiet(list);
});

it('cardinality decides between T, T or undefined, and an array', () => {
  expectTypeOf<Medication['instructions']>().toEqualTypeOf<string>();
  expectTypeOf<Medication['endDate']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Medication['provenance']>().toEqualTypeOf<readonly Code[]>();
  expectTypeOf<Medication['drugName']['code']['iri']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Reference>().toExtend<Medication['fulfillment'][number]>();
});

it('classes of one address are told apart by their type', () => {
  type Item =
    Awaited<ReturnType<Client['get_allergies']>> extends ListAnswer<infer T> | NotModified ? T : never;
  expectTypeOf<Extract<Item, { type: 'Allergy' }>>().toEqualTypeOf<Allergy>();
  expectTypeOf<Exclude<Item, { type: 'Allergy' }>>().toEqualTypeOf<AllergyExclusion>();
});

it('a document is a file or a description as its format says', async () => {
  const given = { record_id: '1', document_id: '2' };
  const raw = client.get_document(given);
  expectTypeOf(raw).resolves.toEqualTypeOf<FileAnswer>();
  const photograph = client.get_photograph({ record_id: '1' });
  expectTypeOf(photograph).resolves.toEqualTypeOf<ObjectAnswer<Photograph | undefined>>();
  const image = client.get_photograph({ record_id: '1', format: 'raw' });
  expectTypeOf(image).resolves.toEqualTypeOf<FileAnswer>();
  await Promise.all([raw, photograph, image].map(quiet));
});

it('only a condition makes an answer that may be without content', async () => {
  const plain = client.get_problems({ record_id: '1' }, { signal: AbortSignal.timeout(1000) });
  expectTypeOf(plain).resolves.not.toExtend<NotModified>();
  const conditional = client.get_problem({ record_id: '1', problem_id: '2' }, { ifNoneMatch: '"a"' });
  expectTypeOf<NotModified>().toExtend<Awaited<typeof conditional>>();
  const ontology = client.get_ontology();
  expectTypeOf(ontology).resolves.toEqualTypeOf<GraphAnswer>();
  const manifest = client.get_container_manifest<{ name: string }>();
  expectTypeOf(manifest).resolves.toEqualTypeOf<JsonAnswer<{ name: string }>>();
  await Promise.all([plain, conditional, ontology, manifest].map(quiet));
});

it('what the ontology does not declare does not compile', async () => {
  const refused = [
    // @ts-expect-error a record is missing
    () => client.get_medications({ limit: 10 }),
    // @ts-expect-error parameters are missing
    () => client.get_demographics(),
    // @ts-expect-error no such filter
    () => client.get_medications({ record_id: '1', loinc: '1' }),
    // @ts-expect-error a misspelt filter
    () => client.get_problems({ record_id: '1', date_form: '2012' }),
    // @ts-expect-error a limit is a number
    () => client.get_problems({ record_id: '1', limit: '10' }),
    // @ts-expect-error one of two words
    () => client.search_records({ gender: 'other' }),
    // @ts-expect-error lists have no raw form
    () => client.get_documents({ record_id: '1', format: 'raw' }),
    // @ts-expect-error no parameters at all
    () => client.get_ontology({ record_id: '1' }),
    // @ts-expect-error a body is missing
    () => client.post_clinical_note({ record_id: '1' }),
    // @ts-expect-error no such call
    () => client.get_everything({ record_id: '1' }) as Promise<unknown>,
  ];
  for (const call of refused) await expect(async () => call()).rejects.toThrow();
});

it('an analysis takes its parameters and gives rows of its columns', () => {
  const refusing = (): Promise<never> => Promise.reject(new Error('sent'));
  const analyst = createAnalyst({ baseUrl: 'http://localhost', bearerToken: 'x', fetch: refusing });
  const trend = analyst.lab_trend({ test: '2345-7', unit: 'mg/dL' });
  expectTypeOf(trend).resolves.toEqualTypeOf<
    TableAnswer<'year' | 'results' | 'patients' | 'mean' | 'least' | 'greatest'>
  >();
  expectTypeOf<Awaited<typeof trend>['rows'][number]['mean']>().toEqualTypeOf<
    string | number | boolean | undefined
  >();
  // @ts-expect-error there is no such column
  expectTypeOf<Awaited<typeof trend>['rows'][number]['median']>();
  // @ts-expect-error it is a number
  const wrong = analyst.co_medication({ least: 'two' });
  return Promise.all([trend, wrong].map(quiet));
});
