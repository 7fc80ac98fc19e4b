import { capital } from './readable.js';

/** Says how to type a date, for a text that is no date or can be read in two ways. */
export const DATE_PROBLEM = 'Type the date with the month as a word, as in 14 March 1975, or as 1975-03-14.';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const FULL = 'January February March April May June July August September October November December'.split(
  ' ',
);

/**
 * Returns a date that a person typed in ISO 8601, to its precision: 14 March 1975, Mar 14, 1975, 3/14/1975, 14.3.1975.
 * What has two readings, such as 3/4/1975, is returned as it is, and so is what is no date.
 */
export function typedDate(text: string): string {
  const typed = text.trim();
  const [, a = '', b = '', year = ''] =
    /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(typed)?.toSpliced(2, 1) ?? [];
  if (year !== '') {
    const [first, second] = [Number(a), Number(b)];
    if (first <= 12 && second <= 12 && first !== second) return typed;
    return first > 12 ? iso(year, second, first) : iso(year, first, second);
  }
  const words = typed.replaceAll(/[.,]/g, ' ').trim().split(/\s+/);
  const named = words.map((word) => monthOf(word)).findIndex((month) => month > 0);
  if (named < 0 || named > 1) return typed;
  const month = monthOf(words[named] ?? '');
  const [day, wholeYear] =
    words.length === 3 ? [words[1 - named] ?? '', words[2] ?? ''] : ['', words[1] ?? ''];
  const isRead = (words.length === 3 || (words.length === 2 && named === 0)) && /^\d{4}$/.test(wholeYear);
  if (!isRead || !/^(\d{1,2}(st|nd|rd|th)?)?$/i.test(day)) return typed;
  return iso(wholeYear, month, day === '' ? undefined : Number.parseInt(day, 10));
}

function monthOf(word: string): number {
  const name = capital(word.toLowerCase());
  return 1 + Math.max(MONTHS.indexOf(name), FULL.indexOf(name));
}

function iso(year: string, ...parts: readonly (number | undefined)[]): string {
  const given = parts.filter((part) => part !== undefined);
  return [year, ...given.map((part) => String(part).padStart(2, '0'))].join('-');
}
