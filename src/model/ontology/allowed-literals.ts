import { compareValues, hasZone, saysValueOf, type Written } from '../../rdf/datatypes.js';
import { literal, type Literal } from '../../rdf/terms.js';
import { xsd } from '../../rdf/vocabulary.js';
import type { DataRange, Limit } from './model.js';
import { shortName } from './term-names.js';

/**
 * Whether a data range contains a literal. Plain text counts as the value that it spells, whatever the datatype: most
 * data has numbers as plain text. Takes time linear in the literal.
 */
export function allows({ datatype, limits, listed }: DataRange, value: Literal): boolean {
  if (listed.length > 0) return listed.some((each) => each.equals(value) || each.value === plainText(value));
  return saysValueOf(value, datatype) && limits.every((limit) => isWithin(limit, value.value, datatype));
}

const plainText = ({ value, datatype }: Literal): string | undefined =>
  datatype.value === xsd.string ? value : undefined;

function isWithin(limit: Limit, text: string, datatype: string): boolean {
  // XML Schema 1.1 part 2 §3.3.7.1: a time with a zone and one without may have no order.
  if (datatype === xsd.dateTime && hasZone(text) !== hasZone(limit.bound)) return false;
  // Length counts characters, not UTF-16 code units.
  const bound = boundOf(limit, datatype);
  const order = compareValues(
    { ...bound, text: limit.of === 'length' ? String([...text].length) : text },
    bound,
  );
  if (order === 0) return !limit.open;
  return limit.side === 'least' ? order > 0 : order < 0;
}

export type Bound = Limit & Written;

/** Turns a limit into a comparable value; lengths are numbers, whatever their datatype. */
function boundOf(limit: Limit, datatype: string): Bound {
  return {
    ...limit,
    text: limit.bound,
    datatype: limit.of === 'length' ? xsd.nonNegativeInteger : datatype,
  };
}

export function tightestBound(
  ranges: readonly DataRange[],
  of: Limit['of'],
  side: Limit['side'],
): Bound | undefined {
  const bounds = ranges.flatMap(({ limits, datatype }) =>
    limits.filter((limit) => limit.of === of && limit.side === side).map((limit) => boundOf(limit, datatype)),
  );
  return bounds.reduce<Bound | undefined>(
    (best, next) => (best && !isTighter(next, best) ? best : next),
    undefined,
  );
}

export function isTighter(one: Bound, other: Bound): boolean {
  const order = compareValues(one, other);
  if (order === 0) return one.open && !other.open;
  return one.side === 'least' ? order > 0 : order < 0;
}

/** Returns the listed values that all data ranges contain, as text; undefined when none lists its values. */
export function listedValues(ranges: readonly DataRange[]): string[] | undefined {
  return listedLiterals(ranges)?.map(({ value }) => value);
}

/** Like `listedValues`, as literals. A value counts as contained when its plain text is. */
export function listedLiterals(ranges: readonly DataRange[]): Literal[] | undefined {
  const list = ranges.find(({ listed }) => listed.length > 0);
  return list?.listed.filter((value) =>
    ranges.every((range) => allows(range, value) || allows(range, literal(value.value))),
  );
}

export function areEmpty(ranges: readonly DataRange[]): boolean {
  const isCrossed = (['value', 'length'] as const).some((of) => {
    const [least, most] = [tightestBound(ranges, of, 'least'), tightestBound(ranges, of, 'most')];
    if (!least || !most) return false;
    const order = compareValues(least, most);
    return order > 0 || (order === 0 && (least.open || most.open));
  });
  const isMixed = new Set(ranges.flatMap(zonesOf)).size > 1;
  return isCrossed || isMixed || listedValues(ranges)?.length === 0;
}

const words = {
  least: (open: boolean) => (open ? 'more than' : 'at least'),
  most: (open: boolean) => (open ? 'less than' : 'at most'),
};

/** Words a limit: `at least 25`, `at most 10 characters`. */
export function limitInWords({ of, side, open, bound }: Limit): string {
  return `${words[side](open)} ${bound}${of === 'length' ? ' characters' : ''}`;
}

/** Words a data range: `a value of xsd:decimal, at least 25 and at most 45`, `one of "mild", "severe"`. */
export function rangeInWords({ datatype, limits, listed }: DataRange): string {
  if (listed.length > 0) return `one of ${listed.map(({ value }) => JSON.stringify(value)).join(', ')}`;
  const kind = datatype === xsd.string ? 'text' : `a value of ${datatypeInWords({ datatype, limits })}`;
  return `${kind}, ${limits.map(limitInWords).join(' and ')}`;
}

/** Words the datatype of a data range, with the zone that its bounds require: `xsd:dateTime with a zone`. */
export function datatypeInWords(range: Pick<DataRange, 'datatype' | 'limits'>): string {
  const [zone] = zonesOf(range);
  return shortName(range.datatype) + (zone === undefined ? '' : ` ${zone}`);
}

/** The zone that each bound of times requires; times with and without a zone are not compared. */
function zonesOf({ datatype, limits }: Pick<DataRange, 'datatype' | 'limits'>): string[] {
  if (datatype !== xsd.dateTime) return [];
  return limits.map(({ bound }) => (hasZone(bound) ? 'with a zone' : 'without a zone'));
}
