import { expect, test } from 'vitest';
import { parseRdf } from '../../src/rdf/parse.js';

const xml = (content: string): string =>
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:">${content}</rdf:RDF>`;
const literal = (content: string): string => xml(`<e:T><e:p rdf:parseType="Literal">${content}</e:p></e:T>`);

test('instructions in an XML literal come from the XML parser below that of RDF/XML', async () => {
  const quads = await parseRdf(literal('<b>x</b><?note y?>'), { format: 'rdfxml' });
  expect(quads.map(({ object }) => object.value)).toContain('<b>x</b><?note y?>');
});

test.each([
  ['elements', '<b/>'.repeat(300)],
  ['attributes', `<b ${Array.from({ length: 300 }, (_, at) => `a${at}=""`).join(' ')}/>`],
])('it counts %s that make no statement', async (_, content) => {
  await expect(parseRdf(literal(content), { format: 'rdfxml', maxQuads: 10 })).rejects.toMatchObject({
    name: 'RdfLimitError',
    message: expect.stringContaining('more than 140 elements and attributes') as string,
  });
});

test.each([
  ['rdfxml', xml('\n<e:T rdf:about="urn:a"/>\n<e:T\nrdf:about="urn:b"/>'), { 'urn:a': 2, 'urn:b': 4 }],
  ['turtle', '\n<urn:a> <urn:p> 1 .\n<urn:b>\n<urn:p> 2 .', { 'urn:a': 2, 'urn:b': 4 }],
] as const)('the parser of %s tells in which line a statement ends', async (format, text, expected) => {
  const lines = new Map<string, number>();
  await parseRdf(text, { format, lines });
  expect(Object.fromEntries(lines)).toEqual(expected);
});
