import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Client, type ClinicalNote, type Draft } from '../../src/client/client.js';
import { startTestContainer, type TestContainer } from '../http/container.js';
import { clientOf } from './client.js';

const RECORD = '1000001';
const given = { record_id: RECORD };
let container: TestContainer;
let client: Client;

beforeAll(async () => {
  container = await startTestContainer();
  client = await clientOf(container, RECORD);
});
afterAll(() => container.stop());

const note: Draft<ClinicalNote> = {
  title: 'Telephone call',
  date: '2024-06-01',
  format: { iri: 'http://purl.org/NET/mediatypes/text/plain', label: 'text/plain' },
  resource: { content: { encoding: 'UTF-8', value: 'Zeile 1\n\t"Ω" \\ 🩺 </sp:value>' } },
};

describe('a note that is written as a plain object', () => {
  it('is stored as it was written, by who wrote it', async () => {
    const { object, faults, location } = await client.post_clinical_note(given, {
      ...note,
      documentType: {
        title: 'Progress note',
        code: {
          iri: 'http://smartplatforms.org/terms/codes/DocumentType#note',
          title: 'A clinical note about the patient',
          system: 'http://smartplatforms.org/terms/codes/DocumentType#',
          identifier: 'note',
        },
      },
      provider: { n: { given_name: 'Ada', family_name: 'Marlowe', additional_name: ['M', 'N'] } },
    });
    expect(faults).toEqual([]);
    expect(location).toBe(object.iri);
    expect(object).toMatchObject({
      title: note.title,
      date: note.date,
      belongsTo: { iri: `${container.url}/records/${RECORD}` },
      format: { label: 'text/plain' },
      resource: { content: { value: note.resource.content?.value } },
      provider: { n: { family_name: 'Oxendale' } },
      documentType: [{ code: { identifier: 'note', types: ['Code', 'DocumentType'] } }],
    });
    // What was read may be written elsewhere.
    const { format, documentType } = object;
    const copy = await client.post_clinical_note(given, { ...note, format, documentType });
    expect(copy.object.documentType).toEqual(documentType);
  });
});

describe('an object that the ontology does not allow', () => {
  const { date: _, ...dateless } = note;
  const own: Record<string, unknown> = { ...note };
  own['provider'] = own;
  it.each<[string, unknown, string]>([
    ['without what is required', dateless, 'a ClinicalNote needs a date.'],
    [
      'with a property that its class has not',
      { ...note, colour: 'S3CRET' },
      'ClinicalNote has no property colour.',
    ],
    [
      'with several of what is one',
      { ...note, title: ['a', 'b'] },
      'there is one title of a ClinicalNote, not several.',
    ],
    [
      'with a thing where a text stands',
      { ...note, title: { a: 1 } },
      'the title of a ClinicalNote is a text.',
    ],
    [
      'with a text where a thing stands',
      { ...note, resource: 'S3CRET' },
      'the resource of a ClinicalNote is an object of plain properties.',
    ],
    [
      'with a fault within',
      { ...note, resource: { content: { encoding: 'UTF-8' } } },
      'a Content needs a value.',
    ],
    ['of another class', { ...note, type: 'Problem' }, 'It is of the type ClinicalNote.'],
    ['whose name is none', { ...note, iri: 'not one' }, 'the iri of a ClinicalNote is an absolute IRI.'],
    [
      'whose code is none',
      { ...note, documentType: { title: 'a', code: 7 } },
      'the code of a CodedValue is an object of iri, title, system and identifier.',
    ],
    ['that holds itself', own, 'takes no object that holds itself: a Provider does.'],
    ['that is none', 7, 'takes RDF, or an object of plain properties.'],
  ])('%s is refused before anything is sent', async (_name, draft, sentence) => {
    const never = createClient({ baseUrl: container.url, fetch: () => Promise.reject(new Error('sent')) });
    const error: unknown = await never
      .post_clinical_note(given, draft as Draft<ClinicalNote>)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toBe(`post_clinical_note: ${sentence}`);
    expect((error as TypeError).message).not.toContain('S3CRET');
  });

  it('is a type error, too', () => {
    const never = [
      // @ts-expect-error a note has a date
      () => client.post_clinical_note(given, dateless),
      // @ts-expect-error a note has no colour
      () => client.post_clinical_note(given, { ...note, colour: 'red' }),
      // @ts-expect-error a title is a text
      () => client.post_clinical_note(given, { ...note, title: 7 }),
    ];
    expect(never).toHaveLength(3);
  });
});
