/**
 * Whether the end of something is still to come. One that is further away than it can be was set by a clock that was ahead
 * then and was set back since: it is over, or it would last as long as the clock was wrong.
 * @param until milliseconds since 1970, as `now`
 * @param longest milliseconds that it lasts at most, with some for clocks of other machines that differ
 */
export function liesAhead(until: number, now: number, longest: number): boolean {
  return until > now && until <= now + longest;
}
