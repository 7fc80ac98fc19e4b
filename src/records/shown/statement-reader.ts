import type { Graph } from '../../ontology/graph.js';
import {
  isA,
  type ClassModel,
  type Ontology,
  type PropertyRule,
  type TrendKind,
} from '../../ontology/model.js';
import { localName } from '../../ontology/term-names.js';
import { instants } from '../../query/partial-date.js';
import type { Term } from '../../rdf/terms.js';
import { dcterms, rdf, sp } from '../../rdf/vocabulary.js';
import { capital, readableDate, readableDay, readableQuantity, readableUnit } from './readable.js';

/** A value as pages show it: its text, what stands small beside it, where it leads, and what else it says. */
export interface ShownValue {
  readonly text: string;
  readonly note?: string | undefined;
  /** The IRI of another statement of the record. */
  readonly link?: string | undefined;
  readonly parts?: readonly ShownProperty[] | undefined;
}

export interface ShownProperty {
  readonly label: string;
  readonly values: readonly ShownValue[];
}

/** A measured number of a statement. */
export interface Quantity {
  /** What was measured: the labels of the way to it, the last of which tells lines of one chart apart. */
  readonly label: string;
  /** What several numbers of one measurement share, such as both blood pressures; else its own label. */
  readonly chart: string;
  readonly value: number;
  /** In UCUM. */
  readonly unit: string;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly trend?: TrendKind | undefined;
}

/** A statement as lists show it. */
export interface ShownStatement {
  readonly iri: string;
  /** The class, and its label. */
  readonly model: ClassModel;
  readonly kind: string;
  readonly title: string;
  /** The IRI of the code of the title. */
  readonly code?: string | undefined;
  /** ISO 8601, as stored; undefined where it has none. */
  readonly date?: string | undefined;
  readonly until?: string | undefined;
  /** Whether it was over at the time that is given. */
  readonly isOver: boolean;
  readonly summary: readonly string[];
}

/** How deep components may stand in each other. */
const DEEPEST = 6;
/** How many values of one property a summary names. */
const MOST_NAMED = 5;

/** Reads statements from the graph that a call constructed, by what the ontology says of their classes. */
export class StatementReader {
  readonly #ontology: Ontology;
  readonly #graph: Graph;
  readonly #record: string;
  readonly #now: string;

  /** @param record its IRI; @param now milliseconds since 1970 */
  constructor(ontology: Ontology, graph: Graph, record: string, now: number) {
    this.#ontology = ontology;
    this.#graph = graph;
    this.#record = record;
    this.#now = new Date(now).toISOString();
  }

