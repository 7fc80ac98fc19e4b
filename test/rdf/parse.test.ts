import { describe, expect, it } from 'vitest';
import type { RdfFormat } from '../../src/rdf/formats.js';
import { writeTriples } from '../../src/rdf/ntriples.js';
import { parseRdf, type ParseOptions } from '../../src/rdf/parse.js';
import { rdf } from '../../src/rdf/vocabulary.js';

const rdfNs = rdf.type.replace('type', '');

function xml(content: string): string {
  return `<rdf:RDF xmlns:rdf="${rdfNs}" xmlns:e="http://ex.org/">${content}</rdf:RDF>`;
}

async function lines(
  text: string | Uint8Array,
  format: RdfFormat,
  more: Partial<ParseOptions> = {},
): Promise<string[]> {
  return writeTriples(await parseRdf(text, { format, ...more }))
    .split('\n')
    .slice(0, -1);
}

describe('every format', () => {
  const same: Record<RdfFormat, string> = {
    rdfxml: xml('<rdf:Description rdf:about="http://ex.org/s"><e:p xml:lang="en">o</e:p></rdf:Description>'),
    turtle: '@prefix e: <http://ex.org/> . e:s e:p "o"@en .',
    ntriples: '<http://ex.org/s> <http://ex.org/p> "o"@en .\n',
    nquads: '<http://ex.org/s> <http://ex.org/p> "o"@en <http://ex.org/g> .\n',
    trig: '@prefix e: <http://ex.org/> . e:g { e:s e:p "o"@en }',
    jsonld: '{"@id":"http://ex.org/s","http://ex.org/p":{"@value":"o","@language":"en"}}',
  };
  for (const [format, text] of Object.entries(same) as [RdfFormat, string][]) {
    it(`reads ${format} from text and from bytes, with a byte order mark too`, async () => {
      const expected = ['<http://ex.org/s> <http://ex.org/p> "o"@en .'];
      expect(await lines(text, format)).toEqual(expected);
      expect(await lines(Buffer.from('\ufeff' + text), format)).toEqual(expected);
      expect(await lines('\ufeff' + text, format)).toEqual(expected);
    });

    it(`refuses ${format} of too many statements`, async () => {
      await expect(parseRdf(text, { format, maxQuads: 0 })).rejects.toMatchObject({ name: 'RdfLimitError' });
      expect(await parseRdf(text, { format, maxQuads: 1 })).toHaveLength(1);
    });

    it(`refuses ${format} that is not UTF-8`, async () => {
      const bytes = Buffer.from(text.replace('"o"', '"é"').replace('>o<', '>é<'), 'latin1');
      await expect(parseRdf(bytes, { format })).rejects.toThrow(/not valid utf-8/);
    });

    it(`reads the named graph of ${format}, or none`, async () => {
      const [quad] = await parseRdf(text, { format });
      expect(quad?.graph.value).toBe(format === 'trig' || format === 'nquads' ? 'http://ex.org/g' : '');
    });
  }

  it('gives blank node labels that no other call gives', async () => {
    const text = '_:x <urn:p> [] .';
    const [one] = await parseRdf(text, { format: 'turtle' });
    const [two] = await parseRdf(text, { format: 'turtle' });
    const labels = [one?.subject.value, one?.object.value, two?.subject.value, two?.object.value];
    expect(new Set(labels).size).toBe(4);
  });

  it('reads a statement that is said twice once', async () => {
    expect(await lines('<urn:a> <urn:p> <urn:b> , <urn:b> .', 'turtle')).toHaveLength(1);
  });
});

