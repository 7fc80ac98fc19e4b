import { expect, test } from 'vitest';
import { parseRdf } from '../../src/rdf/parse.js';
import { writeRdf } from '../../src/rdf/write.js';
import { deriveShapes } from '../../src/model/validate/shapes/derive-shapes.js';
import { ontology } from '../records/support.js';
import { startTestContainer } from './container.js';

test('a container serves the shapes of its ontology as Turtle, to everybody', async () => {
  const container = await startTestContainer({ containerAccess: 'signed' });
  try {
    const response = await container.request('/ontology/shapes');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/turtle');
    expect(response.headers.get('etag')).not.toBeNull();
    const served = await parseRdf(await response.text(), { format: 'turtle' });
    expect(await writeRdf(served, 'ntriples')).toBe(await writeRdf(deriveShapes(ontology), 'ntriples'));
    expect((await container.request('/ontology/shapes', { method: 'POST' })).status).toBe(405);
  } finally {
    await container.stop();
  }
});
