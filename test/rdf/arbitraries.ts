import fc from 'fast-check';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../../src/rdf/terms.js';
import { rdf, sp, xsd } from '../../src/rdf/vocabulary.js';

const iris = [
  'http://ex.org/a',
  'http://ex.org/b?x=1&y=2',
  "http://ex.org/it's",
  'http://ex.org/é/日本',
  'http://ex.org/#',
  'urn:uuid:f81d4fae',
  'mailto:a@ex.org',
  sp.Medication,
];

const predicates = [
  rdf.type,
  rdf.value,
  rdf.first,
  rdf.rest,
  `${rdf.type.slice(0, -4)}_1`,
  sp.code,
  sp.drugName,
  'http://ex.org/ns#é',
  'http://ex.org/123abc',
  'http://ex.org/a&b=c',
  'http://ex.org/a_-.9',
  'urn:p',
];

export const iri = fc.constantFrom(...iris).map(namedNode);
export const predicate = fc.constantFrom(...predicates).map(namedNode);

/** Any text that Unicode has, or only what XML 1.0 can carry. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => !/\p{Surrogate}/u.test(text)),
  fc.string(),
  fc.constantFrom('', ' a ', '\n', 'a\r\nb', 'a\rb', ']]>', '<&">\'', '\t', '&amp;', '\u0085\u2028', '😀'),
);

export const xmlText = anyText.filter(
  (text) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text),
);

function literals(text: fc.Arbitrary<string>): fc.Arbitrary<Term> {
  const datatype = fc
    .constantFrom(xsd.integer, xsd.date, rdf.XMLLiteral, 'http://ex.org/t?a=1&b=2')
    .map(namedNode);
  return fc.oneof(
    text.map((value) => literal(value)),
    fc.tuple(text, fc.constantFrom('en', 'de-ch')).map(([value, language]) => literal(value, language)),
    fc.tuple(text, datatype).map(([value, type]) => literal(value, type)),
  );
}

/** Graphs small enough to compare, with blank nodes that are shared, nested, in rings and alone. */
export function graphs(text: fc.Arbitrary<string> = xmlText, blanks = 7): fc.Arbitrary<Quad[]> {
  const blank = fc.nat(blanks - 1).map((i) => blankNode(`x${i}`));
  const subject: fc.Arbitrary<Term> = fc.oneof(iri, blank);
  const object: fc.Arbitrary<Term> = fc.oneof(iri, blank, blank, literals(text));
  return fc.array(
    fc.tuple(subject, predicate, object).map(([s, p, o]) => quad(s, p, o)),
    { maxLength: 24 },
  );
}

export const anyTerm: fc.Arbitrary<Term> = fc.oneof(
  iri,
  literals(anyText),
  fc.nat(99).map((i) => blankNode(`b${i}`)),
);

/** The same graph told otherwise: quads in another order, some twice, blank nodes under other labels. */
export function retold(quads: readonly Quad[], seed: number): Quad[] {
  let state = seed >>> 0;
  const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const labels = new Map<string, string>();
  const rename = (term: Term): Term => {
    if (term.termType !== 'BlankNode') return term;
    let label = labels.get(term.value);
    if (label === undefined)
      labels.set(term.value, (label = `r${Math.floor(random() * 1e9)}_${labels.size}`));
    return blankNode(label);
  };
  const shuffled = quads.map((each) => ({ each, place: random() })).sort((a, b) => a.place - b.place);
  const renamed = shuffled.map(({ each }) =>
    quad(rename(each.subject), each.predicate, rename(each.object), each.graph),
  );
  const repeated = renamed.slice(0, Math.floor(random() * 3));
  return [...renamed, ...repeated.map((each) => quad(each.subject, each.predicate, each.object, each.graph))];
}