describe('IRIs', () => {
  it('are resolved against the base', async () => {
    const more = { baseIRI: 'http://ex.org/dir/file' };
    expect(await lines('<a> <#p> <> .', 'turtle', more)).toEqual([
      '<http://ex.org/dir/a> <http://ex.org/dir/file#p> <http://ex.org/dir/file> .',
    ]);
    expect(await lines(xml('<e:T rdf:about="a"/>'), 'rdfxml', more)).toEqual([
      `<http://ex.org/dir/a> <${rdf.type}> <http://ex.org/T> .`,
    ]);
    expect(await lines('{"@id":"a","@type":"http://ex.org/T"}', 'jsonld', more)).toEqual([
      `<http://ex.org/dir/a> <${rdf.type}> <http://ex.org/T> .`,
    ]);
  });

  it('keep what looks like segments in a query', async () => {
    expect(await lines(xml('<e:T rdf:about="http://h/?a/../b"/>'), 'rdfxml')).toEqual([
      `<http://h/?a/../b> <${rdf.type}> <http://ex.org/T> .`,
    ]);
  });

  const bad: [string, RdfFormat, string][] = [
    ['a relative IRI without a base', 'turtle', '<a> <urn:p> <urn:b> .'],
    ['a relative IRI without a base', 'rdfxml', xml('<e:T rdf:about="a"/>')],
    ['a relative IRI without a base', 'jsonld', '{"@id":"a","http://ex.org/p":1}'],
    ['a relative type without a base', 'jsonld', '{"@id":"urn:a","@type":"T"}'],
    ['a space', 'rdfxml', xml('<e:T rdf:about="http://ex.org/a b"/>')],
    ['a space', 'jsonld', '{"@id":"http://ex.org/a b","http://ex.org/p":1}'],
    ['an escaped space', 'turtle', '<http://ex.org/a\\u0020b> <urn:p> <urn:b> .'],
    ['a brace', 'rdfxml', xml('<e:T rdf:about="http://ex.org/{a}"/>')],
    ['a quote', 'nquads', '<http://ex.org/"> <urn:p> <urn:b> .'],
    ['an element without a namespace', 'rdfxml', `<rdf:RDF xmlns:rdf="${rdfNs}"><T/></rdf:RDF>`],
  ];
  for (const [what, format, text] of bad) {
    it(`are refused with ${what} in ${format}`, async () => {
      await expect(parseRdf(text, { format })).rejects.toMatchObject({ name: 'RdfSyntaxError' });
    });
  }
});

describe('errors carry their line', () => {
  const bad: [RdfFormat, string, number][] = [
    ['turtle', '<urn:a> <urn:p> <urn:b> .\n\n<urn:a> <urn:p> .', 3],
    ['turtle', '<urn:a> <urn:p>\n"x .', 2],
    ['turtle', '\n<urn:a> <urn:p> <b> .', 2],
    ['ntriples', '<urn:a> <urn:p> <urn:b> .\n<urn:a> <urn:p> _ .', 2],
    ['nquads', '<urn:a> <urn:p> <urn:b> .\n<urn:a> .', 2],
    ['trig', '\n\n<urn:g> { <urn:a> }', 3],
    ['rdfxml', xml('\n\n<e:T>'), 3],
    ['rdfxml', xml('\n<e:T rdf:about="a b"/>\n'), 2],
    ['jsonld', '{\n\n"a" 1}', 3],
  ];
  for (const [format, text, line] of bad) {
    it(`${format}: ${JSON.stringify(text).slice(0, 60)}`, async () => {
      const found: unknown = await parseRdf(text, { format }).catch((error: unknown) => error);
      expect(found).toMatchObject({ name: 'RdfSyntaxError', line });
    });
  }
});

