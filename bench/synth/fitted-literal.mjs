import { allows, listedValues, tightestBound } from '../../dist/model/ontology/allowed-literals.js';
import { hasZone, placeOf } from '../../dist/rdf/datatypes.js';
import { literal } from '../../dist/rdf/terms.js';
import { xsd } from '../../dist/rdf/vocabulary.js';

/** How far from its one bound a value lies: a hundred, and for dates some three years. */
const REACH = 100;
const DATE_REACH = 1e11;

/** Most digits behind the point that a number is given until it lies within narrow bounds. */
const DIGITS = 15;

/** An invented text as plain data has it, another one where data ranges do not hold that; unchanged where none does. */
export function fitted(invented, ranges, random) {
  const isFit = (text) => ranges.every((range) => allows(range, literal(text)));
  if (isFit(invented)) return invented;
  const listed = listedValues(ranges);
  if (listed && listed.length > 0) return random.pick(listed);
  return candidates(invented, ranges, random.next()).find(isFit) ?? invented;
}

/** Texts that are made for the bounds of data ranges. @param share from 0 to 1, where between the bounds a value lies */
function candidates(invented, ranges, share) {
  const length = tightestBound(ranges, 'length', 'least') ?? tightestBound(ranges, 'length', 'most');
  if (length) {
    const characters = Number(length.bound);
    return [invented.padEnd(characters, invented || 'x').slice(0, characters)];
  }
  const [least, most] = [tightestBound(ranges, 'value', 'least'), tightestBound(ranges, 'value', 'most')];
  const isDate = ranges.some(({ datatype }) => datatype === xsd.date || datatype === xsd.dateTime);
  const [low, high] = ends(least, most, isDate ? DATE_REACH : REACH);
  const value = low + share * (high - low);
  if (isDate) return datesOf([value, low, high], least ?? most);
  const decimals = Array.from({ length: DIGITS }, (_, digits) => value.toFixed(digits));
  return [...decimals, String(Math.ceil(low)), String(Math.ceil(low) + 1)];
}

function ends(least, most, reach) {
  const [low, high] = [least, most].map((bound) => bound && placeOf(bound.text, bound.datatype));
  if (low !== undefined) return [low, high ?? low + reach];
  return high === undefined ? [0, reach] : [high - reach, high];
}

/** Instants as days and as times, with a zone where the bound has one. */
function datesOf(instants, bound) {
  const zone = bound && hasZone(bound.bound) ? 'Z' : '';
  return instants.flatMap((instant) => {
    const text = new Date(instant).toISOString();
    return [text.slice(0, 10), text.slice(0, 19) + zone];
  });
}
