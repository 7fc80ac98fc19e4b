import { numberText } from './endpoint/reading/write-json.js';
import { structureOf } from './endpoint/rules/structures.js';
import { isObject, type JsonObject } from '../rdf/json-object.js';
import type { Quad } from '../rdf/terms.js';
import { mapping, ucum } from '../rdf/vocabulary.js';
import { rowsWith, type CodeSystems } from './mapping-tables.js';

type Said = string | undefined;

/** How to join the words for a lower and an upper end. */
interface Ends {
  readonly between: string;
  readonly least: string;
  readonly most: string;
}

const SIGNS: Ends = { between: '-', least: '>=', most: '<=' };
const WORDS: Ends = { between: ' to ', least: 'at least ', most: 'up to ' };

/** What an element is called that says something which has no words here. */
export const UNTOLD = 'what cannot be shown here';

const scientific = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/u;

/**
 * What elements of FHIR R4 say in words, as a clinician would write them. What has no words is left out, and of a dosage
 * it is said that something is. An element with a modifier extension has none: it may say the opposite.
 */
export class Words {
  readonly #units = new Map<string, { each: Said; many: Said; isRate: boolean }>();
  readonly #times = new Map<string, string>();

  /** @param tables with the words for units of time, times of day and schedules */
  constructor(
    tables: readonly Quad[],
    private readonly systems: Pick<CodeSystems, 'isKnown'>,
  ) {
    for (const row of rowsWith(tables, mapping.timeUnit))
      this.#units.set(row.one(mapping.timeUnit) ?? '', {
        each: row.one(mapping.each),
        many: row.one(mapping.many),
        isRate: row.one(mapping.becomes) !== undefined,
      });
    for (const property of [mapping.when, mapping.schedule])
      for (const row of rowsWith(tables, property))
        for (const code of row.all(property)) this.#times.set(code, row.one(mapping.words) ?? code);
  }

  /**
   * Returns the words of an element; for a list, those of all its values in order, joined by `; `.
   * @param type of R4, as in `Quantity`, `Observation.component`
   */
  of(type: string | undefined, holder: object, key: string): Said {
    const value = (holder as JsonObject)[key];
    if (!Array.isArray(value)) return this.#one(type, holder, key);
    if (type === 'Dosage') return this.#dosages(value);
    if (type === 'AllergyIntolerance.reaction') return this.#reactions(value);
    return joined(
      value.map((_, place) => this.#one(type, value, String(place))),
      '; ',
    );
  }

  /** Returns the words of `value[x]` or another choice of types. */
  ofChoice(holder: JsonObject, name: string, type: string | undefined): Said {
    const key = Object.keys(holder).find((each) => each === name || isChoice(each, name));
    return key === undefined ? undefined : this.of(typeIn(type, key), holder, key);
  }

  #one(type: string | undefined, holder: object, key: string): Said {
    const value = (holder as JsonObject)[key];
    if (!isObject(value)) return primitiveText(holder, key);
    if ([value.modifierExtension ?? []].flat().length > 0) return undefined;
    const { low, high, start, end, text, coding, display, code, numerator, denominator } = value;
    switch (type) {
      case 'CodeableConcept':
        return said(text) ?? this.#codings([coding ?? []].flat().filter(isObject));
      case 'Coding':
        return said(display) ?? said(code);
      case 'Annotation':
        return said(text);
      case 'Reference':
        return said(display);
      case 'Range':
        return ends(low, high, SIGNS);
      case 'Ratio': {
        const [upper, lower] = [quantity(numerator), quantity(denominator)];
        const hasUnit = [numerator, denominator].some((each) => unitOf(each) !== undefined);
        return upper === undefined || lower === undefined
          ? undefined
          : [upper, lower].join(hasUnit ? ' / ' : ':');
      }
      case 'Period':
        return joined([prefixed('from ', said(start)), prefixed('until ', said(end))], ' ');
      case 'Observation.component':
        return this.#component(value);
      case 'Observation.referenceRange':
        return this.#referenceRange(value);
      default:
        return isQuantity(type) ? quantity(value) : undefined;
    }
  }

  /** Returns the manifestations of reactions, the worst first. */
  #reactions(reactions: readonly unknown[]): Said {
    const sorted = reactions
      .filter(isObject)
      .sort((a, b) => severityRank(a.severity) - severityRank(b.severity));
    const signs = sorted.map((each) =>
      this.of('CodeableConcept', each, 'manifestation')?.replaceAll('; ', ', '),
    );
    return joined([...new Set(signs)], ', ');
  }

  /** The coding that the user chose counts, then those of known systems, then any with words. */
  #codings(codings: readonly JsonObject[]): Said {
    const rank = ({ userSelected, system, display }: JsonObject): number =>
      (userSelected === true ? 0 : 4) +
      (this.systems.isKnown(system) ? 0 : 2) +
      (display === undefined ? 1 : 0);
    const [first] = [...codings].sort((a, b) => rank(a) - rank(b));
    return (
      first &&
      (said(first.display) ??
        said(codings.find((each) => each.display !== undefined)?.display) ??
        said(first.code))
    );
  }

  #component(component: JsonObject): Said {
    const result =
      this.ofChoice(component, 'value', 'Observation.component') ??
      this.of('CodeableConcept', component, 'dataAbsentReason');
    if (result === undefined) return undefined;
    const more = joined(
      [
        this.of('CodeableConcept', component, 'interpretation'),
        this.of('Observation.referenceRange', component, 'referenceRange'),
      ],
      '; ',
    );
    const name = this.of('CodeableConcept', component, 'code') ?? UNTOLD;
    return `${name}: ${result}${more === undefined ? '' : ` (${more})`}`;
  }

  #referenceRange(range: JsonObject): string {
    const kind = joined(
      ['type', 'meaning'].map((key) => this.of('CodeableConcept', range, key)),
      ', ',
    );
    const groups = [range.appliesTo ?? []]
      .flat()
      .map((_, place, all) => this.#one('CodeableConcept', all, String(place)) ?? UNTOLD);
    const { low, high } = isObject(range.age) ? range.age : {};
    const age = joined([prefixed('from ', quantity(low)), prefixed('up to ', quantity(high))], ' ');
    const limits =
      joined([ends(range.low, range.high, SIGNS), prefixed('"', said(range.text), '"')], ' ') ??
      'that cannot be shown here';
    return [
      `Reference range ${limits}`,
      prefixed(' (', kind, ')') ?? '',
      groups.length > 0 ? ` for ${groups.join(' and ')}` : '',
      prefixed(', age ', age) ?? (range.age === undefined ? '' : ', for some ages'),
    ].join('');
  }

  /** Returns all dosages, in their sequence. */
  #dosages(dosages: readonly unknown[]): string {
    const order = (dosage: unknown): number => (isObject(dosage) ? Number(dosage.sequence ?? 0) : 0);
    return [...dosages]
      .sort((a, b) => order(a) - order(b))
      .map((dosage, place) => {
        const words =
          (isObject(dosage) && this.#dosage(dosage, dosages.length === 1)) ||
          'How it is taken is recorded, but cannot be shown here.';
        return place > 0 && order(dosage) > 1 && !/^then/iu.test(words) ? `then ${words}` : words;
      })
      .join('; ');
  }

  /** @param isOnly whether dose and frequency are also stored as numbers, if these say everything */
  #dosage(dosage: JsonObject, isOnly: boolean): Said {
    if ([dosage.modifierExtension ?? []].flat().length > 0) return undefined;
    const text = joined([said(dosage.text), said(dosage.patientInstruction)], ', ');
    const isToldInNumbers = text !== undefined && isOnly && this.#isNumbers(dosage);
    const main = [
      ...(isToldInNumbers ? [] : [this.#dose(dosage), this.#frequency(dosage.timing)]),
      ...this.#whenOf(dosage.timing),
    ].filter((each) => each !== undefined);
    const more = [...this.#bounds(dosage)].filter((each) => each !== undefined);
    if (text === undefined) return joined([joined(main, ' '), ...more], ', ');
    const before = text.toLowerCase();
    const isNew = (words: string): boolean =>
      !before.includes(words.toLowerCase()) && !(words.startsWith('as needed') && /\bprn\b/u.test(before));
    return [text, ...[...main, ...more].filter(isNew)].join(', ');
  }

  /** Whether it has only one dose and one frequency. */
  #isNumbers({ doseAndRate, timing, asNeededBoolean, asNeededCodeableConcept }: JsonObject): boolean {
    const rates = [doseAndRate ?? []].flat();
    const [rate] = rates;
    const { doseQuantity, doseRange, ...others } = isObject(rate) ? rate : {};
    const isDose =
      rates.length === 0 ||
      (rates.length === 1 &&
        doseRange === undefined &&
        isObject(doseQuantity) &&
        doseQuantity.comparator === undefined &&
        Object.keys(others).every((key) => key === 'type'));
    const { repeat, event } = isObject(timing) ? timing : {};
    const { frequency, period, periodUnit, ...more } = isObject(repeat) ? repeat : {};
    const isFrequency =
      timing === undefined ||
      (event === undefined &&
        frequency !== undefined &&
        Number(period) === 1 &&
        this.#units.get(String(periodUnit))?.isRate === true &&
        Object.keys(more).length === 0);
    return isDose && isFrequency && asNeededBoolean !== true && asNeededCodeableConcept === undefined;
  }

  #dose({ doseAndRate }: JsonObject): Said {
    const doses = [doseAndRate ?? []]
      .flat()
      .filter(isObject)
      .map(({ doseQuantity, doseRange, rateQuantity, rateRange, rateRatio }) => {
        const { low, high } = isObject(doseRange) ? doseRange : {};
        const rated = isObject(rateRange)
          ? ends(rateRange.low, rateRange.high, WORDS)
          : isObject(rateRatio)
            ? joined([quantity(rateRatio.numerator), quantity(rateRatio.denominator)], ' in ')
            : quantity(rateQuantity);
        return joined([quantity(doseQuantity) ?? ends(low, high, WORDS), prefixed('at ', rated)], ' ');
      });
    return joined(doses, ' or ');
  }

  /** How often: `once a day`, `1 to 4 times every 2 to 3 days`. */
  #frequency(timing: unknown): Said {
    const repeat = isObject(timing) && isObject(timing.repeat) ? timing.repeat : {};
    const [often, oftenMax, every, everyMax] = ['frequency', 'frequencyMax', 'period', 'periodMax'].map(
      (key) => primitiveText(repeat, key),
    );
    const unit = this.#units.get(String(repeat.periodUnit));
    const isOne = every !== undefined && Number(every) === 1 && everyMax === undefined;
    const once = often === '1' ? 'once' : often === '2' ? 'twice' : undefined;
    const times =
      oftenMax === undefined
        ? (once ?? prefixed('', often, ' times'))
        : `${prefixed('', often, ' to ') ?? 'up to '}${oftenMax} times`;
    if (every === undefined) return times;
    if (isOne && unit?.each !== undefined)
      return times === undefined ? `every${unit.each.replace(/^an?/u, '')}` : `${times} ${unit.each}`;
    const period =
      `every ${every}${prefixed(' to ', everyMax) ?? ''} ${unit?.many ?? said(repeat.periodUnit) ?? ''}`.trim();
    return joined([times, period], ' ');
  }

  /** Returns the days, the times and the schedule. */
  #whenOf(timing: unknown): Said[] {
    if (!isObject(timing)) return [];
    const { repeat = {}, code, event } = timing;
    const { dayOfWeek, when, timeOfDay, offset, frequency, frequencyMax, period } = isObject(repeat)
      ? repeat
      : {};
    const list = (value: unknown, words: (each: string) => string): Said =>
      joined(
        [value ?? []].flat().map((each) => words(String(each))),
        ' and ',
      );
    const known = (each: string): string => this.#times.get(each) ?? each;
    const isCounted = [frequency, frequencyMax, period].some((each) => each !== undefined);
    const schedule = isObject(code)
      ? ([code.coding ?? []]
          .flat()
          .filter(isObject)
          .map((each) => this.#times.get(String(each.code)))
          .find(Boolean) ?? this.of('CodeableConcept', { code }, 'code'))
      : undefined;
    const at = [
      isCounted ? undefined : schedule,
      list(dayOfWeek, known),
      prefixed(prefixed('', said(offset), ' minutes ') ?? '', list(when, known)),
      prefixed(
        'at ',
        list(timeOfDay, (each) => each.slice(0, 5)),
      ),
      prefixed(
        'at ',
        list(event, (each) => each),
      ),
    ];
    const isSaid = isCounted || at.some((each) => each !== undefined);
    return isSaid ? at : ['at times that cannot be shown here'];
  }

  /** Yields when it is needed, for how long, the maximum, and other instructions. */
  *#bounds(dosage: JsonObject): Generator<Said> {
    const { timing, asNeededBoolean, maxDosePerPeriod, additionalInstruction } = dosage;
    for (const key of ['route', 'site', 'method'])
      yield prefixed(`${key}: `, this.of('CodeableConcept', dosage, key));
    if (asNeededBoolean === true) yield 'as needed';
    if (dosage.asNeededCodeableConcept !== undefined)
      yield `as needed for ${this.of('CodeableConcept', dosage, 'asNeededCodeableConcept') ?? UNTOLD}`;
    const repeat = isObject(timing) && isObject(timing.repeat) ? timing.repeat : {};
    const { boundsDuration, boundsRange, boundsPeriod } = repeat;
    yield prefixed('for ', this.#lasting(boundsDuration));
    if (isObject(boundsRange)) yield prefixed('for ', ends(boundsRange.low, boundsRange.high, WORDS));
    yield this.#one('Period', { boundsPeriod }, 'boundsPeriod');
    const upTo = (key: string): Said =>
      joined([primitiveText(repeat, key), primitiveText(repeat, `${key}Max`)], ' to ');
    yield prefixed('', upTo('count'), ' times in all');
    yield prefixed('over ', upTo('duration'), ` ${this.#units.get(String(repeat.durationUnit))?.many ?? ''}`);
    const { numerator, denominator } = isObject(maxDosePerPeriod) ? maxDosePerPeriod : {};
    yield prefixed('at most ', joined([quantity(numerator), this.#lasting(denominator)], ' in '));
    yield prefixed('at most ', quantity(dosage.maxDosePerAdministration), ' at a time');
    yield prefixed('at most ', quantity(dosage.maxDosePerLifetime), ' in a lifetime');
    for (const [place] of [additionalInstruction ?? []].flat().entries())
      yield (
        this.#one('CodeableConcept', additionalInstruction as object, String(place)) ??
        'and instructions that cannot be shown here'
      );
  }

  /** Describes a duration: `a day`, `5 days`. */
  #lasting(duration: unknown): Said {
    if (!isObject(duration)) return undefined;
    const unit = this.#units.get(String(duration.code));
    const value = primitiveText(duration, 'value');
    if (!unit || value === undefined) return quantity(duration);
    const than = said(duration.comparator) ?? '';
    return than === '' && value === '1' ? unit.each : `${than}${value} ${unit.many}`;
  }
}

/** Elements that the words of a type leave out. */
export const withoutWords = (type: string | undefined): readonly string[] =>
  type === 'AllergyIntolerance.reaction' ? ['substance', 'onset', 'exposureRoute', 'note'] : [];

const SEVERITIES = ['severe', 'moderate', 'unknown', 'mild'];

/** The rank of a severity, the worst first; an unknown one may be worse than mild. */
export function severityRank(severity: unknown): number {
  const rank = SEVERITIES.indexOf(String(severity).toLowerCase());
  return rank < 0 ? SEVERITIES.indexOf('unknown') : rank;
}

/** Whether a property is one of a choice of types: `valueQuantity` of `value[x]`. */
export const isChoice = (key: string, name: string): boolean =>
  key.startsWith(name) && /^[A-Z]/u.test(key.slice(name.length));

/** Returns the type of an R4 property; undefined if it is not one. */
export const typeIn = (type: string | undefined, key: string): string | undefined =>
  type === undefined ? undefined : structureOf(type)?.elements.get(key)?.type;

/** Returns the digits of a number in an object, without an exponent; undefined if it is not a number. */
export function plainNumber(holder: object, key: string): Said {
  const text = primitiveText(holder, key);
  return text !== undefined && /^-?\d+(?:\.\d+)?$/u.test(text) ? text : undefined;
}

/** Returns a primitive value as text, numbers with all digits and without an exponent; undefined if there is none. */
export function primitiveText(holder: object, key: string): Said {
  const value = (holder as JsonObject)[key];
  if (value === null || value === undefined || isObject(value)) return undefined;
  return typeof value === 'number' ? plainDecimal(numberText(holder, key, value)) : String(value as string);
}

/** Writes a number without an exponent, with all digits: `1.20E+1` is `12.0`. */
function plainDecimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = scientific.exec(text) ?? [];
  if (exponent === undefined) return text;
  const zeros = '0'.repeat(Math.abs(Number(exponent)));
  const digits = zeros + whole + fraction + zeros;
  const point = zeros.length + whole.length + Number(exponent);
  const below = digits.slice(point, point + Math.max(0, fraction.length - Number(exponent)));
  return `${sign}${digits.slice(0, point).replace(/^0+(?=\d)/u, '')}${below && '.'}${below}`;
}

