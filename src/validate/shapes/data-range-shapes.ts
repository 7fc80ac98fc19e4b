import type { DataRange, Limit } from '../../ontology/model.js';
import { datatypesLike, isExact, lexicalPattern } from '../../rdf/datatypes.js';
import { integer, literal } from '../../rdf/terms.js';
import { sh, xsd } from '../../rdf/vocabulary.js';
import { numberPattern } from './number-pattern.js';
import { iri, type Description, type ShapeGraph } from './shape-graph.js';

/**
 * What a data range asks of a value. Plain text that says a value counts as one, but SHACL does not compare plain text:
 * of exact numbers a pattern does, of dates and others a shape only sees that they are written as such.
 */
export function valuesIn(graph: ShapeGraph, { datatype, limits, listed }: DataRange): Description {
  if (listed.length > 0) {
    const texts = new Set(listed.map(({ value }) => value));
    const typed = listed.filter((value) => value.datatype.value !== xsd.string);
    return [[sh.in, graph.list([...typed, ...[...texts].map((text) => literal(text))])]];
  }
  const bounds = limits.map((limit) => boundOf(limit, datatype));
  if (datatype === xsd.string) return [[sh.datatype, iri(xsd.string)], ...bounds];
  const datatypes = datatypesLike(datatype).map((each) => graph.inner([[sh.datatype, iri(each)]]));
  const typed: Description = [[sh.or, graph.list(datatypes)], ...bounds];
  const plain: Description = [[sh.datatype, iri(xsd.string)]];
  const forms = [typed, plain].map((form) => graph.inner([...form, ...patternsOf(graph, limits, datatype)]));
  return [
    [sh.pattern, literal(lexicalPattern(datatype) ?? '')],
    [sh.or, graph.list(forms)],
  ];
}

/** For what engines do not compare, or in their own way: plain text, numbers of many digits, years beyond 0000 to 9999. */
function patternsOf(graph: ShapeGraph, limits: readonly Limit[], datatype: string): Description {
  if (datatype === xsd.date || datatype === xsd.dateTime) return [[sh.pattern, literal('^[0-9]{4}-')]];
  if (!isExact(datatype)) return [];
  const patterns = limits.map((limit) => graph.inner([[sh.pattern, literal(numberPattern(limit))]]));
  return [[sh.and, graph.list(patterns)]];
}

const predicates = {
  least: { value: sh.minInclusive, open: sh.minExclusive, length: sh.minLength },
  most: { value: sh.maxInclusive, open: sh.maxExclusive, length: sh.maxLength },
} as const;

function boundOf({ of, side, open, bound }: Limit, datatype: string): Description[number] {
  const value = of === 'length' ? integer(Number(bound)) : literal(bound, iri(datatype));
  return [predicates[side][open ? 'open' : of], value];
}
