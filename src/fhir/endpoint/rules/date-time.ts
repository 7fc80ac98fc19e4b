import { daysInMonth } from '../../../rdf/iso-date.js';

/** The parts of a FHIR date, dateTime or instant; those that a partial date leaves out are undefined. */
interface Parts {
  readonly year: number;
  readonly month: number | undefined;
  readonly day: number | undefined;
  readonly time: { readonly seconds: number; readonly fraction: string } | undefined;
}

// A grammar of its own: FHIR R4 asks for seconds and a zone wherever there is a time, and knows no comma.
const form =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d)))?)?)?$/u;

const DAY = 86_400;
/** How far a local date can be from the same date in UTC, in seconds (FHIR R4 dateTime: zones up to 14:00). */
const ZONES = 14 * 3600;

/** Whether a text of the right form names a day that the calendar does not have ("Dates SHALL be valid dates"). */
export function isImpossibleDate(text: string): boolean {
  // Every month has the days up to 28; most texts end here.
  const [tens, ones] = [text.charCodeAt(8), text.charCodeAt(9)];
  if (!(tens > 0x32 || (tens === 0x32 && ones > 0x38))) return false;
  const { year, month, day } = partsOf(text) ?? {};
  if (year === undefined || month === undefined || day === undefined) return false;
  return day > daysInMonth(year, month);
}

/**
 * Whether a period ends before it starts (FHIR R4 per-1). A partial date stands for all of its year, month or day,
 * and a date without a time for that day anywhere on earth: only what is certain is said. Texts of another form say
 * nothing.
 */
export function endsBeforeStart(start: string, end: string): boolean {
  // More than a year apart there is nothing to work out.
  if (Number(start.slice(0, 4)) + 1 < Number(end.slice(0, 4))) return false;
  const [from, to] = [partsOf(start), partsOf(end)];
  if (from === undefined || to === undefined) return false;
  // Between two dates, or two instants, there is no doubt about zones.
  const doubt = (from.time === undefined) === (to.time === undefined) ? 0 : ZONES;
  const [earliest, latest] = [firstSecond(from), lastSecond(to)];
  if (earliest - doubt !== latest) return earliest - doubt > latest;
  return doubt === 0 && isLater(from.time?.fraction, to.time?.fraction);
}

/** Compares digits after the point of one second; there may be more of them than a number can hold. */
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
  // Date.UTC takes years below 100 for those of the twentieth century.
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1000 / DAY;
}
