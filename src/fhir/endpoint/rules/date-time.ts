import { daysInMonth } from '../../../rdf/iso-date.js';

/** The parts of a FHIR date, dateTime or instant; parts missing from a partial date are undefined. */
interface Parts {
  readonly year: number;
  readonly month: number | undefined;
  readonly day: number | undefined;
  readonly time: { readonly seconds: number; readonly fraction: string } | undefined;
}

// A separate grammar: FHIR R4 requires seconds and a zone with every time, and has no comma.
const form =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d)))?)?)?$/u;

const DAY = 86_400;
/** How far a local date can be from the same date in UTC, in seconds (FHIR R4 dateTime: zones up to 14:00). */
const ZONES = 14 * 3600;

/** Whether a well-formed text names a day that is not in the calendar ("Dates SHALL be valid dates"). */
export function isImpossibleDate(text: string): boolean {
  // Every month has days up to 28; most texts end here.
  const [tens, ones] = [text.charCodeAt(8), text.charCodeAt(9)];
  if (!(tens > 0x32 || (tens === 0x32 && ones > 0x38))) return false;
  const { year, month, day } = partsOf(text) ?? {};
  if (year === undefined || month === undefined || day === undefined) return false;
  return day > daysInMonth(year, month);
}

/**
 * Whether a period certainly ends before it starts (FHIR R4 per-1). A partial date stands for all of its year, month or
 * day, and a date without a time for that day anywhere on earth. False for texts of another form.
 */
export function endsBeforeStart(start: string, end: string): boolean {
  // More than a year apart, the answer is clear.
  if (Number(start.slice(0, 4)) + 1 < Number(end.slice(0, 4))) return false;
  const [from, to] = [partsOf(start), partsOf(end)];
  if (from === undefined || to === undefined) return false;
  // Two dates, or two instants, need no zones.
  const doubt = (from.time === undefined) === (to.time === undefined) ? 0 : ZONES;
  const [earliest, latest] = [firstSecond(from), lastSecond(to)];
  if (earliest - doubt !== latest) return earliest - doubt > latest;
  return doubt === 0 && isLater(from.time?.fraction, to.time?.fraction);
}

/** Compares fractions of a second digit by digit; a number may not hold all digits. */
function isLater(from = '', to = ''): boolean {
  const length = Math.max(from.length, to.length);
  return from.padEnd(length, '0') > to.padEnd(length, '0');
}

function partsOf(text: string): Parts | undefined {
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHour, zoneMinute] =
    form.exec(text) ?? [];
  if (year === undefined) return undefined;
  const zone = (sign === '-' ? -1 : 1) * (Number(zoneHour ?? 0) * 3600 + Number(zoneMinute ?? 0) * 60);
  return {
    year: Number(year),
    month: month === undefined ? undefined : Number(month),
    day: day === undefined ? undefined : Number(day),
    time:
      second === undefined
        ? undefined
        : { seconds: Number(hour) * 3600 + Number(minute) * 60 + Number(second) - zone, fraction },
  };
}

function firstSecond({ year, month = 1, day = 1, time }: Parts): number {
  return dayNumber(year, month, day) * DAY + (time?.seconds ?? 0);
}

function lastSecond(parts: Parts): number {
  const { year, month = 12, day = daysInMonth(year, month), time } = parts;
  return time ? firstSecond(parts) : dayNumber(year, month, day) * DAY + DAY - 1;
}

function dayNumber(year: number, month: number, day: number): number {
  // Date.UTC puts years below 100 into the twentieth century.
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1000 / DAY;
}
