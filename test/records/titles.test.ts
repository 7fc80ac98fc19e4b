import { describe, expect, it } from 'vitest';
import { literal, namedNode, quad } from '../../src/rdf/terms.js';
import { dcterms } from '../../src/rdf/vocabulary.js';
import { oneTitlePerCode, unifyTitles } from '../../src/records/titles.js';
import { base, ontology } from './support.js';

const known = [...ontology.codes.values()].find(({ title }) => title !== '') ?? { iri: '', title: '' };
const title = (iri: string, text: string) => quad(namedNode(iri), namedNode(dcterms.title), literal(text));
const code = 'http://codes.example/1';

describe('one title for a code in an answer', () => {
  it('costs nothing when there is nothing to do', () => {
    const quads = [title(code, 'a'), title('http://codes.example/2', 'a')];
    expect(oneTitlePerCode(quads, ontology)).toBe(quads);
  });

  it("is the ontology's where it knows the code, else always the same of several", () => {
    const quads = [
      title(code, 'b'),
      title(code, 'a'),
      title(known.iri, 'other'),
      title(known.iri, known.title),
    ];
    const expected = [title(code, 'a'), title(known.iri, known.title)];
    expect(oneTitlePerCode(quads, ontology)).toEqual(expected);
    expect(
      new Set(oneTitlePerCode([...quads].reverse(), ontology).map(({ object }) => object.value)),
    ).toEqual(new Set(expected.map(({ object }) => object.value)));
  });
});

describe('one title for a code in a record', () => {
  const graphs = [
    { name: `${base}/records/7/problems/a`, quads: [title(code, 'b'), title(known.iri, 'other')] },
    {
      name: `${base}/records/7/problems/b`,
      quads: [title(code, 'a'), title(`${base}/records/7/documents/d`, 'own')],
    },
  ];

  it("is the ontology's, else the record's, else the least of the file", () => {
    const inFile = unifyTitles(graphs, ontology, base, new Map());
    expect(inFile.changed).toBe(2);
    expect(inFile.graphs.flatMap(({ quads }) => quads.map(({ object }) => object.value))).toEqual([
      'a',
      known.title,
      'a',
      'own',
    ]);
    const inRecord = unifyTitles(graphs, ontology, base, new Map([[code, literal('c')]]));
    expect(inRecord.graphs.flatMap(({ quads }) => quads.map(({ object }) => object.value))).toEqual([
      'c',
      known.title,
      'c',
      'own',
    ]);
  });

  it('leaves graphs alone that are right', () => {
    const right = [{ name: `${base}/records/7/problems/a`, quads: [title(code, 'b')] }];
    expect(unifyTitles(right, ontology, base, new Map()).graphs[0]).toBe(right[0]);
  });
});