describe('nesting', () => {
  const nested: [RdfFormat, (depth: number) => string][] = [
    ['turtle', (n) => `<urn:a> <urn:p> ${'[ <urn:p> '.repeat(n)} 1 ${']'.repeat(n)} .`],
    ['turtle', (n) => `<urn:a> <urn:p> ${'('.repeat(n)} 1 ${')'.repeat(n)} .`],
    ['trig', (n) => `<urn:g> { <urn:a> <urn:p> ${'[ <urn:p> '.repeat(n - 1)} 1 ${']'.repeat(n - 1)} }`],
    ['jsonld', (n) => '{"http://ex.org/p":'.repeat(n) + '1' + '}'.repeat(n)],
    ['rdfxml', (n) => xml('<e:T><e:p>'.repeat((n - 2) / 2) + '</e:p></e:T>'.repeat((n - 2) / 2))],
  ];
  for (const [format, text] of nested) {
    it(`of ${format} ${JSON.stringify(text(4)).slice(0, 40)} is bounded`, async () => {
      expect((await parseRdf(text(250), { format })).length).toBeGreaterThan(100);
      await expect(parseRdf(text(300), { format })).rejects.toMatchObject({ name: 'RdfLimitError', line: 1 });
      await expect(parseRdf(text(200_000), { format })).rejects.toMatchObject({ name: 'RdfLimitError' });
      await expect(parseRdf(text(20), { format, maxDepth: 10 })).rejects.toMatchObject({
        name: 'RdfLimitError',
      });
    });
  }

  it('of bases in one another is bounded, by their number and by their length', async () => {
    const limited = { name: 'RdfLimitError' };
    const read = (text: string) => parseRdf(text, { format: 'turtle', baseIRI: 'http://ex.org/' });
    const more = `<s> <p> <o> .`;
    expect(await read(`@base <a/> .\n`.repeat(1000) + more)).toHaveLength(1);
    for (const base of ['@base <a/> .\n', 'BASE <a/>\n', '@base <#> .\n'])
      await expect(read(base.repeat(1001) + more)).rejects.toMatchObject({ ...limited, line: 1001 });
    await expect(read(`@base <${'a/'.repeat(3000)}> .\n`.repeat(2) + more)).rejects.toMatchObject(limited);
  });

  it('of paths in JSON-LD is bounded: those that are resolved, and no text', async () => {
    const read = (node: object) =>
      parseRdf(JSON.stringify(node), { format: 'jsonld', baseIRI: 'http://ex.org/' });
    const steps = '../'.repeat(300_000);
    expect(await read({ '@id': 'a/../b', 'http://ex.org/p': steps })).toHaveLength(1);
    await expect(read({ '@id': steps, 'http://ex.org/p': 1 })).rejects.toMatchObject({
      name: 'RdfLimitError',
    });
    const base = { '@context': { '@base': steps }, '@id': 'x', 'http://ex.org/p': 1 };
    await expect(read(base)).rejects.toMatchObject({ name: 'RdfLimitError' });
  });

  it('of XML literals is bounded too', async () => {
    const deep = xml(`<e:T><e:p rdf:parseType="Literal">${'<b>'.repeat(100_000)}`);
    await expect(parseRdf(deep, { format: 'rdfxml' })).rejects.toMatchObject({ name: 'RdfLimitError' });
  });
});

