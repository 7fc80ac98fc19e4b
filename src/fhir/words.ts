import { isObject, type JsonObject } from '../rdf/json-object.js';
import type { Quad } from '../rdf/terms.js';
import { DosageWords } from './dosage-words.js';
import {
  ends,
  isChoice,
  isQuantity,
  joined,
  prefixed,
  primitiveText,
  quantity,
  said,
  SIGNS,
  typeIn,
  unitOf,
  UNTOLD,
  type Said,
} from './element-texts.js';
import type { CodeSystems } from './mapping-tables.js';

/**
 * What elements of FHIR R4 say in words, as a clinician would write them. What has no words is left out, and of a dosage
 * it is said that something is. An element with a modifier extension has none: it may say the opposite.
 */
export class Words {
  readonly #dosages: DosageWords;

  /** @param tables with the words for units of time, times of day and schedules */
  constructor(
    tables: readonly Quad[],
    private readonly systems: Pick<CodeSystems, 'isKnown'>,
  ) {
    this.#dosages = new DosageWords(tables, (type, holder, key) => this.of(type, holder, key));
  }

  /**
   * Returns the words of an element; for a list, those of all its values in order, joined by `; `.
   * @param type of R4, as in `Quantity`, `Observation.component`
   */
  of(type: string | undefined, holder: object, key: string): Said {
    const value = (holder as JsonObject)[key];
    if (!Array.isArray(value)) return this.#one(type, holder, key);
    if (type === 'Dosage') return this.#dosages.of(value);
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
