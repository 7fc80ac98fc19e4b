import { endsBeforeStart, isImpossibleDate } from './date-time.js';
import { quoted } from '../endpoint-problem.js';
import { formatSentences } from './format-sentences.js';
import { numberText } from '../reading/number-text.js';
import type { Holder, Walk } from './walk.js';

/** Looks at `holder[key]`, which may be anything: what is no such value at all is told by the schema. */
type ValueCheck = (walk: Walk, holder: Holder, key: string) => void;

/**
 * Properties of described datatypes about which there is more to say than a schema can, by name. Strings are looked
 * at only when they are values of extensions: all others are reached through the object that holds them.
 */
export const valueChecks: ReadonlyMap<string, ValueCheck> = new Map([
  ['meta', checkMeta],
  ['valueMeta', checkMeta],
  ['period', checkPeriod],
  ['valuePeriod', checkPeriod],
  ['contact', checkContacts],
  ['valueContactPoint', checkContacts],
  ['valueDate', checkDate],
  ['valueDateTime', checkDate],
  ['valueInstant', checkDate],
  ['valueBase64Binary', checkBase64],
  ['valueInteger', checkInteger],
  ['valuePositiveInt', checkInteger],
  ['valueUnsignedInt', checkInteger],
  ['rank', checkInteger],
]);

function checkMeta(walk: Walk, holder: Holder, key: string): void {
  dateAt(walk, membersOf(holder[key])['lastUpdated'], key, 'lastUpdated');
}

function checkPeriod(walk: Walk, holder: Holder, key: string): void {
  const { start, end } = membersOf(holder[key]);
  const impossible = [dateAt(walk, start, key, 'start'), dateAt(walk, end, key, 'end')].includes(true);
  if (impossible || typeof start !== 'string' || typeof end !== 'string') return;
  if (endsBeforeStart(start, end))
    walk.note('period', `The period ends (${quoted(end)}) before it starts (${quoted(start)}).`, key);
}

function checkDate(walk: Walk, holder: Holder, key: string): void {
  dateAt(walk, holder[key], key);
}

/** FHIR R4 date: "Dates SHALL be valid dates". Says whether this is none. */
function dateAt(walk: Walk, text: unknown, ...steps: string[]): boolean {
  if (typeof text !== 'string' || !isImpossibleDate(text)) return false;
  walk.note('date', `The calendar has no day ${quoted(text.slice(0, 10))}.`, ...steps);
  return true;
}

/** The schema holds the letters; here they are counted: groups of four, as the XML Schema type has them. */
function checkBase64(walk: Walk, holder: Holder, key: string): void {
  const text = holder[key];
  if (typeof text !== 'string' || !/^\s*[0-9A-Za-z+/][0-9A-Za-z+/\s]*(?:=\s*){0,2}$/u.test(text)) return;
  if (text.replace(/\s+/gu, '').length % 4 !== 0)
    walk.note('format', `${quoted(text)} is not ${formatSentences['base64Binary']}.`, key);
}

/** `1.0` and `1e0` are the number 1, but not the way in which FHIR R4 writes an integer. */
function checkInteger(walk: Walk, holder: Holder, key: string): void {
  const value = holder[key];
  if (typeof value !== 'number' || !Number.isInteger(value)) return;
  const text = numberText(holder, key, value);
  if (!/^-?\d+$/u.test(text) || text === '-0')
    walk.note('format', `${quoted(text)} is not written as an integer: digits alone.`, key);
}

/** FHIR R4 cpt-2: "A system is required if a value is provided". */
function checkContacts(walk: Walk, holder: Holder, key: string): void {
  const contacts = holder[key];
  const list: unknown[] = Array.isArray(contacts) ? contacts : [contacts];
  for (const [index, contact] of list.entries()) {
    if (typeof contact !== 'object' || contact === null) continue;
    const { value, system, _system } = membersOf(contact);
    if (value === undefined || system !== undefined || _system !== undefined) continue;
    const steps = Array.isArray(contacts) ? [key, index] : [key];
    walk.note('contact-system', 'A contact point with a value says in "system" what kind it is.', ...steps);
  }
}

function membersOf(value: unknown): Holder {
  return typeof value === 'object' && value !== null ? (value as Holder) : {};
}