  /** A statement in short; undefined where the graph says of no class of the ontology what it is. */
  statement(iri: string): ShownStatement | undefined {
    const model = this.#classOf(iri);
    if (!model) return undefined;
    const { shown } = model;
    const title = this.#titleOf(iri, model);
    const [titleNode] = shown.title.flatMap((property) => this.#graph.objects(iri, property));
    const until = this.#first(iri, shown.until);
    return {
      iri,
      model,
      kind: model.label,
      title: title === '' ? capital(model.label) : title,
      code: titleNode && this.#codeOf(titleNode),
      date: this.#first(iri, shown.date),
      until,
      isOver: until !== undefined && (instants(until)?.high ?? until) < this.#now,
      summary: this.#summary(iri, model),
    };
  }

  /** Everything that a statement says, in the order of its class. */
  properties(subject: string | Term): ShownProperty[] {
    return this.#properties(subject, 0, new Set([sp.belongsTo]));
  }

  /** What was measured, as numbers; what is no number is left out. */
  quantities(subject: string | Term): Quantity[] {
    const model = this.#classOf(subject);
    return model ? this.#quantities(subject, model, 0) : [];
  }

  /** The most special class of the ontology that a node says it has. */
  #classOf(subject: string | Term): ClassModel | undefined {
    const models = this.#graph
      .objects(subject, rdf.type)
      .flatMap(({ value }) => this.#ontology.classes.get(value) ?? []);
    const own = models.filter(
      ({ iri }) => !models.some((other) => other.iri !== iri && isA(this.#ontology, other.iri, iri)),
    );
    return own.find(({ shown, rules }) => shown.title.length > 0 || rules.size > 0) ?? own[0];
  }

  #first(subject: string | Term, properties: readonly string[]): string | undefined {
    return properties.flatMap((property) => this.#graph.objects(subject, property))[0]?.value;
  }

  #titleOf(subject: string | Term, { shown }: ClassModel, depth = 0): string {
    return shown.title
      .flatMap((property) =>
        this.#graph.objects(subject, property).map((term) => this.#value(term, property, depth + 1).text),
      )
      .filter((text) => text !== '')
      .join(' ');
  }

  #codeOf(node: Term): string | undefined {
    const model = this.#classOf(node);
    return model && this.#first(node, model.shown.code);
  }

  /** What a code is called in its system. */
  #codeNote(code: string): string | undefined {
    const known = this.#ontology.codes.get(code);
    const identifier = this.#graph.value(code, dcterms.identifier) ?? known?.identifier;
    if (identifier === undefined) return undefined;
    const system = this.#graph.value(code, sp.system) ?? known?.system ?? '';
    return [localName(system.replace(/[/#]$/, '')), identifier].filter((part) => part !== '').join(' ');
  }

  #value(term: Term, property: string, depth: number): ShownValue {
    if (term.termType === 'Literal') {
      const isDate = this.#ontology.properties.get(property)?.valueType === 'date';
      return { text: isDate ? readableDate(term.value) : term.value };
    }
    const model = this.#classOf(term);
    if (term.termType === 'NamedNode') {
      if (term.value.startsWith(`${this.#record}/`)) return this.#link(term.value, model);
      const title = model && depth < DEEPEST ? this.#titleOf(term, model, depth) : '';
      const text = title || (this.#ontology.codes.get(term.value)?.title ?? '');
      return { text: text || localName(term.value), note: this.#codeNote(term.value) };
    }
    return depth < DEEPEST ? this.#component(term, model, depth) : { text: '' };
  }

  /** Another statement of the record, by its title and date where the graph knows it. */
  #link(iri: string, model: ClassModel | undefined): ShownValue {
    const date = model && this.#first(iri, model.shown.date);
    const title = model ? this.#titleOf(iri, model, DEEPEST - 2) || capital(model.label) : localName(iri);
    return { text: title, link: iri, note: date === undefined ? undefined : readableDay(date) };
  }

  #component(node: Term, model: ClassModel | undefined, depth: number): ShownValue {
    const shown = model?.shown;
    const used = new Set<string>([sp.belongsTo]);
    let text = '';
    let note: string | undefined;
    if (model && shown) {
      const value = this.#first(node, shown.value);
      const ends = this.#endsOf(node, model);
      if (shown.title.length > 0) text = this.#titleOf(node, model, depth);
      else if (value !== undefined) text = readableQuantity(value, this.#first(node, shown.unit) ?? '');
      else if (ends) text = rangeText(ends);
      if (text !== '') {
        const { title, code, value: values, unit, minimum, maximum } = shown;
        for (const property of [title, code, values, unit, minimum, maximum].flat()) used.add(property);
        const own = this.#first(node, shown.code);
        note = [
          own === undefined ? this.#ownNote(node, used) : this.#codeNote(own),
          ...this.#labelsOf(node, model),
        ]
          .filter((each) => each !== undefined)
          .join(', ');
      }
    }
    const parts = this.#properties(node, depth, used);
    return { text, note: note || undefined, parts: parts.length > 0 ? parts : undefined };
  }

  /** The note of a code that stands in the place of a coded value. */
  #ownNote(node: Term, used: Set<string>): string | undefined {
    const identifier = this.#graph.value(node, dcterms.identifier);
    if (identifier === undefined) return undefined;
    used.add(dcterms.identifier).add(sp.system);
    return [this.#graph.value(node, sp.system) ?? '', identifier].filter((part) => part !== '').join(' ');
  }

  /** The labels of further classes of a node, such as whether a telephone is at home. */
  #labelsOf(node: Term, model: ClassModel): string[] {
    return this.#graph
      .objects(node, rdf.type)
      .flatMap(({ value }) => this.#ontology.classes.get(value) ?? [])
      .filter(({ iri }) => isA(this.#ontology, iri, sp.VCardLabels) && iri !== model.iri)
      .map(({ label }) => label.toLowerCase());
  }

  #properties(subject: string | Term, depth: number, used: ReadonlySet<string>): ShownProperty[] {
    const rules = [...(this.#classOf(subject)?.rules.keys() ?? [])];
    const place = (property: string): number => {
      const at = rules.indexOf(property);
      return at < 0 ? rules.length : at;
    };
    const order = (property: string): number => this.#ontology.properties.get(property)?.order ?? Infinity;
    return [...this.#graph.properties(subject)]
      .filter(([property]) => property !== rdf.type && !used.has(property))
      .sort(([a], [b]) => compare(order(a), order(b)) || place(a) - place(b))
      .map(([property, terms]) => ({
        label: this.#label(property),
        values: terms
          .flatMap((term) => this.#members(term))
          .map((term) => this.#value(term, property, depth + 1)),
      }))
      .filter(({ values }) => values.length > 0);
  }

  /** The members of an RDF list, or the term itself. */
  #members(term: Term): readonly Term[] {
    if (term.value === rdf.nil) return [];
    const isList = term.termType !== 'Literal' && this.#graph.objects(term, rdf.first).length > 0;
    return isList ? this.#graph.list(term) : [term];
  }

  #label(property: string): string {
    return capital(this.#ontology.properties.get(property)?.label ?? localName(property));
  }

  #summary(subject: string, model: ClassModel): string[] {
    const { summary, title, date, until } = model.shown;
    const told = new Set([...title, ...date, ...until, ...summary, sp.belongsTo, rdf.type]);
    const measured = [...model.rules.values()].filter(
      (rule) =>
        !told.has(rule.property) &&
        this.#isMeasured(rule) &&
        this.#graph.objects(subject, rule.property).length > 0,
    );
    const others =
      summary.length + measured.length > 0
        ? []
        : [...this.#graph.properties(subject).keys()].filter((property) => !told.has(property)).slice(0, 3);
    return [
      ...summary.flatMap((property) => this.#summed(subject, property, false)),
      ...measured.flatMap(({ property }) => this.#summed(subject, property, true)),
      ...others.flatMap((property) => this.#summed(subject, property, true)),
    ];
  }

  /** What a property of a statement says, on one line. */
  #summed(subject: string, property: string, named: boolean): string[] {
    const texts = this.#graph
      .objects(subject, property)
      .map((term) => this.#inline(term, property))
      .filter((text) => text !== '');
    if (texts.length === 0) return [];
    const more = texts.length > MOST_NAMED ? ` and ${texts.length - MOST_NAMED} more` : '';
    const text = texts.slice(0, MOST_NAMED).join(', ') + more;
    // A number alone says nothing.
    return [named || /^[\d.,]+$/.test(text) ? `${this.#label(property)}: ${text}` : text];
  }

  #inline(term: Term, property: string): string {
    const quantities = term.termType === 'BlankNode' ? this.quantities(term) : [];
    const [first] = quantities;
    if (first && quantities.length > 1 && quantities.every(({ unit }) => unit === first.unit))
      return readableQuantity(quantities.map(({ value }) => value).join('/'), first.unit);
    if (first && (first.low !== undefined || first.high !== undefined))
      return `${readableQuantity(String(first.value), first.unit)} (normal ${rangeText({ low: first.low, high: first.high, unit: first.unit })})`;
    return flat(this.#value(term, property, 0));
  }

  #isMeasured(rule: PropertyRule): boolean {
    return isMeasured(this.#ontology, rule);
  }

  #quantities(subject: string | Term, model: ClassModel, depth: number): Quantity[] {
    const { shown } = model;
    const value = this.#first(subject, shown.value);
    if (value !== undefined) {
      const number = value.trim() === '' ? Number.NaN : Number(value);
      return Number.isFinite(number)
        ? [{ label: '', chart: '', value: number, unit: this.#first(subject, shown.unit) ?? '' }]
        : [];
    }
    if (depth > 3) return [];
    const range = this.#graph.objects(subject, shown.range[0] ?? '')[0];
    const rangeModel = range && this.#classOf(range);
    const ends = range && rangeModel && this.#endsOf(range, rangeModel);
    const found = [...model.rules.values()]
      .filter((rule) => this.#isMeasured(rule))
      .flatMap(({ property }) =>
        this.#graph.objects(subject, property).flatMap((node) => {
          const inner = this.#classOf(node);
          if (!inner) return [];
          const own = this.#label(property);
          const trend = this.#ontology.properties.get(property)?.trend;
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
    return ends === undefined
      ? found
      : found.map((quantity) => ({ low: ends.low, high: ends.high, ...quantity }));
  }

  /** The ends of a range; undefined for what is none. */
  #endsOf(node: string | Term, { shown }: ClassModel): Range | undefined {
    const end = (properties: readonly string[]): { value: number; unit: string } | undefined => {
      const [quantity] = properties.flatMap((property) => this.#graph.objects(node, property));
      const model = quantity && this.#classOf(quantity);
      const text = quantity && model ? this.#first(quantity, model.shown.value) : undefined;
      const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
      return quantity && model && Number.isFinite(value)
        ? { value, unit: this.#first(quantity, model.shown.unit) ?? '' }
        : undefined;
    };
    const [low, high] = [end(shown.minimum), end(shown.maximum)];
    return low || high
      ? { low: low?.value, high: high?.value, unit: low?.unit ?? high?.unit ?? '' }
      : undefined;
  }
}

interface Range {
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly unit: string;
}

/** A range as people read it. */
export function rangeText({ low, high, unit }: Range): string {
  const shown = readableUnit(unit);
  const ends = low === undefined ? `below ${high}` : high === undefined ? `from ${low}` : `${low} to ${high}`;
  return shown === '' ? ends : shown === '%' ? `${ends}%` : `${ends} ${shown}`;
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

/** A value on one line. */
function flat({ text, parts = [] }: ShownValue): string {
  return text !== ''
    ? text
    : parts
        .flatMap(({ values }) => values.map(flat))
        .filter((each) => each !== '')
        .join(', ');
}

/** Infinity minus itself is no number. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
