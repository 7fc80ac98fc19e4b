import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedContainer } from './container.js';

let container: Awaited<ReturnType<typeof sharedContainer>>;
beforeAll(async () => {
  container = await sharedContainer();
});
afterAll(() => container.stop());

test('/endpoint/schema.json answers everybody with the JSON Schema of the Endpoint resource', async () => {
  const response = await container.request('/endpoint/schema.json');
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/schema+json']);
  const source = new URL('../../src/fhir/endpoint/endpoint.schema.json', import.meta.url);
  expect(await response.text()).toBe(readFileSync(source, 'utf8'));
});
