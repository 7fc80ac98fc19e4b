import { describe, expect, it, test } from 'vitest';
import { PathTemplate } from '../../../src/model/ontology/path-template.js';

const item = PathTemplate.of('/records/{record_id}/medications/{medication_id}');
const list = PathTemplate.of('/records/{record_id}/medications/');

describe('a path template', () => {
  it('is read once', () => {
    expect(PathTemplate.of('/records/{record_id}/medications/')).toBe(list);
  });

  it.each([
    ['/', [], '/', '/'],
    ['/manifest', [], '/manifest', ''],
    ['/records/{record_id}', ['record_id'], '/records/{}', ''],
    ['/records/{record_id}/medications/', ['record_id'], '/records/{}/medications', '/'],
    ['/a/{b}/{c}', ['b', 'c'], '/a/{}/{}', ''],
    ['/a/{}', [''], '/a/{}', ''],
    // Braces inside a segment make no parameter: `call-path` refuses them.
    ['/a{b}', [], '/a{b}', ''],
  ])('of %s has the parameters %j, the shape %s and the slash "%s"', (text, parameters, shape, slash) => {
    const template = PathTemplate.of(text);
    expect({ ...template, segments: undefined }).toEqual({
      text,
      parameters,
      shape,
      slash,
      segments: undefined,
    });
  });

  it('has the shape of every template that matches the same paths', () => {
    expect(PathTemplate.of('/users/{user_id}').shape).toBe(PathTemplate.of('/users/{id}/').shape);
    expect(PathTemplate.of('/users/search').shape).not.toBe(PathTemplate.of('/users/{id}').shape);
  });

  it('is filled without its slash', () => {
    expect(list.fill({ record_id: '17' })).toBe('/records/17/medications');
    expect(item.fill({ record_id: '17', medication_id: 'a', other: 'b' })).toBe('/records/17/medications/a');
    expect(PathTemplate.of('/').fill({})).toBe('');
  });

  it('is not filled when a value is missing, and names it', () => {
    expect(() => item.fill({ record_id: '17' })).toThrow(/needs a value for .*medication_id/);
  });

  it('takes no value for a pattern', () => {
    expect(item.fill({ record_id: '$&', medication_id: '{record_id}' })).toBe(
      '/records/$&/medications/{record_id}',
    );
  });

  it.each([
    [{}, '/records'],
    [{ record_id: '' }, '/records'],
    [{ record_id: '17' }, '/records/17/medications'],
    [{ record_id: '17', medication_id: 'a' }, '/records/17/medications/a'],
    [{ medication_id: 'a' }, '/records'],
  ])('has with %j the prefix %s', (values, prefix) => {
    expect(item.prefix(values)).toBe(prefix);
  });

  it.each([
    ['/records/17/medications/a', { record_id: '17', medication_id: 'a' }],
    ['/records/17/medications/a/', { record_id: '17', medication_id: 'a' }],
    ['/records/%31/medications/a.b', { record_id: '%31', medication_id: 'a.b' }],
    ['/records/17/medications', undefined],
    ['/records/17/medications/a/b', undefined],
    ['/records/17/problems/a', undefined],
    ['/records//medications/a', undefined],
    ['/records/17/medications//', undefined],
    ['records/17/medications/a', undefined],
    ['', undefined],
  ])('matches %s with %j', (path, values) => {
    expect(item.match(path)).toEqual(values);
  });

  it('matches what it was filled with', () => {
    const values = { record_id: 'constructor', medication_id: 'toString' };
    expect(item.match(item.fill(values))).toEqual(values);
  });

  it('matches the root with nothing in it', () => {
    expect(PathTemplate.of('/').match('/')).toEqual({});
    expect(PathTemplate.of('/').match('/a')).toBeUndefined();
  });

  it.each([
    ['/records/{record_id}/medications/', '/records/{record_id}'],
    ['/records/{record_id}/medications/{medication_id}', '/records/{record_id}/medications/{medication_id}'],
    ['/users/', '/'],
  ])('%s goes through its last parameter as %s', (text, through) => {
    expect(PathTemplate.of(text).throughLastParameter().text).toBe(through);
  });
});

test('literals come before parameters at the first difference, shorter templates before longer', () => {
  const texts = ['/a/{b}/c', '/{a}', '/a/b/{c}', '/a', '/a/b', '/a/{b}', '/a/b/c', '/{a}/b'];
  const sorted = texts.map((text) => PathTemplate.of(text)).sort((a, b) => PathTemplate.bySpecificity(a, b));
  expect(sorted.map(({ text }) => text)).toEqual([
    '/a',
    '/a/b',
    '/a/b/c',
    '/a/b/{c}',
    '/a/{b}',
    '/a/{b}/c',
    '/{a}',
    '/{a}/b',
  ]);
});
