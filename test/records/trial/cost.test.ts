import { expect, test } from 'vitest';
import { compareCosts, costOf, countPatterns } from '../../../src/records/trial/cost.js';
import { QueryTemplate } from '../../../src/query/template.js';

const query = new QueryTemplate(
  'q',
  'q.rq',
  `CONSTRUCT { ?a ?b ?c . ?c ?d ?e } WHERE {
     GRAPH ?g { ?a <urn:p>/<urn:q> ?c ; ?b [ <urn:r> ?e ] }
     OPTIONAL { { ?a ?b ?c } UNION { ?c ?b ?a } }
     FILTER EXISTS { ?a <urn:s> $record }
   }`,
);

test('the patterns of a query are those that it matches, wherever they stand', () => {
  expect(countPatterns(query)).toBe(6);
});

test('a query that was not asked has no cost', () => {
  expect([costOf(query, []), costOf(query, undefined), costOf(undefined, [1])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test.each([
  ['three times as long is slower', [10, 11, 12], [30, 31, 32], true],
  ['as long is not', [10, 11, 12], [10, 11, 13], false],
  ['faster is not', [30, 31, 32], [10, 11, 12], false],
  ['longer by less than the old times differ is not', [10, 11, 20], [25, 26, 27], false],
  ['longer by less than the new times differ is not', [10, 11, 12], [18, 19, 40], false],
  ['longer in one round alone says nothing', [10], [90], false],
])('%s', (_, old, now, slower) => {
  const found = compareCosts(costOf(query, old), costOf(query, now), old.length);
  expect(found).toEqual({
    old: { patterns: 6, least: Math.min(...old), most: Math.max(...old) },
    now: { patterns: 6, least: Math.min(...now), most: Math.max(...now) },
    slower,
  });
});

test('a call that is new or gone has one side, and is not slower', () => {
  expect(compareCosts(undefined, costOf(query, [1, 2]), 2)).toEqual({
    now: { patterns: 6, least: 1, most: 2 },
    slower: false,
  });
});
