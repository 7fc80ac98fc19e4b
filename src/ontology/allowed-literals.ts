import { hasZone, placeOf, saysValueOf } from '../rdf/datatypes.js';
import { literal, type Literal } from '../rdf/terms.js';
import { xsd } from '../rdf/vocabulary.js';
import type { DataRange, Limit } from './model.js';
import { shortName } from './term-names.js';

/**
 * Whether a data range holds a literal. Plain text counts as the value that it says, whatever the datatype: most data
 * has numbers as plain text. The time is linear in the literal.
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
  // Length counts characters, not the halves of which JavaScript makes some of them.
  const place = limit.of === 'length' ? [...text].length : placeOf(text, datatype);
  const bound = placeOfBound(limit, datatype);
  if (place === bound) return !limit.open;
  return limit.side === 'least' ? place > bound : place < bound;
}

/** Where the bound of a limit stands: a number, for dates in milliseconds. */
function placeOfBound({ of, bound }: Limit, datatype: string): number {
  return of === 'length' ? Number(bound) : placeOf(bound, datatype);
}

/** The bound that counts where several data ranges hold. */
export interface Bound extends Limit {
  readonly place: number;
}

/** The tightest bound of several data ranges on a side, where they have one. */
export function tightestBound(
  ranges: readonly DataRange[],
  of: Limit['of'],
  side: Limit['side'],
): Bound | undefined {
  const bounds = ranges.flatMap(({ limits, datatype }) =>
    limits
      .filter((limit) => limit.of === of && limit.side === side)
      .map((limit) => ({ ...limit, place: placeOfBound(limit, datatype) })),
  );
  return bounds.reduce<Bound | undefined>(
    (best, next) => (best && !isTighter(next, best) ? best : next),
    undefined,
  );
}

/** Whether a bound leaves less than another one on the same side. */
export function isTighter(one: Bound, other: Bound): boolean {
  if (one.place === other.place) return one.open && !other.open;
  return one.side === 'least' ? one.place > other.place : one.place < other.place;
}

/** The listed values that all data ranges hold, as text; undefined where none lists its values. */
export function listedValues(ranges: readonly DataRange[]): string[] | undefined {
  const list = ranges.find(({ listed }) => listed.length > 0);
  const held = list?.listed.filter((value) =>
    ranges.every((range) => allows(range, value) || allows(range, literal(value.value))),
  );
  return held?.map(({ value }) => value);
}

/** Whether no literal at all can be in all of some data ranges. */
export function areEmpty(ranges: readonly DataRange[]): boolean {
  const isCrossed = (['value', 'length'] as const).some((of) => {
    const [least, most] = [tightestBound(ranges, of, 'least'), tightestBound(ranges, of, 'most')];
    if (!least || !most) return false;
    return least.place > most.place || (least.place === most.place && (least.open || most.open));
  });
  return isCrossed || listedValues(ranges)?.length === 0;
}

const words = {
  least: (open: boolean) => (open ? 'more than' : 'at least'),
  most: (open: boolean) => (open ? 'less than' : 'at most'),
};

/** A limit for people: `at least 25`, `at most 10 characters`. */
export function limitInWords({ of, side, open, bound }: Limit): string {
  return `${words[side](open)} ${bound}${of === 'length' ? ' characters' : ''}`;
}

/** A data range for people: `a value of xsd:decimal, at least 25 and at most 45`, `one of "mild", "severe"`. */
export function rangeInWords({ datatype, limits, listed }: DataRange): string {
  if (listed.length > 0) return `one of ${listed.map(({ value }) => JSON.stringify(value)).join(', ')}`;
  const kind = datatype === xsd.string ? 'text' : `a value of ${shortName(datatype)}`;
  return `${kind}, ${limits.map(limitInWords).join(' and ')}`;
}
