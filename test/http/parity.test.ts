import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.js';
import type { Ontology } from '../../src/model/ontology/model.js';
import { shippedModel } from '../authoring/shipped-model.js';
import { sharedContainer, type TestContainer } from './container.js';
import { partsOf } from './site.js';

let container: TestContainer;
let ontology: Ontology;
let names: string[];

beforeAll(async () => {
  container = await sharedContainer();
  ({ ontology } = await shippedModel());
  names = ontology.calls.map(({ name }) => name).sort();
});
afterAll(() => container.stop());

/** Answers of the container that are no calls of the ontology. */
const beside = /^\/(oauth|health)\/|^\/apps\/\{app_id\}\/tokens\//;

/** What stands for each placeholder of a path. */
const filled = (path: string): string => path.replace(/\{[^}]+\}/g, 'x');

describe('the calls of the ontology are the calls', () => {
  it('of the container, method by method, and of no other path', async () => {
    const paths = new Set(ontology.calls.map(({ path }) => path));
    for (const path of paths) {
      const response = await container.request(filled(path), { method: 'OPTIONS' });
      const allowed = (response.headers.get('Allow') ?? '')
        .split(', ')
        .filter((name) => !/HEAD|OPTIONS/.test(name));
      const declared = ontology.calls.filter((call) => call.path === path).map(({ method }) => method);
      expect([path, allowed.sort()]).toEqual([path, declared.sort()]);
    }
    expect((await container.request('/records/x/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });

  it('of the OpenAPI description, by their client method names, methods and paths', async () => {
    const { paths } = (await (await container.request('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const described = Object.entries(paths)
      .filter(([path]) => !beside.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(
          ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
        ),
      );
    expect(described.sort()).toEqual(
      ontology.calls.map(({ name, method, path }) => `${name} ${method} ${path}`).sort(),
    );
  });

  it('the documentation has a section for each call of the ontology', async () => {
    const page = await (await container.request('/docs/calls')).text();
    const linked = partsOf(page).links.flatMap((link) => /^\/docs\/calls\/(\w+)$/.exec(link)?.[1] ?? []);
    expect([...new Set(linked)].sort()).toEqual(names);
  });

  it('the TypeScript client has a method for each call of the ontology', () => {
    const client = createClient({ baseUrl: container.url, consumerKey: 'x', consumerSecret: 'x' });
    expect(Object.keys(client).sort()).toEqual(names);
  });

  it('the container manifest names the classes and methods of the calls', async () => {
    const { capabilities } = (await (await container.request('/manifest')).json()) as {
      capabilities: Record<string, { methods: string[] }>;
    };
    const told = Object.entries(capabilities).flatMap(([target, { methods }]) =>
      methods.map((method) => `${method} ${target}`),
    );
    const declared = new Set(ontology.calls.map(({ method, target }) => `${method} ${target}`));
    expect(told.sort()).toEqual([...declared].sort());
  });
});
