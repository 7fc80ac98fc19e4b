import { instants } from '../model/query/partial-date.js';
import { isObject, type JsonObject } from '../rdf/json-object.js';
import type { Quad } from '../rdf/terms.js';
import { identifierTypes, mapping } from '../rdf/vocabulary.js';
import { rowsWith, saidBy, type CodeSystems, type Meanings } from './mapping-tables.js';
import { plainNumber } from './element-texts.js';
import { severityRank } from './words.js';

/** Types whose values are chosen by their content. */
const CHOSEN = [
  'HumanName',
  'Address',
  'ContactPoint',
  'Identifier',
  'Coding',
  'CodeableConcept',
  'Dosage',
  'Dosage.doseAndRate',
  'AllergyIntolerance.reaction',
  'Observation.referenceRange',
];

/** Whether `chosen:` has a rule for elements of a type. */
export const canChoose = (type: string | undefined): boolean => CHOSEN.includes(type ?? '');

/** Members that decide whether an element is chosen: a query that asks for the chosen one reads them. */
export const deciding: ReadonlySet<string> = new Set([
  'use',
  'period',
  'userSelected',
  'type',
  'meaning',
  'appliesTo',
  'age',
]);

/** Contacts that a record has a place for. Nobody knows what a number without a system is for. */
const CONTACTS = ['phone', 'sms', 'email'];

const NAME_USES = ['official', 'usual', 'undefined', 'temp', 'nickname', 'anonymous', 'maiden', 'old'];
const SPECIFIC = 'Observation.referenceRange.text';

/** Chooses the values of a list that count, by their content; for other types the place decides. */
export class Chooser {
  /** Days and months of each age unit of reference ranges. */
  readonly #ages = new Map<string, { readonly days: number; readonly months: number }>();

  constructor(
    tables: readonly Quad[],
    private readonly systems: CodeSystems,
    private readonly meanings: Meanings,
  ) {
    for (const row of rowsWith(tables, mapping.ageUnit))
      for (const unit of row.all(mapping.ageUnit))
        this.#ages.set(unit, {
          days: Number(row.one(mapping.days)),
          months: Number(row.one(mapping.months)),
        });
  }

  /**
   * Returns the values that count. Of names the one in use now; of addresses, telephones, e-mail addresses and identifiers
   * those that are, and of those of a patient no passports and the like; of codings one per system, the user's choice or
   * else the first; of concepts the gravest, or else the first with a code of a known system; of reactions the worst; of
   * ranges the normal one for the patient; of dosages the only one.
   * @param path of the list, as in `Patient.name`
   * @param person gender and birth date of the patient, where they are known
   */
  choose(
    path: string,
    type: string | undefined,
    list: readonly unknown[],
    holder: JsonObject,
    person?: JsonObject,
  ): unknown[] {
    const values = list.filter(isObject);
    switch (type) {
      case 'HumanName':
        return best(values, (name) => nameRank(name));
      case 'ContactPoint':
        return values.filter((each) => isCurrent(each) && CONTACTS.includes(String(each.system)));
      case 'Address':
        return values.filter(isCurrent);
      case 'Identifier':
        return values.filter(
          (each) => isCurrent(each) && (path !== 'Patient.identifier' || isRecordNumber(each)),
        );
      case 'Coding':
        return this.#codings(values);
      case 'AllergyIntolerance.reaction':
        return best(values, (each) => this.#reactionRank(path, each));
      case 'Observation.referenceRange':
        return this.#range(path, values, holder, person);
      case 'CodeableConcept':
        return best(values, (each) => this.#conceptRank(path, each));
      default:
        return values.length === 1 ? values : [];
    }
  }

  #codings(codings: readonly JsonObject[]): JsonObject[] {
    const chosen = new Map<unknown, JsonObject>();
    for (const coding of codings) {
      const { system, code, userSelected } = coding;
      if (!this.systems.canHave(system, code)) continue;
      const name = typeof system === 'string' ? this.systems.nameOf(system) : undefined;
      const known = chosen.get(name);
      if (!known || (userSelected === true && known.userSelected !== true)) chosen.set(name, coding);
    }
    return [...chosen.values()];
  }

  #conceptRank(path: string, concept: JsonObject): number {
    const codings = [concept.coding ?? []].flat().filter(isObject);
    const grades = this.meanings.of(path, concept).map(({ grade }) => grade);
    return -2 * Math.max(0, ...grades) - (codings.some(({ system }) => this.systems.isKnown(system)) ? 1 : 0);
  }

  #reactionRank(path: string, { severity, manifestation }: JsonObject): number {
    const signs = [manifestation ?? []].flat();
    const isSevere = signs.some((sign) => this.meanings.of(`${path}.manifestation`, sign).length > 0);
    return severityRank(severity ?? (isSevere ? 'severe' : undefined));
  }

  /** Returns the patient's normal range, with both ends in the unit of the result; none if two match equally well. */
  #range(path: string, ranges: readonly JsonObject[], holder: JsonObject, person?: JsonObject): JsonObject[] {
    const unit = unitOf(holder.valueQuantity);
    const isInUnit = ({ low, high }: JsonObject): boolean =>
      [low, high].every((end) => (unitOf(end) ?? unit) === unit);
    const rank = (range: JsonObject): number => (isSpecific(range) ? 0 : 1);
    const fit = ranges.filter(
      (range) => isInUnit(range) && this.#isNormal(path, range) && this.#isFor(path, range, holder, person),
    );
    const chosen = best(fit, rank);
    return chosen.length > 0 && fit.filter((each) => rank(each) === rank(chosen[0] ?? {})).length === 1
      ? chosen
      : [];
  }

  #isNormal(path: string, { low, high, text, type, meaning, ...range }: JsonObject): boolean {
    const kinds = [type, meaning].filter((kind) => kind !== undefined);
    return (
      [low, high].every((end) => isObject(end) && plainNumber(end, 'value') !== undefined) &&
      (kinds.length === 0 || kinds.some((kind) => this.meanings.of(`${path}.type`, kind).length > 0)) &&
      (isSpecific(range) || !this.meanings.isNamedIn(SPECIFIC, text))
    );
  }

  #isFor(path: string, { appliesTo, age }: JsonObject, holder: JsonObject, person: JsonObject = {}): boolean {
    const groups = [appliesTo ?? []].flat();
    const isOfSex = (group: unknown): boolean =>
      this.meanings
        .of(`${path}.appliesTo`, group)
        .some(({ iri }) => iri === `${mapping.gender}-${String(person.gender)}`);
    return (
      groups.every(isOfSex) && (age === undefined || (isObject(age) && this.#isOfAge(age, holder, person)))
    );
  }

  #isOfAge({ low, high }: JsonObject, holder: JsonObject, { birthDate }: JsonObject): boolean {
    const [first] = saidBy(
      holder.effectiveDateTime ??
        holder.effectiveInstant ??
        (isObject(holder.effectivePeriod) ? holder.effectivePeriod.start : undefined),
    );
    const [born, seen] = [String(birthDate), first?.slice(0, 10) ?? ''];
    if (born.length !== 10 || seen.length !== 10 || (low === undefined && high === undefined)) return false;
    const age = (bound: unknown): number => this.#agesTo(born, seen, bound);
    return !(age(low) < 0) && !(age(high) > 0) && !Number.isNaN(age(low) + age(high));
  }

  /** Returns how far a person is past an age on a day, in its unit: 0 on the day itself; NaN for an unreadable age. */
  #agesTo(born: string, day: string, bound: unknown): number {
    if (bound === undefined) return 0;
    const unit = isObject(bound) ? this.#ages.get(String(bound.code ?? bound.unit)) : undefined;
    const value = isObject(bound) ? Number(plainNumber(bound, 'value')) : NaN;
    if (!unit) return NaN;
    if (unit.months === 0) return (Date.parse(day) - Date.parse(born)) / 86_400_000 - value * unit.days;
    const months =
      12 * (Number(day.slice(0, 4)) - Number(born.slice(0, 4))) +
      Number(day.slice(5, 7)) -
      Number(born.slice(5, 7)) +
      (Number(day.slice(8)) - Number(born.slice(8))) / 32;
    return months - value * unit.months;
  }
}

