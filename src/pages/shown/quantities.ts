import type { ClassModel, Ontology, PropertyRule, TrendKind } from '../../model/ontology/model.js';
import type { Term } from '../../rdf/terms.js';
import { readableUnit } from '../../http/html/readable.js';
import type { ShownGraph } from './shown-graph.js';

export interface Quantity {
  /** Labels on the path to the number; the last one names the line in a chart. */
  readonly label: string;
  /** Shared by numbers of one measurement, such as both blood pressures; else the label. */
  readonly chart: string;
  readonly value: number;
  /** As written, since trailing zeros show precision, but with no more digits than pages show. */
  readonly text: string;
  /** As written, where that is longer. */
  readonly exact?: string | undefined;
  /** Where its property stands among others; Infinity when not stated. */
  readonly order: number;
  readonly unit: string;
  readonly normal?: Range | undefined;
  /** Values beyond it are critical. */
  readonly critical?: Range | undefined;
  readonly trend?: TrendKind | undefined;
}

export interface Range {
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly unit: string;
  readonly text: string;
}

/** Whether a unit can be compared with that of a range. */
export function canCompare({ unit }: Range, other: string): boolean {
  return unit === '' || unit === other;
}

/** On which side of a range a value is. The ends are inside: the model excludes the upper, laboratories do not. */
export function sideOf(
  { value, unit }: Pick<Quantity, 'value' | 'unit'>,
  range: Range | undefined,
): 'low' | 'high' | undefined {
  if (!range || !canCompare(range, unit)) return undefined;
  if (range.low !== undefined && value < range.low) return 'low';
  return range.high !== undefined && value > range.high ? 'high' : undefined;
}

function rangeText(low: string | undefined, high: string | undefined, unit: string): string {
  const ends = low === undefined ? `below ${high}` : high === undefined ? `from ${low}` : `${low} to ${high}`;
  const shown = readableUnit(unit);
  return shown === '' || shown === '%' ? ends + shown : `${ends} ${shown}`;
}

function measureOf(text: string | undefined): { value: number; text: string } | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return text !== undefined && Number.isFinite(value) ? { value, text: text.trim() } : undefined;
}

/** Rounds a number that is written with more decimals than pages show. */
export function atMostDecimals(text: string, decimals = Infinity): string {
  const isLonger = (text.split('.')[1] ?? '').length > decimals;
  return isLonger && Number.isFinite(Number(text)) ? Number(text).toFixed(decimals) : text;
}

/** Digits of a measurement that pages show at most; those before the decimal point all. */
const MOST_DIGITS = 4;

/** Returns how many decimals leave that many digits, of which zeros before the first other one are none. */
function decimalsOf(text: string): number | undefined {
  const [, whole, zeros] = /^-?0*(\d*)\.(0*)\d*$/u.exec(text) ?? [];
  if (whole === undefined || zeros === undefined) return undefined;
  return whole === '' ? zeros.length + MOST_DIGITS : Math.max(0, MOST_DIGITS - whole.length);
}

function rounded({ text, exact }: Quantity, decimals: number | undefined) {
  const shown = atMostDecimals(text, decimals);
  return { text: shown, exact: exact ?? (shown === text ? undefined : text) };
}

/** Leaves a number as it was written where rounding would move it across the end of a range. */
function asJudged(quantity: Quantity): Quantity {
  const { text, exact, unit, normal, critical } = quantity;
  const moves = [normal, critical].some(
    (range) => sideOf({ value: Number(text), unit }, range) !== sideOf(quantity, range),
  );
  return exact !== undefined && moves ? { ...quantity, text: exact, exact: undefined } : quantity;
}

const measured = new WeakMap<PropertyRule, boolean>();

