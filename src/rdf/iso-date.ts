const anyMonth = '0[1-9]|1[0-2]';
const longMonth = '0[13578]|1[02]';
const leapYear = '([0-9][0-9](0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)';
const day = [
  `[0-9]{4}-(${anyMonth})-(0[1-9]|1[0-9]|2[0-8])`,
  '[0-9]{4}-(0[13-9]|1[0-2])-(29|30)',
  `[0-9]{4}-(${longMonth})-31`,
  `${leapYear}-02-29`,
].join('|');
const time = '([01][0-9]|2[0-3])(:[0-5][0-9](:[0-5][0-9]([.,][0-9]+)?)?)?';
/** Up to ±14:00, as in XML Schema. */
const zone = '(Z|[+-]((0[0-9]|1[0-3])(:?[0-5][0-9])?|14(:?00)?))';

/**
 * A date of the container: ISO 8601 extended format, each part optional from the right; a zone needs a time. SHACL
 * (XPath), JSON Schema, JavaScript and Python read the pattern alike. It cannot compute, so it accepts an offset that
 * leads out of the years 0000 to 9999.
 */
export const isoDatePattern = `^([0-9]{4}(-(${anyMonth}))?|(${day})(T${time}${zone}?)?)$`;

const isoDate = new RegExp(isoDatePattern);

export type DateParts = NonNullable<ReturnType<typeof readIsoDate>>;

/**
 * Splits a date into its parts as written, including the digits of a second's fraction, and `Z` or an offset as zone;
 * undefined for anything else, such as a day that is not in the calendar.
 */
export function readIsoDate(text: string) {
  if (!isoDate.test(text)) return undefined;
  const [date = '', clock] = text.split('T');
  const [year = '', month, day] = date.split('-');
  const at = clock?.search(/[Z+-]/) ?? -1;
  const [hour, minute, second, fraction] = (at < 0 ? clock : clock?.slice(0, at))?.split(/[:.,]/) ?? [];
  return { year, month, day, hour, minute, second, fraction, zone: at < 0 ? undefined : clock?.slice(at) };
}

/** The days of a month in the Gregorian calendar; months count from 1. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