/** Returns the first value of the lowest rank. */
function best<Value>(values: readonly Value[], rank: (value: Value) => number): Value[] {
  const ranks = values.map(rank);
  return values.slice(0, 1).map((first) => values[ranks.indexOf(Math.min(...ranks))] ?? first);
}

function nameRank(name: JsonObject): number {
  const rank = NAME_USES.indexOf(String(name.use));
  return (rank < 0 ? 2 : rank) + (isOver(name) ? NAME_USES.length : 0);
}

/** Returns what shows that a name, chosen for lack of a better one, is a former or an assumed one. */
export function doubtOf(type: string | undefined, name: JsonObject): 'use' | 'period' | undefined {
  if (type !== 'HumanName') return undefined;
  if (['anonymous', 'maiden', 'old'].includes(String(name.use))) return 'use';
  return isOver(name) ? 'period' : undefined;
}

const isCurrent = (value: JsonObject): boolean => value.use !== 'old' && !isOver(value);

/** Types (HL7 v2, table 0203) of the numbers by which those who keep records know a patient. */
const RECORD_NUMBERS: readonly unknown[] = ['MR', 'MRT', 'PI', 'PT'];

/** Whether an identifier is a medical record number, by its type, or says in no code what it is. */
function isRecordNumber({ type }: JsonObject): boolean {
  const codings = isObject(type) ? [type.coding ?? []].flat().filter(isObject) : [];
  const codes = codings.flatMap(({ system, code }) =>
    identifierTypes.includes(String(system)) ? [code] : [],
  );
  return codes.length === 0 || codes.some((code) => RECORD_NUMBERS.includes(code));
}

/** Whether the period of a value is over, or has not begun. */
function isOver({ period }: JsonObject): boolean {
  const now = new Date().toISOString();
  const { start, end } = isObject(period) ? period : {};
  return (instants(String(end))?.high ?? now) < now || (instants(String(start))?.low ?? now) > now;
}

const isSpecific = ({ appliesTo, age }: JsonObject): boolean =>
  [appliesTo ?? [], age ?? []].flat().length > 0;

function unitOf(quantity: unknown): string | undefined {
  return isObject(quantity) ? saidBy(quantity.code ?? quantity.unit)[0] : undefined;
}
