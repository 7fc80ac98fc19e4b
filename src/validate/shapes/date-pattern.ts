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
const zone = '(Z|[+-]((0[0-9]|1[0-3])(:?[0-5][0-9])?|14(:?00)?))';

/**
 * What `query/partial-date.ts` reads as a date, as a pattern that SHACL (XPath), JavaScript and Python agree on. It
 * cannot compute: an offset that leads out of the years 0000 to 9999 passes here.
 */
export const datePattern = `^([0-9]{4}(-(${anyMonth}))?|(${day})(T${time}${zone}?)?)$`;
