import { isWord, type Token } from '../model/query/tokenizer.js';
import type { UnknownTerm } from './known-terms.js';
import { placeOf } from './query-fault.js';

/** Years that bound no real data, such as the standard values of parameters, ask for no window. */
const day = /^["']+(?!1900|2100)\d{4}(?:-\d{2}){1,2}(?:T[^"']*)?["']+$/u;

/**
 * Returns warnings for the first comparison with the present and with a day of the calendar, which mean little where
 * dates are moved. @param tokens without spaces and comments @param sent the caller's part @param start its offset
 */
export function calendarWarnings(tokens: readonly Token[], sent: string, start: number): UnknownTerm[] {
  const now = tokens.find((token, at) => isWord(token, 'NOW') && tokens[at + 1]?.text === '(');
  const window = tokens.find(({ kind, text }) => kind === 'string' && day.test(text));
  const warning = (token: Token | undefined, what: string): UnknownTerm[] =>
    token
      ? [
          {
            message: `${what}, but dates are moved back by 1 to 365 days at this level, so it finds other things than it says. Compare dates of one record with each other.`,
            ...placeOf(sent, token.at - start),
          },
        ]
      : [];
  return [...warning(now, 'NOW() is today'), ...warning(window, 'This is a day of the calendar')];
}
