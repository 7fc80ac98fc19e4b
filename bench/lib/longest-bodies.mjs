// Bodies as large as they are taken, by what they are large in: for each route that takes one.
import { bodies, texts } from '../../test/rdf/posted-bodies.mjs';

/** The most that a body may have, in bytes, with some room for what stands around it. */
const MOST = 1024 * 1024 - 2_000;
/** Statements and JSON-LD values that are just below the limits of a post: one that breaks them is refused early. */
const STATEMENTS = 3_900;
const JSON_VALUES = 970;

const NAMESPACES = `@prefix sp: <http://smartplatforms.org/terms#> . @prefix dcterms: <http://purl.org/dc/terms/> .
  @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n`;

/** A note that is taken, with a text and whatever else is said of it. */
const note = (text, more = '') => `${NAMESPACES}
  [] a sp:ClinicalNote ; dcterms:title "Visit" ; dcterms:date "2024-05-06" ; ${more}
    sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "${text}" ] ] ;
    dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
  <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;

/** The same as RDF/XML. */
const noteXml = (text) => `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:sp="http://smartplatforms.org/terms#" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
  <sp:ClinicalNote><dcterms:title>Visit</dcterms:title><dcterms:date>2024-05-06</dcterms:date>
  <sp:resource><sp:Resource><sp:content><sp:Content><sp:encoding>UTF-8</sp:encoding><sp:value>${text}</sp:value></sp:Content></sp:content></sp:Resource></sp:resource>
  <dcterms:format><dcterms:MediaTypeOrExtent rdf:about="http://purl.org/NET/mediatypes/text/plain"><rdfs:label>text/plain</rdfs:label></dcterms:MediaTypeOrExtent></dcterms:format>
  </sp:ClinicalNote></rdf:RDF>`;

/** A note as an app posts it. */
export const shortNote = () => ({ text: noteXml('Well.'), type: 'application/rdf+xml' });

const list = (n, item, separator = ' , ') => Array.from({ length: n }, (_, i) => item(i)).join(separator);

/** Notes that are taken, so that they are stored, read back and answered with as well. */
const notes = {
  'a long plain text': (n) => note('x'.repeat(n)),
  'a text of line feeds': (n) => note('\\n'.repeat(n)),
  'a text of quotation marks': (n) => note('\\"'.repeat(n)),
  'a text of markup': (n) => note('<'.repeat(n)),
  'a text of markup and others': (n) => note('é\\n<'.repeat(n)),
  'a text of astral characters': (n) => note('😀'.repeat(n)),
  'a text of escapes': (n) => note('\\u0041'.repeat(n)),
  'a text as RDF/XML': (n) => noteXml('x'.repeat(n)),
  'a text of entities as RDF/XML': (n) => noteXml('&lt;'.repeat(n)),
  'a text of CDATA sections': (n) => noteXml('<![CDATA[<]]>'.repeat(n)),
  'values of a property of a note': (n) => note('x', `rdfs:label ${list(n, (i) => `"${i}"`)} ;`),
  'nodes of a note': (n) =>
    note('x', `rdfs:seeAlso ${list(n, (i) => `[ a sp:Code ; rdfs:label "${i}" ]`)} ;`),
  'languages of a note': (n) => note('x', `rdfs:label ${list(n, (i) => `"x"@en-x${i}`)} ;`),
  'links of a note': (n) => note('x', `rdfs:seeAlso ${list(n, (i) => `<urn:x:${i}>`)} ;`),
  'long links of a note': (n) =>
    note('x', `rdfs:seeAlso ${list(n, (i) => `<urn:${'x'.repeat(500)}:${i}>`)} ;`),
};

/** The greatest size for which something holds, by halves. */
function greatest(holds) {
  let size = 1;
  while (holds(size * 2)) size *= 2;
  for (let step = size / 2; step >= 1; step /= 2) if (holds(size + step)) size += step;
  return size;
}

/** A body of a kind that is as long as may be. */
const longest = (make) => make(greatest((size) => Buffer.byteLength(textOf(make(size))) <= MOST));
const textOf = (body) => (typeof body === 'string' ? body : body.text);

/** About so many statements, which a kind of body has a few of for each of its size. */
const asMany = (make, format) =>
  make(format === 'jsonld' ? JSON_VALUES / 2 : Math.floor(STATEMENTS / perSize(textOf(make(1000)))));

/** Full stops, semicolons, commas, closing brackets and elements for each of a size: no less than statements. */
const perSize = (text) => Math.max(1, Math.round((text.match(/ [.;,\]]|<\/|\/>/g) ?? []).length / 1000));

const types = { turtle: 'text/turtle', rdfxml: 'application/rdf+xml', jsonld: 'application/ld+json' };

/** What is posted as a note: [what it is large in, function that makes { text, type }]. */
export function* postedNotes() {
  for (const [name, make] of Object.entries(notes)) {
    const type = types[/XML|CDATA/.test(name) ? 'rdfxml' : 'turtle'];
    yield [name, () => ({ text: longest(make), type })];
    if (name.endsWith('of a note'))
      yield [`${name}, as many as are taken`, () => ({ text: asMany(make), type })];
  }
  for (const [name, make] of Object.entries({ ...bodies, ...texts })) {
    const { format } = make(1);
    const asNotes = (body) =>
      body.text.replaceAll('sp:Allergy', 'sp:ClinicalNote').replaceAll('#Allergy', '#ClinicalNote');
    yield [name, () => ({ text: asNotes(longest(make)).slice(0, 1024 * 1024), type: types[format] })];
    yield [
      `${name}, as many as are taken`,
      () => ({ text: asNotes(asMany(make, format)), type: types[format] }),
    ];
  }
}

const form = 'application/x-www-form-urlencoded';

/** Forms, whose parameters a signature covers. */
export const forms = {
  'parameters of a form': () => ({ text: 'a=&'.repeat(MOST / 3), type: form }),
  'different parameters of a form': () => ({ text: list(110_000, (i) => `${i}=1`, '&'), type: form }),
  'escapes in a form': () => ({ text: `a=${'%C3%A9'.repeat(MOST / 6)}`, type: form }),
  'text of a form that is escaped in its signature': () => ({
    text: `a=${'+'.repeat(MOST - 2)}`,
    type: form,
  }),
};

/** Documents that come as forms, as old clients label them. */
export const documentForms = {
  'a document as a form': () => ({ text: longest((n) => noteXml('x'.repeat(n))), type: form }),
  'a document of markup as a form': () => ({ text: longest((n) => noteXml('<b/>'.repeat(n))), type: form }),
  'a document of spaces as a form': () => ({ text: longest((n) => noteXml('+'.repeat(n))), type: form }),
  'a document of characters as a form': () => ({ text: longest((n) => noteXml('é'.repeat(n))), type: form }),
  'a document of escapes as a form': () => ({
    text: longest((n) => noteXml('%C3%A9'.repeat(n))),
    type: form,
  }),
  'a document of entities as a form': () => ({ text: longest((n) => noteXml('&lt;'.repeat(n))), type: form }),
  'a document of 19,000 entities as a form': () => ({
    text: noteXml(`${'&lt;'.repeat(9_000)}${'é'.repeat(490_000)}`),
    type: form,
  }),
};

/** What an app keeps for itself. */
export const keptTexts = {
  'a long text': () => ({ text: 'x'.repeat(MOST), type: 'text/plain' }),
  'a text of line feeds': () => ({ text: '\n'.repeat(MOST), type: 'text/plain' }),
  'a text of quotation marks': () => ({ text: '"<'.repeat(MOST / 2), type: 'text/plain' }),
  'a text that XML cannot carry': () => ({ text: '\u0001'.repeat(MOST), type: 'text/plain' }),
  'astral characters': () => ({ text: '😀'.repeat(MOST / 4), type: 'text/plain' }),
};
