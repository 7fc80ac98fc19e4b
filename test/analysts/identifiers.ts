import type { Quad } from '../../src/rdf/terms.js';
import { prefixes, rdf, sp, vcard } from '../../src/rdf/vocabulary.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { base } from '../records/support.js';

/** Properties whose values tell who somebody is, written down here by hand: the ontology is what is tested. */
const telling = [
  ...[
    'given-name',
    'additional-name',
    'family-name',
    'email',
    'street-address',
    'extended-address',
    'locality',
  ].map((name) => prefixes.v + name),
  ...[vcard['organization-name'], rdf.value],
  ...[
    'notes',
    'instructions',
    'fileName',
    'location',
    'accessionNumber',
    'npiNumber',
    'deaNumber',
    'department',
  ].map((name) => prefixes.sp + name),
  ...['dicomStudyUID', 'dicomSeriesUID', 'dicomImageUID', 'ncpdpId', 'pbm', 'role'].map(
    (name) => prefixes.sp + name,
  ),
];

/** What tells who people are in some graphs: values, record numbers, ids of records and users. */
export function identifiersOf(graphs: readonly NamedGraph[]): string[] {
  const numbers = graphs.flatMap(({ quads }) => {
    const nodes = quads.filter(({ predicate }) => predicate.value === sp.medicalRecordNumber);
    const isNumber = ({ subject, predicate }: Quad): boolean =>
      predicate.value === `${prefixes.dcterms}identifier` &&
      nodes.some(({ object }) => object.equals(subject));
    return quads.filter(isNumber).map(({ object }) => object.value);
  });
  const values = graphs.flatMap(({ quads }) =>
    quads.filter(({ predicate }) => telling.includes(predicate.value)).map(({ object }) => object.value),
  );
  const ids = graphs.map(({ name }) => decodeURIComponent(name.slice(base.length + 1).split('/')[1] ?? ''));
  const codes = graphs.flatMap(({ name }) => name.split('/').slice(6).slice(-1));
  // What is a number of one or two digits, or one letter, stands in everything.
  return [...new Set([...numbers, ...values, ...ids, ...codes])].filter((text) => text.length > 2);
}

/** Those of some texts that another holds as whole words. */
export function heldBy(text: string, parts: readonly string[]): string[] {
  const words = new Set(text.split(/[^\p{L}\p{N}]+/u));
  return parts.filter((part) => (oneWord.test(part) ? words.has(part) : holds(text, part)));
}

const oneWord = /^[\p{L}\p{N}]+$/u;

function holds(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const around = (text[at - 1] ?? ' ') + (text[at + part.length] ?? ' ');
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}
