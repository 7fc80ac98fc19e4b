import { isObject, type JsonObject } from '../rdf/json-object.js';
import type { Quad } from '../rdf/terms.js';
import { mapping } from '../rdf/vocabulary.js';
import {
  ends,
  joined,
  prefixed,
  primitiveText,
  quantity,
  said,
  UNTOLD,
  WORDS,
  type Said,
} from './element-texts.js';
import { rowsWith } from './mapping-tables.js';

/** Writes whole numbers as such: who overlooks the point of `1.0` reads ten. */
const whole = (words: Said): Said => words?.replaceAll(/(?<=\d)\.0+(?![\d])/gu, '');

/** A dose of which no unit is said, such as tablets. */
const bare = /^[\d.]+(?: to [\d.]+)?$/u;

/** What dosages of FHIR R4 say in words. Where one says what has no words, it is said that it says something. */
export class DosageWords {
  readonly #units = new Map<string, { each: Said; many: Said; isRate: boolean }>();
  readonly #times = new Map<string, string>();

  /**
   * @param tables with the words for units of time, times of day and schedules
   * @param element the words of an element of a type, as `Words.of`
   */
  constructor(
    tables: readonly Quad[],
    private readonly element: (type: string, holder: object, key: string) => Said,
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

  /** Returns all dosages, in their sequence. */
  of(dosages: readonly unknown[]): string {
    const order = (dosage: unknown): number => (isObject(dosage) ? Number(dosage.sequence ?? 0) : 0);
    return [...dosages]
      .sort((a, b) => order(a) - order(b))
      .map((dosage, place) => {
        const words =
          (isObject(dosage) && this.#dosage(dosage, dosages.length === 1)) ||
          'How it is taken is recorded, but cannot be shown here.';
        return place > 0 && order(dosage) > 1 && !/^then/iu.test(words)
          ? `then ${words.replace(/^Take/u, 'take')}`
          : words;
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
    const [first = ''] = main;
    const isTaken = bare.test(first) && dosage.route === undefined && dosage.method === undefined;
    if (text === undefined)
      return joined([isTaken ? `Take ${joined(main, ', ')}` : joined(main, ' '), ...more], ', ');
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
        return joined([whole(quantity(doseQuantity) ?? ends(low, high, WORDS)), prefixed('at ', rated)], ' ');
      });
    return joined(doses, ' or ');
  }

  /** How often: `once a day`, `1 to 4 times every 2 to 3 days`. */
  #frequency(timing: unknown): Said {
    const repeat = isObject(timing) && isObject(timing.repeat) ? timing.repeat : {};
    const [often, oftenMax, every, everyMax] = ['frequency', 'frequencyMax', 'period', 'periodMax'].map(
      (key) => whole(primitiveText(repeat, key)),
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
          .find(Boolean) ?? this.element('CodeableConcept', { code }, 'code'))
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
      yield prefixed(`${key}: `, this.element('CodeableConcept', dosage, key));
    if (asNeededBoolean === true) yield 'as needed';
    if (dosage.asNeededCodeableConcept !== undefined)
      yield `as needed for ${this.element('CodeableConcept', dosage, 'asNeededCodeableConcept') ?? UNTOLD}`;
    const repeat = isObject(timing) && isObject(timing.repeat) ? timing.repeat : {};
    const { boundsDuration, boundsRange, boundsPeriod } = repeat;
    yield prefixed('for ', this.#lasting(boundsDuration));
    if (isObject(boundsRange)) yield prefixed('for ', ends(boundsRange.low, boundsRange.high, WORDS));
    yield this.element('Period', { boundsPeriod }, 'boundsPeriod');
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
        this.element('CodeableConcept', additionalInstruction as object, String(place)) ??
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
