import { describe, expect, test } from 'vitest';
import { positionsIn } from '../../../src/model/check/positions.js';

const sp = 'http://smartplatforms.org/terms#';
const rdfs = 'http://www.w3.org/2000/01/rdf-schema#';

/** Where things stand in files of Turtle, as `file:line`. */
function placesIn(...texts: string[]): (subject: string, near?: string) => string | undefined {
  const encoder = new TextEncoder();
  const files = texts.map((text, n) => ({ name: `${n}.ttl`, path: `${n}.ttl`, text: encoder.encode(text) }));
  const locate = positionsIn(files);
  return (subject, near) => {
    const place = locate(subject, near);
    return place && `${place.file}:${place.line}`;
  };
}

describe('the place of a subject', () => {
  const turtle = `@prefix sp: <${sp}> . # sp:Comment a sp:X .
@prefix rdfs: <${rdfs}> .
PREFIX other: <http://other.example.org/>
@base <http://base.example.org/a/> .

sp:Shoe a sp:X ; rdfs:comment "one. sp:InText a sp:X ." ;
  rdfs:label """two
sp:InLongText a sp:X .
""" , 'three \\' sp:InQuotes' , 1.5 , 2 , -0.5e3 , true ;
  rdfs:seeAlso [ sp:inner ( sp:Member "x"@en [ sp:deep sp:Deepest ] ) ] .

<b> a sp:X .  other:c\\.d.e a sp:X .
[] a sp:Nameless ; sp:of sp:Unheld .
_:held sp:of sp:InLabelled .
<http://whole.example.org/x#y> rdfs:label "x"^^sp:Datatype .
:empty a sp:X .
`;
  const at = placesIn(turtle);

  test.each([
    ['a prefixed name', `${sp}Shoe`, '0.ttl:6'],
    ['a relative IRI', 'http://base.example.org/a/b', '0.ttl:12'],
    ['a name with dots, one of them escaped', 'http://other.example.org/c.d.e', '0.ttl:12'],
    ['a whole IRI after long texts and numbers', 'http://whole.example.org/x#y', '0.ttl:15'],
    ['what only stands deep inside of another', `${sp}Deepest`, '0.ttl:10'],
    ['what stands beside a blank node', `${sp}Unheld`, '0.ttl:13'],
    ['what stands beside a labelled one', `${sp}InLabelled`, '0.ttl:14'],
    ['a datatype', `${sp}Datatype`, '0.ttl:15'],
  ])('is found for %s', (_, iri, place) => {
    expect(at(iri)).toBe(place);
  });

  test('is in no comment and in no text', () => {
    for (const name of ['Comment', 'InText', 'InLongText', 'InQuotes']) expect(at(sp + name)).toBeUndefined();
  });

  test('is where its type is stated, in whatever file, else where it first begins a sentence', () => {
    const prefix = `@prefix sp: <${sp}> .\n`;
    const at = placesIn(
      `${prefix}sp:A sp:of sp:B .\nsp:B sp:of sp:C .`,
      `${prefix}\nsp:A a sp:X .`,
      `${prefix}sp:B sp:of 1 .`,
    );
    expect(at(`${sp}A`)).toBe('1.ttl:3');
    expect(at(`${sp}B`)).toBe('0.ttl:3');
    expect(at(`${sp}C`)).toBe('0.ttl:3');
  });

  test('is the line of a term in its own description where one is asked for', () => {
    expect(at(`${sp}Shoe`, `${rdfs}label`)).toBe('0.ttl:7');
    expect(at(`${sp}Shoe`, `${sp}Member`)).toBe('0.ttl:10');
    expect(at(`${sp}Shoe`, `${sp}Datatype`)).toBe('0.ttl:6');
  });
});
