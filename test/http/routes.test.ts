import { describe, expect, it } from 'vitest';
import { createRoutes } from '../../src/http/routes.js';
import type { CallModel, Ontology } from '../../src/ontology/model.js';

const call = (method: string, path: string): CallModel =>
  ({ method, path, name: `${method} ${path}` }) as CallModel;

const match = createRoutes({
  calls: [
    call('GET', '/users/{user_id}'),
    call('GET', '/users/search'),
    call('GET', '/records/{record_id}/notes/'),
    call('POST', '/records/{record_id}/notes/'),
    call('GET', '/records/{record_id}/notes/{note_id}'),
    call('GET', '/records/{record_id}/apps/{smart_app_id}/scratchpad'),
  ],
} as unknown as Ontology);

const answered = (path: string, method = 'GET'): string | undefined =>
  match(path)?.route.calls.get(method)?.path;

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
  ])('%s is answered by %s', (path, expected) => {
    expect(answered(path)).toBe(expected);
  });

  it('keeps the methods of one path in one route, so that 405 can name them', () => {
    expect([...(match('/records/1/notes/')?.route.calls.keys() ?? [])]).toEqual(['GET', 'POST']);
  });

  it('decodes parameters, and marks one whose encoding is broken', () => {
    expect(match('/records/a%40b/notes')?.parameters).toEqual({ record_id: 'a@b' });
    expect(match('/records/%zz/notes')?.parameters).toEqual({ record_id: undefined });
    expect(match('/records/%ff/notes')?.parameters).toEqual({ record_id: undefined });
  });

  it('never takes an encoded slash for a separator', () => {
    expect(match('/records/1%2Fnotes')).toBeUndefined();
    expect(match('/users/a%2Fb')?.parameters).toEqual({ user_id: 'a/b' });
  });
});
