import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentModel, type DocumentedContainer } from '../../src/authoring/derive-documentation.js';
import { answeredFormats } from '../../src/rdf/formats.js';
import { SEED, shippedModel } from './shipped-model.js';

const container: DocumentedContainer = {
  base: 'http://localhost:7000/x',
  name: 'Test',
  description: 'A test',
  version: '0.1.0',
  containerAccess: 'open',
  seed: SEED,
};
const model = await shippedModel();

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[];
  responses: Record<string, { $ref?: string; content?: Record<string, { example?: unknown }> }>;
  requestBody?: { content: Record<string, { example?: unknown }> };
}
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
};

const documentOf = async (more: Partial<DocumentedContainer> = {}): Promise<Document> =>
  JSON.parse(await documentModel(model, { ...container, ...more }).openApi()) as Document;

let document: Document;
beforeAll(async () => {
  document = await documentOf();
});
const operation = (method: string, path: string): Operation | undefined => document.paths[path]?.[method];

describe('the OpenAPI description', () => {
  it.each(['open', 'signed'] as const)(
    'is valid OpenAPI 3.1 for a container with %s calls',
    async (access) => {
      const result = await new Validator().validate(await documentOf({ containerAccess: access }));
      expect(result.errors ?? []).toEqual([]);
      expect(result.valid).toBe(true);
    },
  );

  it('is valid without examples too', async () => {
    const bare = await documentOf({ seed: '/nowhere' });
    expect((await new Validator().validate(bare)).valid).toBe(true);
    expect(JSON.stringify(bare)).not.toContain('1000001');
  });

  it('refers to nothing that is not there, and defines nothing that nobody refers to', () => {
    const text = JSON.stringify(document);
    const references = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, path = '']) => path),
    );
    const defined = (['schemas', 'responses'] as const).flatMap((kind) =>
      Object.keys(document.components[kind] ?? {}).map((name) => `${kind}/${name}`),
    );
    expect([...references].sort()).toEqual(defined.sort());
  });

  it('has an operation for each placeholder of its path and no others', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(methods)) {
        const inPath = parameters.filter((each) => each.in === 'path');
        expect([path, inPath.map(({ name }) => name)]).toEqual([path, named]);
        expect(inPath.every(({ required }) => required === true)).toBe(true);
      }
    }
  });

  it('gives each type of value its schema', () => {
    const schemas = Object.fromEntries(
      (operation('get', '/records/{record_id}/medications/')?.parameters ?? []).map(({ name, schema }) => [
        name,
        schema,
      ]),
    );
    expect(schemas).toMatchObject({
      limit: { type: 'integer', minimum: 1, maximum: 1000 },
      offset: { type: 'integer', minimum: 0 },
      _format: { enum: [...answeredFormats] },
      date_from: { $ref: '#/components/schemas/PartialDate' },
      rxnorm: { $ref: '#/components/schemas/Codes' },
    });
    const search = operation('get', '/records/search')?.parameters;
    expect(search?.find(({ name }) => name === 'gender')?.schema).toEqual({
      type: 'string',
      enum: ['female', 'male'],
    });
  });

  it('says by scope who must sign', async () => {
    const { paths } = await documentOf({ containerAccess: 'signed' });
    expect(operation('get', '/ontology')?.security).toEqual([{}, { oauth1: [] }]);
    expect(paths['/ontology']?.['get']?.security).toEqual([{ oauth1: [] }]);
    expect(operation('get', '/records/{record_id}/demographics')?.security).toEqual([{ oauth1: ['record'] }]);
    expect(operation('put', '/users/{user_id}/apps/{smart_app_id}/preferences')?.security).toEqual([
      { oauth1: ['user'] },
    ]);
  });

  it('shows what the seed answers, and only whole answers', () => {
    const shown = operation('get', '/users/{user_id}')?.responses['200']?.content;
    expect(shown?.['application/rdf+xml']?.example).toContain(
      '<sp:User rdf:about="http://localhost:7000/x/users/clinician">',
    );
    const long = operation('get', '/ontology')?.responses['200']?.content;
    expect(long?.['application/rdf+xml']).not.toHaveProperty('example');
    const posted = operation('post', '/records/{record_id}/clinical_notes/')?.requestBody?.content;
    expect(posted?.['application/rdf+xml']?.example).toContain('<sp:ClinicalNote>');
  });
});
