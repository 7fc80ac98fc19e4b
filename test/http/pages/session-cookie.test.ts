import { describe, expect, it } from 'vitest';
import { cookieName } from '../../../src/http/sign-in/session-cookie.js';
import { localPath } from '../../../src/http/sign-in/destination.js';

describe('the session cookie', () => {
  it.each([
    [{ secure: true, basePath: '' }, '__Host-chartgraph-session'],
    [{ secure: true, basePath: '/x/chart' }, '__Secure-chartgraph-session'],
    [{ secure: false, basePath: '' }, 'chartgraph-session'],
  ])('for %j is called %s', (place, name) => {
    expect(cookieName(place)).toBe(name);
    expect(cookieName(place, 'browser')).toBe(name.replace('session', 'browser'));
  });
});

describe('a path to return to', () => {
  const base = 'https://h.example/x/chart';
  it.each([
    ['/x/chart/account/apps', '/x/chart/account/apps'],
    ['/x/chart/a?b=1#c', '/x/chart/a?b=1'],
    ['/x/chart', '/x/chart'],
    ['/x/charter', '/x/chart/'],
    ['/other', '/x/chart/'],
    ['/x/chart/../../evil', '/x/chart/'],
    ['/x/chart/\n/evil', '/x/chart/'],
    ['x/chart/', '/x/chart/'],
    [`/x/chart/${'a'.repeat(5000)}`, '/x/chart/'],
    [undefined, '/x/chart/'],
  ])('%j is %s', (wanted, expected) => {
    expect(localPath(wanted, base)).toBe(expected);
  });
});
