import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { parseRdf } from '../../src/rdf/parse.js';
import { unwritable, writeRdfXml } from '../../src/rdf/write-rdfxml.js';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../../src/rdf/terms.js';
import { rdf, rdfs, sp, xsd } from '../../src/rdf/vocabulary.js';
import { retold } from './arbitraries.js';
import { readIndependently } from './independent.js';

const a = namedNode('http://ex.org/a');

function body(quads: readonly Quad[]): string {
  return /<rdf:RDF[^>]*>\n([^]*)<\/rdf:RDF>/.exec(writeRdfXml(quads))?.[1] ?? '';
}

function say(subject: Term, predicate: string, object: Term | string): Quad {
  return quad(subject, namedNode(predicate), typeof object === 'string' ? literal(object) : object);
}

describe('writing RDF/XML', () => {
  it('nests blank nodes, names elements by type and declares only the prefixes in use', () => {
    const name = blankNode();
    const graph = [
      say(a, sp.drugName, name),
      say(name, sp.code, namedNode('http://ex.org/code?a=1&b=2')),
      say(name, rdf.type, namedNode(sp.CodedValue)),
      say(a, sp.startDate, '2010-05-01'),
      say(a, rdf.type, namedNode(sp.Medication)),
    ];
    expect(writeRdfXml(graph)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:sp="http://smartplatforms.org/terms#">
  <sp:Medication rdf:about="http://ex.org/a">
    <sp:drugName>
      <sp:CodedValue>
        <sp:code rdf:resource="http://ex.org/code?a=1&amp;b=2"/>
      </sp:CodedValue>
    </sp:drugName>
    <sp:startDate>2010-05-01</sp:startDate>
  </sp:Medication>
</rdf:RDF>
`);
  });

  it('begins names after the last letter that XML 1.0 has only since its fifth edition', () => {
    const graph = [
      say(a, 'http://b.org/wuji\u{10428}name', '1'),
      say(a, 'http://c.org/\u07ca9größe', '2'),
      say(a, 'http://d.org/größe', '3'),
      say(a, 'http://e.org/体重', '4'),
    ];
    expect(body(graph)).toBe(`  <rdf:Description rdf:about="http://ex.org/a">
    <ns1:name>1</ns1:name>
    <ns2:größe>2</ns2:größe>
    <ns3:größe>3</ns3:größe>
    <ns4:体重>4</ns4:体重>
  </rdf:Description>
`);
  });

  it('writes an empty graph as an empty document', async () => {
    expect(await readIndependently(writeRdfXml([]))).toEqual([]);
  });

  it('takes the first type for the element and writes the others as properties', () => {
    const types = [sp.Statement, sp.Medication, 'http://ex.org/9', rdf.Description].map(namedNode);
    expect(body(types.map((type) => say(a, rdf.type, type))))
      .toBe(`  <sp:Medication rdf:about="http://ex.org/a">
    <rdf:type rdf:resource="http://ex.org/9"/>
    <rdf:type rdf:resource="http://smartplatforms.org/terms#Statement"/>
    <rdf:type rdf:resource="http://www.w3.org/1999/02/22-rdf-syntax-ns#Description"/>
  </sp:Medication>
`);
  });

  it('generates prefixes in the order of the namespaces, around those of the table', () => {
    const graph = [
      say(a, 'http://z.org/p', '1'),
      say(a, 'http://b.org/p', '2'),
      say(a, 'http://c.org/p', '3'),
    ];
    const text = writeRdfXml(graph, {
      ns1: 'http://c.org/',
      xmlfoo: 'http://z.org/',
      '1': 'http://b.org/',
    });
    expect(text.match(/xmlns:\w+="[^"]+"/g)).toEqual([
      'xmlns:ns1="http://c.org/"',
      'xmlns:ns2="http://b.org/"',
      'xmlns:ns3="http://z.org/"',
      'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"',
    ]);
  });

  const texts: [string, Term, string][] = [
    ['markup', literal('a & b < c > d ]]>'), '>a &amp; b &lt; c &gt; d ]]&gt;<'],
    ['a carriage return', literal('a\r\nb'), '>a&#13;\nb<'],
    ['outer blanks', literal('  a \t'), '>  a \t<'],
    ['nothing', literal(''), '><'],
    ['a language', literal('chat', 'fr'), ' xml:lang="fr">chat<'],
    ['a datatype', literal('1', namedNode(xsd.integer)), ` rdf:datatype="${xsd.integer}">1<`],
    ['an explicit string', literal('a', namedNode(xsd.string)), '>a<'],
    [
      'an XML literal',
      literal('<b>x</b>', namedNode(rdf.XMLLiteral)),
      ` rdf:datatype="${rdf.XMLLiteral}">&lt;b&gt;x`,
    ],
    ['signs beyond the basic plane', literal('😀'), '>😀<'],
  ];
  for (const [what, value, expected] of texts) {
    it(`keeps ${what} in a literal`, async () => {
      const text = writeRdfXml([say(a, sp.notes, value)]);
      expect(text).toContain(`<sp:notes${expected}`);
      expect((await readIndependently(text))[0]?.object.equals(value)).toBe(true);
    });
  }

  const refused: [string, Quad, RegExp][] = [
    [
      'a predicate without an XML name at its end',
      say(a, 'http://ex.org/123', '1'),
      /http:\/\/ex\.org\/123.*XML name/,
    ],
    [
      'a predicate that ends in a letter that not every XML parser knows',
      say(a, 'http://ex.org/wuji\u{10428}', '1'),
      /wuji.*XML name/,
    ],
    ['rdf:li, which readers renumber', say(a, rdf.type.replace('type', 'li'), '1'), /#li.*syntax/],
    ['rdf:Description as predicate', say(a, rdf.Description, '1'), /#Description.*syntax/],
    ['rdf:about as predicate', say(a, rdf.type.replace('type', 'about'), '1'), /#about.*syntax/],
    [
      'a predicate in the namespace of xmlns',
      say(a, 'http://www.w3.org/2000/xmlns/p', '1'),
      /cannot be declared/,
    ],
    ['a control character', say(a, sp.notes, 'a\u0007b'), /U\+0007 in a literal/],
    ['a lone surrogate', say(a, sp.notes, 'a\ud800b'), /U\+D800 in a literal/],
    ['U+FFFF', say(a, sp.notes, '\uffff'), /U\+FFFF/],
    ['U+FFFE in an IRI', say(namedNode('http://ex.org/\ufffe'), sp.notes, 'a'), /U\+FFFE in a IRI/],
    ['a relative IRI', say(a, sp.code, namedNode('b')), /not absolute/],
    ['a space in an IRI', say(a, sp.code, namedNode('http://ex.org/a b')), /cannot hold U\+0020/],
    ['a space in a type', say(a, rdf.type, namedNode('http://ex.org/a b#C')), /cannot hold U\+0020/],
    [
      'a space in a datatype',
      say(a, sp.value, literal('1', namedNode('http://ex.org/ t'))),
      /cannot hold U\+0020/,
    ],
    ['an IRI that readers would shorten', say(namedNode('http://ex.org/a/../b'), sp.notes, 'a'), /segments/],
  ];
  for (const [what, statement, reason] of refused) {
    it(`refuses ${what}`, () => {
      expect(unwritable(statement)).toMatch(reason);
      expect(() => writeRdfXml([statement])).toThrow(reason);
    });
  }

  it('accepts what it can write', () => {
    expect(unwritable(say(a, sp.notes, 'a'))).toBeUndefined();
    expect(unwritable(say(a, `${rdf.type.replace('type', '_12')}`, blankNode()))).toBeUndefined();
    expect(unwritable(say(namedNode('http://ex.org/a?b=/../c'), sp.notes, 'a'))).toBeUndefined();
  });

  it('gives a node id to a blank node that two statements point to, and only to that', () => {
    const shared = blankNode();
    const graph = [
      say(a, sp.code, shared),
      say(a, sp.provenance, shared),
      say(shared, sp.notes, 'x'),
      say(a, sp.unit, blankNode()),
    ];
    expect(body(graph)).toBe(`  <rdf:Description rdf:about="http://ex.org/a">
    <sp:code rdf:nodeID="b0"/>
    <sp:provenance rdf:nodeID="b0"/>
    <sp:unit>
      <rdf:Description/>
    </sp:unit>
  </rdf:Description>
  <rdf:Description rdf:nodeID="b0">
    <sp:notes>x</sp:notes>
  </rdf:Description>
`);
  });

  it('writes a repeated statement once and two equal blank nodes twice', () => {
    const one = blankNode();
    const graph = [
      say(a, sp.code, one),
      say(a, sp.code, one),
      say(a, sp.code, blankNode()),
      say(a, sp.notes, 'x'),
      say(a, sp.notes, 'x'),
    ];
    expect(body(graph).match(/<sp:code>/g)).toHaveLength(2);
    expect(body(graph).match(/<sp:notes>/g)).toHaveLength(1);
  });

  it('writes rings of blank nodes, alone and with a tail', async () => {
    const [x, y, z] = [blankNode('x'), blankNode('y'), blankNode('z')];
    const ring = [
      say(x, sp.code, y),
      say(y, sp.code, z),
      say(z, sp.code, x),
      say(z, sp.unit, blankNode('tail')),
    ];
    const text = writeRdfXml(ring);
    expect(isomorphic(await readIndependently(text), ring)).toBe(true);
    expect(text.match(/rdf:nodeID/g)).toHaveLength(2);
    for (let seed = 0; seed < 20; seed++) expect(writeRdfXml(retold(ring, seed))).toBe(text);
  });

  it('writes chains of any length so that a reader with a limit of 256 elements can follow', async () => {
    const chain: Quad[] = [];
    for (let i = 0; i < 20_000; i++) chain.push(say(blankNode(`c${i}`), rdf.rest, blankNode(`c${i + 1}`)));
    chain.push(say(a, rdfs.seeAlso, blankNode('c0')));
    const text = writeRdfXml(chain);
    expect(await parseRdf(text, { format: 'rdfxml', maxDepth: 256 })).toHaveLength(chain.length);
    expect(writeRdfXml(retold(chain, 7))).toBe(text);
  });

  it('keeps equal parts of different components apart', () => {
    const graph: Quad[] = [];
    for (const i of [0, 1, 2]) {
      const shared = blankNode(`s${i}`);
      graph.push(say(blankNode(`p${i}`), sp.code, shared), say(blankNode(`q${i}`), sp.code, shared));
    }
    const text = writeRdfXml(graph);
    for (let seed = 0; seed < 20; seed++) expect(writeRdfXml(retold(graph, seed))).toBe(text);
  });
});

describe('lists in RDF/XML', () => {
  const chain = (length: number, end: (index: number) => Term): Quad[] =>
    Array.from({ length }, (_, index) => [
      say(blankNode(`cell${index}`), rdf.first, namedNode(`http://ex.org/${index}`)),
      say(
        blankNode(`cell${index}`),
        rdf.rest,
        index + 1 < length ? blankNode(`cell${index + 1}`) : end(index),
      ),
    ]).flat();

  it('stand as collections, in their order and as flat as they are', async () => {
    const graph = [say(a, sp.images, blankNode('cell0')), ...chain(500, () => namedNode(rdf.nil))];
    expect(body(graph)).toContain(
      '<sp:images rdf:parseType="Collection">\n      <rdf:Description rdf:about="http://ex.org/0"/>',
    );
    expect(isomorphic(await readIndependently(writeRdfXml(graph)), graph)).toBe(true);
  });

  it.each([1, 2, 5])('a ring of %d cells is no list, and is read back as it was', async (length) => {
    const ring = chain(length, () => blankNode('cell0'));
    expect(isomorphic(await readIndependently(writeRdfXml(ring)), ring)).toBe(true);
  });

  it('a long chain without an end is no list and costs no more than its length', () => {
    const graph = [
      say(a, sp.images, blankNode('cell0')),
      ...chain(20_000, () => namedNode('http://ex.org/end')),
    ];
    expect(writeRdfXml(graph)).toContain('http://ex.org/19999');
  });
});