describe('reading RDF/XML of patients', () => {
  it('keeps text in several pieces whole', async () => {
    const text = xml('<e:T rdf:about="urn:a"><e:p>one<!-- - --> &amp; <![CDATA[<two>]]> three</e:p></e:T>');
    expect((await lines(text, 'rdfxml')).at(-1)).toBe('<urn:a> <http://ex.org/p> "one & <two> three" .');
  });

  it('keeps what a single node element as root says', async () => {
    const text = `<e:T xmlns:e="http://ex.org/" xmlns:rdf="${rdfNs}" rdf:about="urn:a" e:q="1"><e:p>x</e:p></e:T>`;
    expect(await lines(text, 'rdfxml')).toEqual([
      `<urn:a> <${rdf.type}> <http://ex.org/T> .`,
      '<urn:a> <http://ex.org/q> "1" .',
      '<urn:a> <http://ex.org/p> "x" .',
    ]);
  });

  it('writes XML literals canonically: escapes, namespaces, comments', async () => {
    const text = xml(
      '<e:T rdf:about="urn:a"><e:p rdf:parseType="Literal">a &lt; b<br/><e:i z="&quot;" a="1">x</e:i><!--c--></e:p></e:T>',
    );
    const [, literal] = await parseRdf(text, { format: 'rdfxml' });
    expect(literal?.object.value).toBe(
      'a &lt; b<br></br><e:i xmlns:e="http://ex.org/" a="1" z="&quot;">x</e:i><!--c-->',
    );
  });

  it('reads the encoding that the document declares', async () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?>${xml('<e:T rdf:about="urn:a"><e:p>é</e:p></e:T>')}`;
    expect((await lines(Buffer.from(text, 'latin1'), 'rdfxml')).at(-1)).toContain('"é"');
    const wide = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(text.replace('ISO-8859-1', 'UTF-16'), 'utf16le'),
    ]);
    expect((await lines(wide, 'rdfxml')).at(-1)).toContain('"é"');
    await expect(lines(Buffer.from(text.replace('ISO-8859-1', 'X-Y')), 'rdfxml')).rejects.toThrow(
      /x-y is not supported/,
    );
  });

  const bad: [string, string][] = [
    ['a truncated document', xml('<e:T/>').slice(0, -5)],
    ['nothing', ''],
    ['text between elements', xml('<e:T>text</e:T>')],
    ['text beside an element', xml('<e:T><e:p>text<e:T/></e:p></e:T>')],
    ['text beside a reference', xml('<e:T><e:p rdf:resource="urn:a">text</e:p></e:T>')],
    ['two roots', xml('') + xml('')],
    ['an undeclared prefix', xml('<x:T/>')],
    ['a language tag that is none', xml('<e:T><e:p xml:lang="not a tag">x</e:p></e:T>')],
    ['an entity that is a property of every object', xml('<e:T><e:p>&constructor;</e:p></e:T>')],
    ['an undeclared entity', xml('<e:T><e:p>&sp;</e:p></e:T>')],
  ];
  for (const [what, text] of bad) {
    it(`refuses ${what}`, async () => {
      await expect(parseRdf(text, { format: 'rdfxml' })).rejects.toMatchObject({ name: 'RdfSyntaxError' });
    });
  }
});

describe('reading JSON-LD', () => {
  const context = '{"@context":{"@vocab":"http://ex.org/"},"@id":"urn:a",';

  const bad: [string, string, RegExp][] = [
    [
      'a context elsewhere',
      '{"@context":"http://ex.org/context","a":1}',
      /not loaded: "http:\/\/ex\.org\/context"/,
    ],
    ['a property that would be dropped', '{"@id":"urn:a","name":"x"}', /name/],
    [
      'what no context tells of, in words of its own',
      '{"hello":1}',
      /^no @context says what "hello" is, so what it holds would be lost$/,
    ],
    ['a lone surrogate', `${context}"p":"\\ud800"}`, /lone surrogate U\+D800/],
    ['a language tag that is none', `${context}"p":{"@value":"x","@language":"a b"}}`, /language/],
    ['a scalar', '1', /object or array/],
    ['nothing', '', /not JSON/],
    [
      'what is not JSON, without quoting it',
      '{"name": John}',
      /^the text is not JSON: Unexpected token 'J'$/,
    ],
  ];
  for (const [what, text, reason] of bad) {
    it(`refuses ${what}`, async () => {
      const found: unknown = await parseRdf(text, { format: 'jsonld' }).catch((error: unknown) => error);
      expect(found).toMatchObject({
        name: 'RdfSyntaxError',
        message: expect.stringMatching(reason) as unknown,
      });
    });
  }

  it('reads lists, numbers and brackets inside strings', async () => {
    const text = `${context}"p":{"@list":["${'['.repeat(400)}\\"{",1,true]}}`;
    expect(await lines(text, 'jsonld')).toHaveLength(7);
  });
});

describe('what RDF 1.2 adds', () => {
  it('is refused as unsupported', async () => {
    const text = '<urn:a> <urn:p> <<( <urn:a> <urn:p> <urn:b> )>> .';
    await expect(parseRdf(text, { format: 'turtle' })).rejects.toMatchObject({ name: 'RdfSyntaxError' });
    const reified = '<urn:a> <urn:p> <urn:b> {| <urn:q> 1 |} .';
    await expect(parseRdf(reified, { format: 'turtle' })).rejects.toMatchObject({ name: 'RdfSyntaxError' });
  });
});
