import { answerKeyOf, isAboutData } from './answer-forms.js';
import type { CallModel } from './model.js';

/** The parameter for the time as of which a call is answered, and the one for the list of such times. */
export const AT = 'at';
export const TIMEMAP = 'timemap';

/** What AT means, for people who call. */
export const AT_COMMENT =
  'The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept.';

/**
 * Whether a call can be answered as of an earlier time: one that reads what is known of a record. What an app keeps for
 * itself has no history, nor has a service, and a call with parameters of these names keeps them.
 */
export function hasPast(call: CallModel): boolean {
  if (call.method !== 'GET' || !call.pathParameters.includes('record_id')) return false;
  const isTaken = [...call.parameters, ...call.filters].some(({ name }) => name === AT || name === TIMEMAP);
  return !isTaken && answerKeyOf(call) !== undefined && isAboutData(call);
}
