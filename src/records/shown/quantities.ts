import type { ClassModel, Ontology, PropertyRule, TrendKind } from '../../ontology/model.js';
import type { Term } from '../../rdf/terms.js';
import { readableUnit } from './readable.js';
import type { ShownGraph } from './shown-graph.js';

/** A measured number of a statement. */
export interface Quantity {
  /** What was measured: the labels of the way to it, the last of which tells lines of one chart apart. */
  readonly label: string;
  /** What several numbers of one measurement share, such as both blood pressures; else its own label. */
  readonly chart: string;
  readonly value: number;
  /** The value as it is written: its last zeros tell how exact it is. */
  readonly text: string;
  /** In UCUM. */
  readonly unit: string;
  readonly normal?: Range | undefined;
  readonly trend?: TrendKind | undefined;
}

/** A range of quantities; one of the ends may be open. */
export interface Range {
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** In UCUM. */
  readonly unit: string;
  /** As people read it, the ends as they are written. */
  readonly text: string;
}

/** Whether values of a unit can be compared with a range: what another unit, or none, says is not known. */
export function canCompare({ unit }: Range, other: string): boolean {
  return unit === '' || unit === other;
}

/**
 * Whether a value is outside of its normal range, as far as that is known. At an end itself it is not called so: the
 * record model leaves the upper end out of a range, laboratories and FHIR count it in.
 */
export function isOutside({ value, unit, normal }: Pick<Quantity, 'value' | 'unit' | 'normal'>): boolean {
  if (!normal || !canCompare(normal, unit)) return false;
  const { low, high } = normal;
  return (low !== undefined && value < low) || (high !== undefined && value > high);
}

function rangeText(low: string | undefined, high: string | undefined, unit: string): string {
  const ends = low === undefined ? `below ${high}` : high === undefined ? `from ${low}` : `${low} to ${high}`;
  const shown = readableUnit(unit);
  return shown === '' || shown === '%' ? ends + shown : `${ends} ${shown}`;
}

/** A number that is written as one; undefined for other texts. */
function measureOf(text: string | undefined): { value: number; text: string } | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return text !== undefined && Number.isFinite(value) ? { value, text: text.trim() } : undefined;
}

const measured = new WeakMap<PropertyRule, boolean>();

/** Whether a property leads to what is drawn in trends: quantities, or components that hold some. */
export function isMeasured(ontology: Ontology, rule: PropertyRule, depth = 0): boolean {
  const known = measured.get(rule);
  if (known !== undefined) return known;
  const models = rule.classes.flatMap((iri) => ontology.classes.get(iri) ?? []);
  const found =
    ontology.properties.get(rule.property)?.trend !== 'none' &&
    models.some((model) => isMeasurement(ontology, model, depth));
  // What was cut off by its depth may be found from elsewhere.
  if (depth === 0) measured.set(rule, found);
  return found;
}

/** Ranges of quantities are no measurements, nor are other statements. */
function isMeasurement(ontology: Ontology, { shown, rules, kind }: ClassModel, depth: number): boolean {
  if (shown.value.length > 0) return true;
  if (depth > 2 || kind === 'statement' || shown.minimum.length + shown.maximum.length > 0) return false;
  return [...rules.values()].some(
    (rule) => !shown.range.includes(rule.property) && isMeasured(ontology, rule, depth + 1),
  );
}

/** Reads what was measured from the graph that a call constructed. */
export class QuantityReader {
  readonly #shown: ShownGraph;

  constructor(shown: ShownGraph) {
    this.#shown = shown;
  }

  /** What was measured, as numbers; what is no number is left out. */
  quantities(subject: string | Term): Quantity[] {
    const model = this.#shown.classOf(subject);
    return model ? this.#quantities(subject, model, 0) : [];
  }

  #quantities(subject: string | Term, model: ClassModel, depth: number): Quantity[] {
    const { shown } = model;
    const written = this.#shown.first(subject, shown.value);
    if (written !== undefined) {
      const measure = measureOf(written);
      const unit = this.#shown.first(subject, shown.unit) ?? '';
      return measure ? [{ label: '', chart: '', ...measure, unit }] : [];
    }
    if (depth > 3) return [];
    const range = this.#shown.graph.objects(subject, shown.range[0] ?? '')[0];
    const rangeModel = range && this.#shown.classOf(range);
    const normal = range && rangeModel && this.rangeOf(range, rangeModel);
    const found = [...model.rules.values()]
      .filter((rule) => isMeasured(this.#shown.ontology, rule))
      .flatMap(({ property }) =>
        this.#shown.graph.objects(subject, property).flatMap((node) => {
          const inner = this.#shown.classOf(node);
          if (!inner) return [];
          const own = this.#shown.label(property);
          const trend = this.#shown.ontology.properties.get(property)?.trend;
          const below = this.#quantities(node, inner, depth + 1);
          return below.map((quantity) => ({
            ...quantity,
            label: quantity.label === '' ? own : quantity.label,
            // Several numbers of one component belong together.
            chart: below.length > 1 || quantity.label === '' ? own : quantity.chart || own,
            trend: quantity.trend ?? trend,
          }));
        }),
      );
    return normal === undefined ? found : found.map((quantity) => ({ normal, ...quantity }));
  }

  /** A range; undefined for what is none. */
  rangeOf(node: string | Term, { shown }: ClassModel): Range | undefined {
    const end = (properties: readonly string[]) => {
      const [quantity] = properties.flatMap((property) => this.#shown.graph.objects(node, property));
      const model = quantity && this.#shown.classOf(quantity);
      const measure = quantity && model && measureOf(this.#shown.first(quantity, model.shown.value));
      return measure && { ...measure, unit: this.#shown.first(quantity, model.shown.unit) ?? '' };
    };
    const [low, high] = [end(shown.minimum), end(shown.maximum)];
    const unit = low?.unit ?? high?.unit;
    if (unit === undefined) return undefined;
    return { low: low?.value, high: high?.value, unit, text: rangeText(low?.text, high?.text, unit) };
  }
}
