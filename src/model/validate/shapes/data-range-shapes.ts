import type { DataRange, Limit } from '../../ontology/model.js';
import { datatypesLike, isExact, lexicalPattern } from '../../../rdf/datatypes.js';
import { integer, literal } from '../../../rdf/terms.js';
import { sh, xsd } from '../../../rdf/vocabulary.js';
import { iri, type Description, type ShapeGraph } from './shape-graph.js';

/**
 * Describes the values of a data range. Plain text that spells a value counts as one, but SHACL does not compare
 * plain text: for exact numbers a pattern does, for dates and others a shape only checks the form.
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

/** For what engines do not compare, or compare differently: plain text, long numbers, years outside 0000 to 9999. */
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

const ANY = '[0-9]*(\\.[0-9]*)?';

/**
 * Returns a pattern for decimal numbers on one side of a bound, by the first digit that differs. SHACL does not
 * compare plain text, and some engines compare numbers only by their first digits. It assumes that the text is a
 * number; XPath, JavaScript and Python read it alike.
 */
export function numberPattern({ side, open, bound }: Pick<Limit, 'side' | 'open' | 'bound'>): string {
  const [, whole = '', fraction = ''] = /^[+-]?0*([0-9]*)(?:\.([0-9]*?)0*)?$/.exec(bound) ?? [];
  const isZero = whole + fraction === '';
  // The sign of the numbers beyond zero on this side.
  const [sign, other] = side === 'least' ? ['\\+?', '-'] : ['-', '\\+?'];
  const isBeyondZero = isZero || bound.startsWith('-') === (side === 'most');
  const same = fraction === '' ? `${whole}(\\.0*)?` : `${whole}\\.${fraction}0*`;
  const apart = isBeyondZero ? larger(whole, fraction) : smaller(whole, fraction);
  const magnitudes = `0*(${[...apart, ...(open ? [] : [same])].join('|')})`;
  const alternatives = isBeyondZero
    ? [sign + magnitudes, ...(isZero && !open ? [`${other}0*(\\.0*)?`] : [])]
    : [sign + ANY, other + magnitudes];
  return `^(${alternatives.join('|')})$`;
}

/** Unsigned numbers that are larger: by a digit, by more digits before the point, or by further ones after it. */
function larger(whole: string, fraction: string): string[] {
  const byDigit = differing(whole, fraction, (digit) => (digit < 9 ? `[${digit + 1}-9]` : ''));
  return [...byDigit, `[1-9][0-9]{${whole.length},}(\\.[0-9]*)?`, `${whole}\\.${fraction}0*[1-9][0-9]*`];
}

/** Unsigned numbers that are smaller: by a digit, or by fewer digits before or after the point. */
function smaller(whole: string, fraction: string): string[] {
  const byDigit = differing(whole, fraction, (digit) => (digit > 0 ? `[0-${digit - 1}]` : ''));
  const shorter = whole === '' ? [] : [`[0-9]{0,${whole.length - 1}}(\\.[0-9]*)?`];
  return [
    ...byDigit,
    ...shorter,
    ...[...fraction].map((_, digits) => `${whole}(\\.${fraction.slice(0, digits)})?`),
  ];
}

function differing(whole: string, fraction: string, digits: (digit: number) => string): string[] {
  return [...(whole + fraction)].flatMap((digit, index) => {
    const others = digits(Number(digit));
    if (others === '') return [];
    const behind = index - whole.length;
    return behind < 0
      ? [`${whole.slice(0, index)}${others}[0-9]{${-behind - 1}}(\\.[0-9]*)?`]
      : [`${whole}\\.${fraction.slice(0, behind)}${others}[0-9]*`];
  });
}
