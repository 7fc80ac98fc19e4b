import { describe, expect, it } from 'vitest';
import { parseRdf } from '../../src/rdf/parse.js';
import { prefixes } from '../../src/rdf/vocabulary.js';

describe('a property of RDF/XML has one value', () => {
  const one = (property: string): string =>
    `<rdf:RDF xmlns:rdf="${prefixes.rdf}" xmlns:e="http://ex.org/"><e:T rdf:about="urn:a">\n${property}\n</e:T></rdf:RDF>`;

  const bad: [string, string, string][] = [
    ['two elements', '<e:p>\n<e:T/>\n<e:U/></e:p>', 'line 4: <e:U> is a second element'],
    ['two elements with text between', '<e:p><e:T/>x<e:U/></e:p>', '<e:U> is a second element'],
    ['an element beside a reference', '<e:p rdf:resource="urn:b"><e:U/></e:p>', 'line 2: <e:U> stands'],
    ['an element beside a node id', '<e:p rdf:nodeID="b"><e:U/></e:p>', '<e:U> stands'],
    ['an element beside properties', '<e:p e:q="1"><e:U/></e:p>', '<e:U> stands'],
    ['an element beside a type', '<e:p rdf:type="urn:b"><e:U/></e:p>', '<e:U> stands'],
    ['an element beside a datatype', '<e:p rdf:datatype="urn:b"><e:U/></e:p>', '<e:U> stands'],
    ['text before an element', '<e:p>x\n<e:T/></e:p>', 'line 3: text beside elements: "x"'],
    ['text after an element', '<e:p><e:T/>\nx</e:p>', 'line 3: text beside elements: "x"'],
  ];
  for (const [what, property, message] of bad) {
    it(`refuses ${what}`, async () => {
      await expect(parseRdf(one(property), { format: 'rdfxml' })).rejects.toThrow(message);
    });
  }

  const good: [string, string, number][] = [
    ['a collection of elements', '<e:p rdf:parseType="Collection"><e:T/><e:U/></e:p>', 8],
    ['an empty collection', '<e:p rdf:parseType="Collection"/>', 2],
    ['several properties', '<e:p rdf:parseType="Resource"><e:q>1</e:q><e:r/></e:p>', 4],
    ['a literal of several elements', '<e:p rdf:parseType="Literal"><e:T/>x<e:U/></e:p>', 2],
    [
      'an element with blanks, a comment and a language around',
      '<e:p xml:lang="en"> <!--c--> <e:T/> </e:p>',
      3,
    ],
    ['an element of a reified statement', '<e:p rdf:ID="r"><e:T/></e:p>', 7],
  ];
  for (const [what, property, count] of good) {
    it(`takes ${what}`, async () => {
      const options = { format: 'rdfxml', baseIRI: 'http://ex.org/' } as const;
      expect(await parseRdf(one(property), options)).toHaveLength(count);
    });
  }
});
