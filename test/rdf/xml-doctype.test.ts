import { describe, expect, it } from 'vitest';
import { parseRdf } from '../../src/rdf/parse.js';
import { rdf } from '../../src/rdf/vocabulary.js';

function read(
  subset: string,
  text: string,
  doctype: 'refuse' | 'internal' = 'internal',
): Promise<string | undefined> {
  const document = `<?xml version="1.0"?>\n<!DOCTYPE rdf:RDF ${subset}>\n<rdf:RDF xmlns:rdf="${rdf.type.replace('type', '')}" xmlns:e="http://ex.org/"><e:T rdf:about="urn:a"><e:p>${text}</e:p></e:T></rdf:RDF>`;
  return parseRdf(document, { format: 'rdfxml', doctype }).then((quads) => quads.at(-1)?.object.value);
}

describe('DOCTYPE of RDF/XML', () => {
  it('is refused over HTTP, whatever it holds', async () => {
    await expect(read('[]', 'x', 'refuse')).rejects.toThrow(/line 2: a DOCTYPE is not accepted/);
    await expect(read('', 'x', 'refuse')).rejects.toThrow(/DOCTYPE/);
  });

  const read_: [string, string, string, string][] = [
    ['no declaration', '', 'x', 'x'],
    ['a namespace', '[ <!ENTITY owl "http://ex.org/owl#" > ]', '&owl;Class', 'http://ex.org/owl#Class'],
    ['single quotes and signs of its own', `[<!ENTITY a.b-1 'say "hi"'>]`, '&a.b-1;', 'say "hi"'],
    ['entities in entities', '[<!ENTITY a "x&b;x"><!ENTITY b "y&amp;y">]', '&a;', 'xy&yx'],
    ['the first of two declarations', '[<!ENTITY a "1"><!ENTITY a "2">]', '&a;', '1'],
    ['character references', '[<!ENTITY a "&#233;&#x1F600;&#38;amp;">]', '&a;', 'é😀&'],
    [
      'comments, instructions and elements',
      `[<!-- don't "--><?x y?><!ELEMENT p ANY><!ENTITY a "1">]`,
      '&a;',
      '1',
    ],
    ['standard entities, never redefined', '[<!ENTITY lt "&#38;#60;"><!ENTITY amp "x">]', '&lt;&amp;', '<&'],
  ];
  for (const [what, subset, text, expected] of read_) {
    it(`from a file may have ${what}`, async () => expect(await read(subset, text)).toBe(expected));
  }

  it('from a file works in attributes', async () => {
    const document = `<!DOCTYPE r [<!ENTITY e "http://ex.org/">]><rdf:RDF xmlns:rdf="${rdf.type.replace('type', '')}" xmlns:e="&e;"><e:T rdf:about="&e;a"/></rdf:RDF>`;
    const [quad] = await parseRdf(document, { format: 'rdfxml', doctype: 'internal' });
    expect(quad?.subject.value).toBe('http://ex.org/a');
  });

  const laughs = Array.from({ length: 12 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join(
    '',
  );
  const refused: [string, string, string, string][] = [
    ['another document', 'SYSTEM "file:///etc/passwd"', 'x', 'RdfSyntaxError'],
    ['a public document', 'PUBLIC "-//X" "http://ex.org/x.dtd" [<!ENTITY a "1">]', 'x', 'RdfSyntaxError'],
    ['an external entity', '[<!ENTITY a SYSTEM "file:///etc/passwd">]', '&a;', 'RdfSyntaxError'],
    ['a public entity', '[<!ENTITY a PUBLIC "x" "file:///etc/passwd">]', '&a;', 'RdfSyntaxError'],
    ['a parameter entity', '[<!ENTITY % a "x">]', 'x', 'RdfSyntaxError'],
    ['an external parameter entity', '[<!ENTITY % a SYSTEM "x">]', 'x', 'RdfSyntaxError'],
    ['a parameter reference', '[%a;]', 'x', 'RdfSyntaxError'],
    ['attribute defaults', '[<!ATTLIST e:T e:q CDATA "1">]', 'x', 'RdfSyntaxError'],
    ['markup in an entity', '[<!ENTITY a "&#60;b/>">]', '&a;', 'RdfSyntaxError'],
    ['an undeclared entity in an entity', '[<!ENTITY a "&b;">]', '&a;', 'RdfSyntaxError'],
    ['an entity that every object has', '[<!ENTITY a "&constructor;">]', '&a;', 'RdfSyntaxError'],
    ['a character reference to nothing', '[<!ENTITY a "&#x110000;">]', '&a;', 'RdfSyntaxError'],
    ['an entity of itself', '[<!ENTITY a "&b;"><!ENTITY b "&a;">]', '&a;', 'RdfLimitError'],
    ['a billion laughs', `[<!ENTITY a0 "ha">${laughs}]`, '&a12;', 'RdfLimitError'],
    ['much text many times', `[<!ENTITY a "${'x'.repeat(50_000)}">]`, '&a;'.repeat(10_000), 'RdfLimitError'],
  ];
  for (const [what, subset, text, name] of refused) {
    it(`from a file may not have ${what}`, async () => {
      await expect(read(subset, text)).rejects.toMatchObject({ name });
    });
  }
});
