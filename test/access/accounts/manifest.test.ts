import { describe, expect, it } from 'vitest';
import { isManifestUrl, manifestProblems, readManifest } from '../../../src/access/accounts/manifest.js';

const app = {
  id: 'demo-ui@apps.example.org',
  name: 'Demo',
  description: 'Shows things.',
  mode: 'ui',
  index: 'http://localhost:8000/index.html',
  icon: 'http://localhost:8000/icon.png',
};
const without = (...keys: string[]) =>
  Object.fromEntries(Object.entries(app).filter(([name]) => !keys.includes(name)));
const background = { ...without('index', 'icon'), mode: 'background' };

describe('an app manifest', () => {
  it.each<[string, object]>([
    ['the required keys', app],
    ['frame_ui', { ...app, mode: 'frame_ui' }],
    ['a background app', background],
    ['a background app with an icon', { ...background, icon: app.icon }],
    ['an empty name', { ...app, name: '' }],
    ['any version', { ...app, version: '.1a' }],
    ['smart_version of one number', { ...app, smart_version: '1' }],
    ['smart_version of three numbers', { ...app, smart_version: '0.6.12' }],
    ['scope, author, standalone', { ...app, scope: 'record', author: 'A', standalone: true }],
    [
      'environments',
      { ...app, optimalBrowserEnvironments: ['desktop'], supportedBrowserEnvironments: ['mobile', 'tablet'] },
    ],
    [
      'requires',
      {
        ...app,
        requires: { 'http://a.example/terms#Problem': { methods: ['GET'], codes: ['http://a.example/c/'] } },
      },
    ],
    ['requires without methods', { ...app, requires: { 'http://a.example/terms#Problem': {} } }],
    ['oauth_callback', { ...app, oauth_callback: 'https://a.example/done' }],
    [
      'http addresses, as those of 2014 have',
      {
        ...app,
        index: 'http://a.example/x',
        icon: 'http://a.example/i.png',
        oauth_callback: 'http://a.example/',
      },
    ],
    ['addresses of this machine', { ...app, index: 'http://127.0.0.1:81/x', icon: 'http://app.localhost/i' }],
  ])('with %s is accepted', (_, value) => {
    expect(manifestProblems(value)).toEqual([]);
    expect(readManifest(value)).toBe(value);
  });

  it.each<[unknown, string]>([
    [null, 'An app manifest is a JSON object.'],
    [[], 'An app manifest is a JSON object.'],
    ['{}', 'An app manifest is a JSON object.'],
    [without('id'), 'id is missing.'],
    [without('name'), 'name is missing.'],
    [without('description'), 'description is missing.'],
    [without('mode'), 'mode is missing.'],
    [without('index'), 'index is missing; only a background app has none.'],
    [without('icon'), 'icon is missing; only a background app has none.'],
    [{ ...app, id: 'a/b' }, 'id must have 1 to 64 letters'],
    [{ ...app, id: 7 }, 'id must be a text.'],
    [{ ...app, name: null }, 'name must be a text.'],
    [{ ...app, name: 'a\u0000b' }, 'name has a character that XML cannot carry.'],
    [{ ...app, description: '\ud800' }, 'description has a character that XML cannot carry.'],
    [{ ...app, mode: 'helper' }, 'mode must be one of ui, frame_ui, background.'],
    [{ ...app, index: 'index.html' }, 'index must be a URL.'],
    [{ ...app, oauth_callback: 'javascript:alert(1)' }, 'oauth_callback must be a URL.'],
    ...[
      'http://127.0.0.999/',
      'https:///x',
      'smart-app:///done',
      'file:///etc/passwd',
      'blob://h/x',
      'ftp://localhost/x',
      'view-source://h/x',
    ].flatMap((wrong): [unknown, string][] =>
      ['index', 'icon', 'oauth_callback'].map((name) => [
        { ...app, [name]: wrong },
        `${name} must be an https or http address.`,
      ]),
    ),
    [{ ...app, scope: 'user' }, 'scope must be one of record, container.'],
    [{ ...app, smart_version: '1.0.0.0' }, 'smart_version must be one to three numbers joined by dots.'],
    [{ ...app, standalone: 'true' }, 'standalone must be true or false.'],
    [{ ...app, optimalBrowserEnvironments: 'desktop' }, 'optimalBrowserEnvironments must be a list.'],
    [
      { ...app, optimalBrowserEnvironments: ['watch'] },
      'optimalBrowserEnvironments has an entry that must be one of',
    ],
    [
      { ...app, supportedBrowserEnvironments: ['mobile', 'mobile'] },
      'supportedBrowserEnvironments names something twice.',
    ],
    [{ ...app, requires: [] }, 'requires must be an object'],
    [{ ...app, requires: { Problem: {} } }, 'requires has the key "Problem", which is not a class IRI.'],
    [{ ...app, requires: { 'http://a.b/c': [] } }, 'requires for http://a.b/c must be an object.'],
    [
      { ...app, requires: { 'http://a.b/c': { verbs: [] } } },
      'requires for http://a.b/c has an unknown key "verbs".',
    ],
    [
      { ...app, requires: { 'http://a.b/c': { methods: ['PATCH'] } } },
      'has methods, which has an entry that must be one of',
    ],
    [{ ...background, index: app.index }, 'index is not for a background app, which no person sees.'],
    [{ ...background, oauth_callback: app.index }, 'oauth_callback is not for a background app'],
    [{ ...app, colour: 'red' }, '"colour" is not a key of an app manifest.'],
    [JSON.parse('{"__proto__":1}'), '"__proto__" is not a key of an app manifest.'],
    [{ ...app, toString: 'x' }, '"toString" is not a key of an app manifest.'],
  ])('%j is refused: %s', (value, problem) => {
    expect(manifestProblems(value).join(' ')).toContain(problem);
    expect(() => readManifest(value)).toThrow(problem);
  });

  it('is told all its problems at once', () => {
    expect(manifestProblems({ mode: 'ui' })).toHaveLength(5);
  });

  it.each<[string, boolean]>([
    ['http://localhost:8000/', true],
    ['http://localhost', true],
    ['smart-app:///did_select_record', true],
    ['https://h/p?x=1&y=2#f', true],
    ['http://a.b/x@y', false],
    ['http://a.b/x:y', false],
    ['http://a.b/{x}', false],
    ['http://a.b/(x)', false],
    ['http://u@h/x', false],
    ['http://[::1]/x', false],
    ['http://', false],
    ['http:/a', false],
    ['JavaScript:///%0aalert', false],
    ['data://h/x', false],
    ['http://a.b/x.', false],
    ['http://a.b/x,', false],
    ['http://a.b/x y', false],
    ['http://a.b/x\n', false],
    ['http://a.b/"x', false],
  ])('%j has the form of a URL in manifests: %s', (text, fits) => {
    expect(isManifestUrl(text)).toBe(fits);
  });
});
