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
/** Up to ±14:00, the widest that XML Schema knows. */
const zone = '(Z|[+-]((0[0-9]|1[0-3])(:?[0-5][0-9])?|14(:?00)?))';

/**
 * A date of the container: ISO 8601 extended format, each part optional from the right; a zone needs a time. It is
 * written so that SHACL (XPath), JSON Schema, JavaScript and Python agree on it. It cannot compute: an offset that
 * leads out of the years 0000 to 9999 passes here.
 */
export const isoDatePattern = `^([0-9]{4}(-(${anyMonth}))?|(${day})(T${time}${zone}?)?)$`;

const isoDate = new RegExp(isoDatePattern);

/** The parts of a date as they are written; those that it leaves out are undefined. */
export interface DateParts {
  readonly year: string;
  readonly month: string | undefined;
  readonly day: string | undefined;
  readonly hour: string | undefined;
  readonly minute: string | undefined;
  readonly second: string | undefined;
  /** Digits of a second. */
  readonly fraction: string | undefined;
  /** `Z` or an offset. */
  readonly zone: string | undefined;
}

/** Takes a date apart; undefined for a text that is none, or that names a day which the calendar does not have. */
export function readIsoDate(text: string): DateParts | undefined {
  if (!isoDate.test(text)) return undefined;
  const [date = '', clock] = text.split('T');
  const [year = '', month, day] = date.split('-');
  const at = clock?.search(/[Z+-]/) ?? -1;
  const [hour, minute, second, fraction] = (at < 0 ? clock : clock?.slice(0, at))?.split(/[:.,]/) ?? [];
  return { year, month, day, hour, minute, second, fraction, zone: at < 0 ? undefined : clock?.slice(at) };
}

/** How many days a month has in the Gregorian calendar; months count from 1. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