const said = (value: unknown): Said =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

function joined(parts: readonly Said[], by: string): Said {
  const told = parts.filter((each) => each !== undefined && each !== '');
  return told.length === 0 ? undefined : told.join(by);
}

const prefixed = (before: string, words: Said, after = ''): Said =>
  words === undefined ? undefined : `${before}${words}${after}`;

export const isQuantity = (type: string | undefined): boolean =>
  ['Quantity', 'Age', 'Count', 'Distance', 'Duration', 'Money'].includes(type ?? '');

/** UCUM writes things without a unit in braces: `{tablet}`. */
const unitOf = (value: unknown): Said =>
  isObject(value) ? (said(value.unit) ?? said(value.code))?.replace(/[{}]/gu, '') : undefined;

function quantity(value: unknown): Said {
  if (!isObject(value)) return undefined;
  const number = primitiveText(value, 'value');
  const other = hasTwoUnits(value) ? `(coded as ${String(value.code)})` : undefined;
  return number === undefined
    ? undefined
    : joined([`${said(value.comparator) ?? ''}${number}`, unitOf(value), other], ' ');
}

/** Units that people write as UCUM does, at most one over another. */
const unit = '(?:[munpkcd]?(?:g|l|mol|eq|m|pa|u|s)|mmhg|lb|oz|in|ft|cel|%|min|h|d)';
const knownUnit = new RegExp(`^${unit}(?:/${unit})?$`, 'u');

/** Whether unit and code of a quantity are two different known units: 5.5 mg/dL with the code mmol/L. */
export function hasTwoUnits({ unit, code, system }: JsonObject): boolean {
  if (system !== ucum) return false;
  const [shown, coded] = [unit, code].map((each) =>
    String(each)
      .toLowerCase()
      .replace(/_(?:av|i|us)\b|[[\]{} ]/gu, '')
      .replace(/^mcg|μg|µg/u, 'ug')
      .replaceAll('iu', 'u'),
  );
  return shown !== coded && [shown, coded].every((each) => knownUnit.test(each ?? ''));
}

function ends(low: unknown, high: unknown, { between, least, most }: Ends): Said {
  const [from, to] = [quantity(low), quantity(high)];
  if (from === undefined || to === undefined) return prefixed(most, to) ?? prefixed(least, from);
  const isOneUnit = unitOf(low) === undefined || unitOf(low) === unitOf(high);
  return `${isOneUnit ? primitiveText(low as object, 'value') : from}${between}${to}`;
}
