import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { describeContainer } from '../../src/authoring/served-descriptions.js';
import { descriptionRoutes } from '../../src/http/descriptions.js';
import type { StoredAnswer } from '../../src/http/answer.js';
import type { RequestContext } from '../../src/http/request-context.js';
import { shippedModel } from '../authoring/shipped-model.js';

afterEach(() => vi.useRealTimers());

describe('the documentation', () => {
  test.each([
    [true, 1],
    [false, 0],
  ])('has its examples made soon after the start, before anybody asks: %s', async (ahead, times) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const seed = mkdtempSync(join(inject('scratch'), 'seed-'));
    mkdirSync(join(seed, 'apps'));
    writeFileSync(join(seed, 'apps', 'broken.json'), '{');
    // A seed that cannot be read says when it is read.
    const onFault = vi.fn();
    const container = { name: 'C', description: 'D', version: '1', containerAccess: 'open' as const };
    describeContainer(await shippedModel(), { ...container, base: 'http://h.example', seed, ahead, onFault });
    expect(onFault).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    if (ahead) await vi.waitFor(() => expect(onFault).toHaveBeenCalled());
    expect(onFault).toHaveBeenCalledTimes(times);
  });

  test('keeps no query waiting while a document is made', async () => {
    const make = vi.fn(() => new Promise<never>(() => undefined));
    const form = { mediaType: 'text/html', make };
    const [route] = descriptionRoutes([{ path: '/docs', representations: [form] }], '');
    const answer = (await route?.handler({} as RequestContext)) as StoredAnswer;
    // What `read` does is done in the queue of queries, what it returns is done outside.
    const later = await answer.read(form);
    expect(make).not.toHaveBeenCalled();
    expect(later).toBeTypeOf('function');
  });
});
