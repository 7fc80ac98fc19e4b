import { describe, expect, it } from 'vitest';
import {
  answerForms,
  answerKeyOf,
  answerKeys,
  answerRows,
  answers,
  answerTypes,
  cardinalities,
  factsOf,
  methods,
} from '../../../src/model/ontology/answer-forms.js';
import { clientMethods } from '../../../src/model/ontology/client-methods.js';

const every = answers.flatMap((answer) =>
  methods.flatMap((method) => cardinalities.map((cardinality) => ({ answer, method, cardinality }))),
);

describe('the table of answer forms', () => {
  it('has a row for what can be answered and none for anything else', () => {
    const known = every.filter((choice) => answerKeyOf(choice) !== undefined);
    expect(
      known.map(({ answer, method, cardinality }) => `${answer} ${method} ${cardinality}`).sort(),
    ).toEqual([...answerRows].sort());
    expect(answerKeyOf({ answer: 'json', method: 'POST', cardinality: 'single' })).toBeUndefined();
    expect(answerKeyOf({ answer: 'blob', method: 'GET', cardinality: 'multiple' })).toBeUndefined();
    expect(answerKeyOf({ answer: 'rdf', method: 'GET', cardinality: 'multiple' })).toBe('rdf GET');
  });

  it('refuses to tell facts of what cannot be answered', () => {
    expect(() => factsOf({ answer: 'json', method: 'PUT', cardinality: 'single' })).toThrow(
      'nothing is answered as json PUT single',
    );
  });

  it.each(answerKeys)('says of %s what its parts need to fit together', (key) => {
    const [, method] = key.split(' ');
    const { takes, problems, ...row } = answerForms[key];
    expect(takes.length > 0).toBe(method === 'POST' || method === 'PUT');
    // Only what has an entity tag can be asked for under conditions; what an app keeps, it removes under one.
    const isConditional = 'service' in row ? row.tagged : method !== 'POST';
    expect((problems as readonly string[]).includes('precondition-failed')).toBe(isConditional);
  });

  it.each(every.filter((choice) => answerKeyOf(choice) !== undefined))(
    'names a method of clients for $answer $method $cardinality, and media types',
    (choice) => {
      const { client, types, graphs } = factsOf(choice);
      expect(Object.values(clientMethods)).toContain(client);
      expect(types.length).toBeGreaterThan(0);
      expect(types.includes('text/turtle')).toBe(graphs);
    },
  );

  it.each([
    ['the file first', undefined, '*/*'],
    ['graphs first when its call states a media type', 'application/rdf+xml', 'application/rdf+xml'],
  ])('offers a document with %s', (_, contentType, first) => {
    const types = answerTypes({
      answer: 'document',
      method: 'GET',
      cardinality: 'single',
      ...(contentType !== undefined && { contentType }),
    });
    expect(types[0]).toBe(first);
    expect([...types].sort()).toEqual(
      ['*/*', 'application/ld+json', 'application/n-triples', 'application/rdf+xml', 'text/turtle'].sort(),
    );
  });
});
