import { expect, test, vi } from 'vitest';
import { descriptionRoutes } from '../../src/http/descriptions.js';
import type { StoredAnswer } from '../../src/http/answer.js';
import type { RequestContext } from '../../src/http/request-context.js';

test('a description keeps no query waiting while it is made', async () => {
  const make = vi.fn(() => new Promise<never>(() => undefined));
  const form = { mediaType: 'text/html', make };
  const [route] = descriptionRoutes([{ path: '/docs', representations: [form] }], '');
  const answer = (await route?.handler({} as RequestContext)) as StoredAnswer;
  // What `read` does is done in the queue of queries, what it returns is done outside.
  const later = await answer.read(form);
  expect(make).not.toHaveBeenCalled();
  expect(later).toBeTypeOf('function');
});
