import { describe, expect, it } from 'vitest';
import { preferredType } from '../../src/http/respond/negotiate.js';

const offered = ['application/rdf+xml', 'text/turtle', 'application/ld+json'];

describe('the preferred media type', () => {
  it.each([
    ['', 'application/rdf+xml'],
    ['*/*', 'application/rdf+xml'],
    ['text/turtle', 'text/turtle'],
    ['TEXT/Turtle', 'text/turtle'],
    ['text/*', 'text/turtle'],
    ['application/*', 'application/rdf+xml'],
    ['text/turtle, */*', 'text/turtle'],
    ['text/turtle;q=0.5, */*;q=0.4', 'text/turtle'],
    ['text/turtle;q=0.5, */*;q=0.6', 'application/rdf+xml'],
    ['application/rdf+xml;q=0, */*', 'text/turtle'],
    ['application/rdf+xml;q=0, text/*;q=0, */*;q=0.1', 'application/ld+json'],
    ['application/ld+json, text/turtle', 'application/ld+json'],
    ['text/turtle, application/ld+json', 'text/turtle'],
    ['text/turtle;q=0.2, text/turtle;q=0.9, application/ld+json;q=0.5', 'text/turtle'],
    ['application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', 'application/ld+json'],
    ['text/html;x="a,text/turtle,b", application/ld+json', 'application/ld+json'],
    // A quoted string that is not closed goes to the end, so that none of its characters is looked at again.
    ['text/turtle;q=0.5;x="a, application/ld+json', 'text/turtle'],
    ['text/turtle;q=0.5;x="a\\", application/ld+json\\', 'text/turtle'],
    ['text/turtle; Q=0.3 , application/ld+json ;q=0.2', 'text/turtle'],
    ['text/turtle;charset=utf-8', 'text/turtle'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/rdf+xml'],
    // What Java's HttpURLConnection sends unless it is told otherwise.
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'application/rdf+xml'],
    ['text/turtle;q=.3, *;q=.2', 'text/turtle'],
    ['*;q=0', undefined],
    ['text/turtle;q=.', undefined],
    ['text/html', undefined],
    ['*/*;q=0', undefined],
    ['text/turtle;q=2', undefined],
    ['nonsense', undefined],
    [', ,', undefined],
  ])('of %j is %s', (field, expected) => {
    expect(preferredType(field, offered)).toBe(expected);
  });
});
