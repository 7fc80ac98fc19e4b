import { describe, expect, it } from 'vitest';
import { parseRdf } from '../../src/rdf/parse.js';
import { prefixes, rdf } from '../../src/rdf/vocabulary.js';
import { writeRdf } from '../../src/rdf/write.js';

const baseIRI = 'http://base.org/dir/file?q';

async function triples(body: string): Promise<string[]> {
  const text = `<rdf:RDF xmlns:rdf="${prefixes.rdf}" xmlns:e="http://e.org/">${body}</rdf:RDF>`;
  const quads = await parseRdf(text, { format: 'rdfxml', baseIRI });
  return (await writeRdf(quads, 'ntriples')).trimEnd().split('\n').sort();
}

const about = (property: string): string =>
  `<rdf:Description rdf:about="http://x">${property}</rdf:Description>`;

const reified = (id: string, property: string, object: string): string[] => [
  `<${id}> <${rdf.object}> ${object} .`,
  `<${id}> <${rdf.predicate}> <http://e.org/${property}> .`,
  `<${id}> <${rdf.subject}> <http://x> .`,
  `<${id}> <${rdf.type}> <${rdf.Statement}> .`,
];

// prettier-ignore
const cases: readonly [what: string, body: string, expected: readonly string[]][] = [
  ['xml:base of a property element holds for its own IRIs',
    about('<e:p rdf:resource="o" xml:base="http://b.org/a/c"/>'), ['<http://x> <http://e.org/p> <http://b.org/a/o> .']],
  ['xml:base of a property element holds for the elements inside',
    about('<e:p xml:base="http://b.org/"><rdf:Description rdf:about="o"/></e:p>'),
    ['<http://x> <http://e.org/p> <http://b.org/o> .']],
  ['xml:base of a property element holds for its datatype, in any order',
    about('<e:p rdf:datatype="#d" xml:base="http://b.org/">v</e:p>'), ['<http://x> <http://e.org/p> "v"^^<http://b.org/#d> .']],
  ['a prefix that is called base is no xml:base',
    about('<e:p xmlns:base="http://b.org/" rdf:resource="o"/>'), ['<http://x> <http://e.org/p> <http://base.org/dir/o> .']],
  ['an xml:base without a path gets one',
    '<e:T rdf:about="/o" xml:base="http://b.org"/>', [`<http://b.org/o> <${rdf.type}> <http://e.org/T> .`]],
  ['a slash in the query of a base is no folder',
    '<e:T rdf:about="o" xml:base="http://b.org/a?c/d"/>', [`<http://b.org/o> <${rdf.type}> <http://e.org/T> .`]],
  ['xml:lang holds for the attributes before it',
    about('<e:p e:q="v" xml:lang="de"/>'), ['<http://x> <http://e.org/p> _:b0 .', '_:b0 <http://e.org/q> "v"@de .']],
  ['rdf:type of a node element is resolved',
    '<rdf:Description rdf:about="http://x" rdf:type="T"/>', [`<http://x> <${rdf.type}> <http://base.org/dir/T> .`]],
  ['an empty rdf:type is the document itself',
    '<rdf:Description rdf:about="http://x" rdf:type=""/>', [`<http://x> <${rdf.type}> <${baseIRI}> .`]],
  ['rdf:type of a property element is an IRI and no text',
    about('<e:p rdf:type="http://t"/>'), ['<http://x> <http://e.org/p> _:b0 .', `_:b0 <${rdf.type}> <http://t> .`]],
  ['rdf:type beside rdf:resource is an IRI and no text',
    about('<e:p rdf:type="http://t" rdf:resource="http://o"/>'),
    [`<http://o> <${rdf.type}> <http://t> .`, '<http://x> <http://e.org/p> <http://o> .']],
  ['rdf:ID reifies the statement, and not what its object says of itself',
    about('<e:p rdf:ID="i"><e:T rdf:about="http://o" e:q="v"/></e:p>'),
    [...reified(`${baseIRI}#i`, 'p', '<http://o>'), '<http://o> <http://e.org/q> "v" .', `<http://o> <${rdf.type}> <http://e.org/T> .`,
      '<http://x> <http://e.org/p> <http://o> .']],
  ['rdf:ID behind rdf:parseType reifies the statement',
    about('<e:p rdf:parseType="Resource" rdf:ID="i"/>'), [...reified(`${baseIRI}#i`, 'p', '_:b0'), '<http://x> <http://e.org/p> _:b0 .']],
  ['rdf:ID reifies the statement of an empty collection',
    about('<e:p rdf:ID="i" rdf:parseType="Collection"/>'),
    [...reified(`${baseIRI}#i`, 'p', `<${rdf.nil}>`), `<http://x> <http://e.org/p> <${rdf.nil}> .`]],
  ['rdf:ID reifies the statement of a collection, and none of its members',
    about('<e:p rdf:ID="i" rdf:parseType="Collection"><e:T rdf:about="http://o"/></e:p>'),
    [...reified(`${baseIRI}#i`, 'p', '_:b0'), `<http://o> <${rdf.type}> <http://e.org/T> .`, '<http://x> <http://e.org/p> _:b0 .',
      `_:b0 <${rdf.first}> <http://o> .`, `_:b0 <${rdf.rest}> <${rdf.nil}> .`]],
  ['an unknown parse type is that of a literal',
    about('<e:p rdf:parseType="odd"><e:T/></e:p>'),
    [`<http://x> <http://e.org/p> "<e:T xmlns:e=\\"http://e.org/\\"></e:T>"^^<${rdf.XMLLiteral}> .`]],
  ['about, resource and type of old documents are those of RDF',
    '<rdf:Description about="http://x" type="http://t"><e:p resource="o"/></rdf:Description>',
    ['<http://x> <http://e.org/p> <http://base.org/dir/o> .', `<http://x> <${rdf.type}> <http://t> .`]],
];

describe('attributes of RDF/XML', () => {
  for (const [what, body, expected] of cases)
    it(what, async () => {
      expect(await triples(body)).toEqual([...expected].sort());
    });

  for (const [what, body] of [
    ['without a namespace, whose text would be lost', '<e:T name="v"/>'],
    ['rdf:type beside a datatype', about('<e:p rdf:type="http://t" rdf:datatype="http://d">v</e:p>')],
    ['rdf:type beside a parse type', about('<e:p rdf:type="http://t" rdf:parseType="Resource"/>')],
    [
      'an id twice, once under the base of a property',
      about('<e:p rdf:ID="i">v</e:p><e:p xml:base="" rdf:ID="i">w</e:p>'),
    ],
  ] as const)
    it(`are refused: ${what}`, async () => {
      await expect(triples(body)).rejects.toThrow(/namespace|beside|occurrences/);
    });
});