/** Whether a property leads to quantities that trends draw: it states how, or what it leads to does. */
export function isMeasured(ontology: Ontology, rule: PropertyRule, depth = 0): boolean {
  const known = measured.get(rule);
  if (known !== undefined) return known;
  const { trend = 'none' } = ontology.properties.get(rule.property) ?? {};
  const models = rule.classes.flatMap((iri) => ontology.classes.get(iri) ?? []);
  const isBelow = ({ kind, rules }: ClassModel): boolean =>
    depth < 3 &&
    kind === 'component' &&
    [...rules.values()].some((inner) => isMeasured(ontology, inner, depth + 1));
  const found = trend !== 'none' || models.some(isBelow);
  // A search that the depth limit cut off is not cached.
  if (depth === 0) measured.set(rule, found);
  return found;
}

export class QuantityReader {
  constructor(private readonly shown: ShownGraph) {}

  /** @param property that leads to it */
  quantities(subject: string | Term, property = ''): Quantity[] {
    const model = this.shown.classOf(subject);
    // A component is asked for what it holds, a statement for what its class measures.
    const found = model ? this.#quantities(subject, model, 0, model.kind !== 'statement') : [];
    const own = this.shown.ontology.properties.get(property)?.trend;
    // A dose is shown as it was written.
    return found.map((each) =>
      (each.trend ?? own) === undefined
        ? each
        : asJudged({ ...each, ...rounded(each, decimalsOf(each.text)) }),
    );
  }

  #quantities(subject: string | Term, model: ClassModel, depth: number, isDrawn: boolean): Quantity[] {
    const { shown } = model;
    const written = this.shown.first(subject, shown.value);
    if (written !== undefined) {
      const measure = measureOf(written);
      const unit = this.shown.first(subject, shown.unit) ?? '';
      return measure ? [{ label: '', chart: '', ...measure, unit, order: Infinity }] : [];
    }
    if (depth > 3) return [];
    const [normal, critical] = [shown.range, shown.critical].map(([property = '']) => {
      const [range] = this.shown.graph.objects(subject, property);
      const rangeModel = range && this.shown.classOf(range);
      return range && rangeModel && this.rangeOf(range, rangeModel);
    });
    const ranges = [...shown.range, ...shown.critical];
    const found = [...model.rules.values()]
      .filter((rule) => !ranges.includes(rule.property) && (isDrawn || isMeasured(this.shown.ontology, rule)))
      .flatMap(({ property }) =>
        this.shown.graph.objects(subject, property).flatMap((node) => {
          const inner = this.shown.classOf(node);
          if (!inner || inner.kind === 'statement') return [];
          const own = this.shown.label(property);
          const trend = this.shown.ontology.properties.get(property)?.trend;
          const below = this.#quantities(node, inner, depth + 1, isDrawn || trend !== undefined);
          const { decimals, order = Infinity } = this.shown.ontology.properties.get(property) ?? {};
          return below.map((quantity) => ({
            ...quantity,
            ...rounded(quantity, decimals),
            order,
            label: quantity.label === '' ? own : quantity.label,
            chart: below.length > 1 || quantity.label === '' ? own : quantity.chart || own,
            trend: quantity.trend ?? trend,
          }));
        }),
      );
    return found.map((quantity) => asJudged({ normal, critical, ...quantity }));
  }

  rangeOf(node: string | Term, { shown }: ClassModel): Range | undefined {
    const end = (properties: readonly string[]) => {
      const [quantity] = properties.flatMap((property) => this.shown.graph.objects(node, property));
      const model = quantity && this.shown.classOf(quantity);
      const measure = quantity && model && measureOf(this.shown.first(quantity, model.shown.value));
      return measure && { ...measure, unit: this.shown.first(quantity, model.shown.unit) ?? '' };
    };
    const [low, high] = [end(shown.minimum), end(shown.maximum)];
    const unit = low?.unit ?? high?.unit;
    if (unit === undefined) return undefined;
    return { low: low?.value, high: high?.value, unit, text: rangeText(low?.text, high?.text, unit) };
  }
}
