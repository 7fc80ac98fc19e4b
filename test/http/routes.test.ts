import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import { describe, expect, it } from 'vitest';
import { routing } from '../../src/http/route.js';
import type { RawParameters, Route } from '../../src/http/request-context.js';
import { Problem } from '../../src/model/problem.js';

const route = (method: Route['method'], path: string): Route => ({
  method,
  path,
  credentials: 'none',
  access: 'anybody',
  handler: () => Promise.reject(new Error('no handler is reached here')),
});

interface Match {
  route?: Route;
  parameters?: RawParameters;
  /** The Allow field of what was answered without a route. */
  allow?: string;
}

let reached: Match | undefined;
const find = routing(
  { base: 'http://localhost:7105', basePath: '' },
  [
    route('GET', '/users/{user_id}'),
    route('GET', '/users/search'),
    route('GET', '/records/{record_id}/notes/'),
    route('POST', '/records/{record_id}/notes/'),
    route('GET', '/records/{record_id}/notes/{note_id}'),
    route('GET', '/records/{record_id}/apps/{smart_app_id}/scratchpad'),
  ],
  (_, found, parameters) => {
    reached = { route: found, parameters };
    return Promise.resolve();
  },
);

function contextOf(url: string, method = 'GET'): Koa.Context {
  const request = Object.assign(new IncomingMessage(new Socket()), { url, method });
  return new Koa().createContext(request, new ServerResponse(request));
}

/** Where a request goes; undefined when no route has its path. */
async function match(path: string, method = 'GET'): Promise<Match | undefined> {
  const context = contextOf(path, method);
  reached = undefined;
  try {
    await find(context);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.kind === 'no-such-call' ? undefined : { allow: error.headers['Allow'] ?? '' };
  }
  return reached ?? { allow: context.response.get('Allow') };
}

describe('routes made from the ontology', () => {
  it.each([
    ['/users/search', '/users/search'],
    ['/users/search/', '/users/search'],
    ['/users/somebody', '/users/{user_id}'],
    ['/records/1/notes', '/records/{record_id}/notes/'],
    ['/records/1/notes/', '/records/{record_id}/notes/'],
    ['/records/1/notes/2', '/records/{record_id}/notes/{note_id}'],
    ['/records/1/notes/2/', '/records/{record_id}/notes/{note_id}'],
    ['/records/1/notes/2/3', undefined],
    ['/records//notes/', undefined],
    ['/records/1//notes', undefined],
    ['//users/search', undefined],
    ['/', undefined],
    ['users/search', undefined],
    ['/Users/search', undefined],
  ])('%s is answered by %s', async (path, expected) => {
    expect((await match(path))?.route?.path).toBe(expected);
  });

  it('lead whoever asks outside of the base URL to the ontology below it', async () => {
    const base = 'http://localhost:7105/smart';
    const below = routing({ base, basePath: '/smart' }, [route('GET', '/ontology')], () => Promise.resolve());
    for (const url of ['/', '/ontology', '/smarter/ontology', '/smart/other'])
      await expect(below(contextOf(url))).rejects.toMatchObject({
        kind: 'no-such-call',
        message: `No call of this container has this path; see ${base}/ontology.`,
      });
    await below(contextOf('/smart/ontology'));
  });

  it('keeps the methods of one path together, so that 405 and OPTIONS can name them', async () => {
    const allow = 'GET, POST, HEAD, OPTIONS';
    expect(await match('/records/1/notes/', 'DELETE')).toEqual({ allow });
    expect(await match('/records/1/notes/', 'OPTIONS')).toEqual({ allow });
  });

  it('answers HEAD by the route of GET', async () => {
    expect((await match('/users/search', 'HEAD'))?.route?.method).toBe('GET');
  });

  it('decodes parameters, and marks one whose encoding is broken', async () => {
    expect((await match('/records/a%40b/notes'))?.parameters).toEqual({ record_id: 'a@b' });
    expect((await match('/records/%zz/notes'))?.parameters).toEqual({ record_id: undefined });
    expect((await match('/records/%ff/notes'))?.parameters).toEqual({ record_id: undefined });
  });

  it('never takes an encoded slash for a separator', async () => {
    expect(await match('/records/1%2Fnotes')).toBeUndefined();
    expect((await match('/users/a%2Fb'))?.parameters).toEqual({ user_id: 'a/b' });
  });
});
