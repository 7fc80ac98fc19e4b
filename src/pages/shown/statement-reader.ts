import type { Graph } from '../../model/ontology/graph.js';
import { isA, type ClassModel, type Ontology } from '../../model/ontology/model.js';
import { madeOnce } from '../../rdf/made-once.js';
import { localName } from '../../model/ontology/term-names.js';
import type { Term } from '../../rdf/terms.js';
import { cg, dcterms, rdf, sp } from '../../rdf/vocabulary.js';
import { codeWords, placesOfCodes, wordsOfCodes } from './code-words.js';
import { worstFlag } from './flag.js';
import { folded } from './folded.js';
import { atMostDecimals, isMeasured, QuantityReader, type Quantity } from './quantities.js';
import {
  capital,
  longAgo,
  readableDate,
  readableDay,
  readableQuantity,
  uncapital,
} from '../../http/html/readable.js';
import { ShownGraph } from './shown-graph.js';
import {
  onOneLine,
  type Doubt,
  type ShownProperty,
  type ShownStatement,
  type ShownValue,
  type StatementHead,
} from './shown-statement.js';
import { systemName } from './system-name.js';
import { isOver, saysOver, toldOver } from './timeline.js';

/** Whose texts may be titles of codes. */
const ofCodes = new Set<string>([sp.instructions, sp.value, cg.visitType, cg.visitReason]);

interface FoldedEvent {
  readonly label: string;
  readonly last: string | undefined;
}

const DEEPEST = 6;
/** Values read per statement, since nodes may form cycles. */
const MAX_VALUES = 10_000;
const MAX_NAMED = 5;

/** Reads statements from a call's graph, guided by the ontology's description of their classes. */
export class StatementReader {
  readonly #shown: ShownGraph;
  readonly #quantities: QuantityReader;
  readonly #today: string;
  #left = MAX_VALUES;

  /** @param record its IRI @param now milliseconds since 1970 */
  constructor(
    private readonly ontology: Ontology,
    private readonly graph: Graph,
    private readonly record: string,
    now: number,
  ) {
    this.#shown = new ShownGraph(ontology, graph);
    this.#quantities = new QuantityReader(this.#shown);
    // Pages show days, and are cached for a day.
    this.#today = new Date(now).toISOString().slice(0, 10);
  }

  statement(iri: string): ShownStatement | undefined {
    const head = this.head(iri);
    if (!head) return undefined;
    const { model } = head;
    const summaryOf = this.#summaryOf;
    const until = this.#shown.first(iri, model.shown.until);
    const status = model.shown.status.flatMap((property) => this.graph.objects(iri, property))[0];
    const codes = this.#codes(iri, model.shown.summary);
    const known = codes.flatMap(({ code, term, property }) => {
      const found = this.ontology.codes.get(code);
      return found ? [{ found, term, property }] : [];
    });
    const noticed = known
      .filter(({ found }) => found.isOutside)
      .map(({ found, term, property }) => ({ found, text: this.#inline(term, property) }));
    const quantities = this.quantities(iri);
    const over =
      model.shown.group === 'current' &&
      (isOver(until, this.#today) ||
        saysOver(this.ontology, status && this.#codeOf(status)) ||
        toldOver(this.ontology, this.graph.value(iri, cg.recordedStatus) ?? ''));
    const flag = worstFlag(
      quantities,
      // In the words of the statement: a code may be said to be a risk.
      noticed.map(({ found, text }) => ({ ...found, title: text })),
    );
    // Beside a mark it is said that the source calls a result normal.
    const plain = flag ? [] : known.filter(({ found }) => found.isPlain).map(({ found }) => found.title);
    const untold = [...noticed.map(({ text }) => text), ...plain];
    const events = this.#lastOfFolded(iri, model);
    const doubt = over || until !== undefined ? undefined : this.#doubt(head, events);
    return {
      ...head,
      until,
      isOver: over,
      doubt,
      // Of many statements a page shows only some.
      get summary() {
        return summaryOf(head, untold, events);
      },
      isSocial:
        model.shown.group === 'current' && this.ontology.codes.get(head.code ?? '')?.isSocial === true,
      quantities,
      flag,
      rank: Math.min(...known.map(({ found }) => found.order)),
      codes:
        model.shown.as === 'alert' ? this.#codes(iri, [...model.rules.keys()]).map(({ code }) => code) : [],
    };
  }

  readonly #summaryOf = madeOnce(
    ({ iri, model }: StatementHead, untold: readonly string[], events: readonly FoldedEvent[]) => {
      this.#left = MAX_VALUES;
      return [
        ...this.#summary(iri, model).filter((line) => !untold.includes(line)),
        ...events.flatMap(({ label, last }) => {
          if (last === undefined) return [];
          const ago = longAgo(last, this.#today);
          return [`Last ${label} ${readableDay(last)}${ago && ` (${ago})`}`];
        }),
      ];
    },
  );

  head(iri: string): StatementHead | undefined {
    const model = this.#shown.classOf(iri);
    if (!model) return undefined;
    this.#left = MAX_VALUES;
    const { shown } = model;
    const title = this.#titleOf(iri, model);
    const [titleNode] = shown.title.flatMap((property) => this.graph.objects(iri, property));
    const code = titleNode && this.#codeOf(titleNode);
    return {
      iri,
      model,
      kind: model.heading ?? model.label,
      title: title === '' ? capital(model.heading ?? model.label) : title,
      code,
      date: this.#shown.first(iri, shown.date) ?? this.#dayOfParts(iri, model),
      place: placesOfCodes(this.ontology).get(code ?? '') ?? Infinity,
    };
  }

  /** The one day of all that the summary links to, of what has no date of its own, such as a panel. */
  #dayOfParts(iri: string, { shown }: ClassModel): string | undefined {
    if (shown.group !== 'history' || shown.date.length > 0) return undefined;
    const parts = shown.summary.flatMap((property) => this.graph.objects(iri, property));
    const days = new Set(
      parts.map((part) => this.#shown.first(part, this.#shown.classOf(part)?.shown.date ?? [])?.slice(0, 10)),
    );
    return days.size === 1 ? [...days][0] : undefined;
  }

  statements(iris: readonly string[]): ShownStatement[] {
    return iris.flatMap((iri) => this.statement(iri) ?? []);
  }

  properties(subject: string | Term): ShownProperty[] {
    this.#left = MAX_VALUES;
    return this.#properties(subject, 0, new Set([sp.belongsTo]));
  }

  quantities(subject: string | Term): Quantity[] {
    return this.#quantities.quantities(subject);
  }

  #titleOf(subject: string | Term, { shown }: ClassModel, depth = 0): string {
    const title = shown.title
      .flatMap((property) =>
        this.graph.objects(subject, property).map((term) => this.#value(term, property, depth + 1).text),
      )
      .filter((text) => text !== '')
      .join(shown.as === 'visit' ? ': ' : ' ');
    const code = this.#shown.first(subject, shown.code);
    return code === undefined ? title : codeWords(this.ontology, code, title);
  }

  /** Finds when what the history folds last was, for each link to it, such as to dispensings. */
  #lastOfFolded(iri: string, model: ClassModel) {
    return foldedLinks(model, this.ontology).map(({ property, folded }) => {
      const dates = folded.flatMap(({ shown }) =>
        this.graph.objects(iri, property).flatMap((link) => this.#shown.first(link, shown.date) ?? []),
      );
      return { label: uncapital(this.#shown.label(property)), last: dates.toSorted().at(-1) };
    });
  }

  /** Says why something without an end may be over: it began more than a year ago, and nothing confirms it since. */
  #doubt({ model, date }: StatementHead, events: readonly FoldedEvent[]): Doubt | undefined {
    const { group, until } = model.shown;
    const [event] = events;
    const isRecent = [date, ...events.map(({ last }) => last)].some(
      (each) => each !== undefined && longAgo(each, this.#today) === '',
    );
    if (!event || isRecent || group !== 'current' || until.length === 0) return undefined;
    const isUnconfirmed = date !== undefined && events.every(({ last }) => last === undefined);
    return {
      reason: isUnconfirmed
        ? 'Started more than a year ago, no end and no dispensing recorded'
        : `Not recorded as ${event.label} in the past year, end not recorded`,
      age: date === undefined ? '' : longAgo(date, this.#today),
    };
  }

  #codes(subject: string, properties: readonly string[]) {
    return properties.flatMap((property) =>
      this.graph.objects(subject, property).flatMap((term) => {
        const code = this.#codeOf(term);
        return code === undefined ? [] : [{ code, term, property }];
      }),
    );
  }

  #codeOf(node: Term): string | undefined {
    const model = this.#shown.classOf(node);
    return model && this.#shown.first(node, model.shown.code);
  }

  #codeNote(code: string): string | undefined {
    const known = this.ontology.codes.get(code);
    const identifier = this.graph.value(code, dcterms.identifier) ?? known?.identifier;
    if (identifier === undefined) return undefined;
    const system = this.graph.value(code, sp.system) ?? known?.system ?? '';
    return [systemName(this.ontology, system), identifier].filter((part) => part !== '').join(' ');
  }

  #value(term: Term, property: string, depth: number): ShownValue {
    if (term.termType === 'Literal') {
      const isDate = this.ontology.properties.get(property)?.valueType === 'date';
      if (isDate) return { text: readableDate(term.value) };
      const named = ofCodes.has(property) ? wordsOfCodes(this.ontology, term.value) : term.value;
      return { text: named };
    }
    const model = this.#shown.classOf(term);
    if (term.termType === 'NamedNode') {
      if (this.#isLink(term)) return this.#link(term.value, model);
      const title = model && depth < DEEPEST ? this.#titleOf(term, model, depth) : '';
      const text = title || (this.ontology.codes.get(term.value)?.title ?? '');
      return {
        text: codeWords(this.ontology, term.value, text) || localName(term.value),
        code: this.#codeNote(term.value),
      };
    }
    return depth < DEEPEST ? this.#component(term, model, depth, property) : { text: '' };
  }

  #link(iri: string, model: ClassModel | undefined): ShownValue {
    const date = model && this.#shown.first(iri, model.shown.date);
    const title = model
      ? this.#titleOf(iri, model, DEEPEST - 2) || capital(model.heading ?? model.label)
      : localName(iri);
    return { text: title, link: iri, note: date === undefined ? undefined : readableDay(date) };
  }

  #component(node: Term, model: ClassModel | undefined, depth: number, property: string): ShownValue {
    const shown = model?.shown;
    const used = new Set<string>([sp.belongsTo]);
    let text = '';
    let [note, code]: [note?: string, code?: string] = [];
    if (model && shown) {
      const written = this.#shown.first(node, shown.value);
      const { decimals } = this.ontology.properties.get(property) ?? {};
      const value = written && atMostDecimals(written, decimals);
      const range = this.#quantities.rangeOf(node, model);
      if (shown.title.length > 0) text = this.#titleOf(node, model, depth);
      else if (value !== undefined) text = readableQuantity(value, this.#shown.first(node, shown.unit) ?? '');
      else if (range) text = range.text;
      if (text !== '') {
        const { title, code: codes, value: values, unit, minimum, maximum } = shown;
        for (const each of [title, codes, values, unit, minimum, maximum].flat()) used.add(each);
        const own = this.#shown.first(node, shown.code);
        code = own === undefined ? undefined : this.#codeNote(own);
        const exact = value !== written && value !== undefined ? `recorded as ${written}` : undefined;
        note = [
          exact,
          own === undefined ? this.#ownNote(node, used) : undefined,
          ...this.#labelsOf(node, model),
        ]
          .filter((each) => each !== undefined)
          .join(', ');
      }
    }
    const parts = this.#properties(node, depth, used);
    return { text, note: note || undefined, code, parts: parts.length > 0 ? parts : undefined };
  }

  #ownNote(node: Term, used: Set<string>): string | undefined {
    const identifier = this.graph.value(node, dcterms.identifier);
    if (identifier === undefined) return undefined;
    used.add(dcterms.identifier).add(sp.system);
    return [this.graph.value(node, sp.system) ?? '', identifier].filter((part) => part !== '').join(' ');
  }

  /** Returns labels of additional classes, such as "home" for a telephone. */
  #labelsOf(node: Term, model: ClassModel): string[] {
    return this.graph
      .objects(node, rdf.type)
      .flatMap(({ value }) => this.ontology.classes.get(value) ?? [])
      .filter(({ iri }) => isA(this.ontology, iri, sp.VCardLabels) && iri !== model.iri)
      .map(({ heading, label }) => (heading ?? label).toLowerCase());
  }

  #properties(subject: string | Term, depth: number, used: ReadonlySet<string>): ShownProperty[] {
    const rules = [...(this.#shown.classOf(subject)?.rules.keys() ?? [])];
    const place = (property: string): number => {
      const at = rules.indexOf(property);
      return at < 0 ? rules.length : at;
    };
    const order = (property: string): number => this.ontology.properties.get(property)?.order ?? Infinity;
    return [...this.graph.properties(subject)]
      .filter(([property]) => property !== rdf.type && !used.has(property))
      .sort(([a], [b]) => compare(order(a), order(b)) || place(a) - place(b))
      .map(([property, terms]) => ({
        label: this.#shown.label(property),
        isSource: this.ontology.properties.get(property)?.shownAs === 'source',
        values: terms
          .flatMap((term) => this.#members(term))
          .filter(() => this.#left-- > 0)
          .map((term) => this.#value(term, property, depth + 1)),
      }))
      .filter(({ values }) => values.length > 0);
  }

  #members(term: Term): readonly Term[] {
    if (term.value === rdf.nil) return [];
    const isList = term.termType !== 'Literal' && this.graph.objects(term, rdf.first).length > 0;
    return isList ? this.graph.list(term) : [term];
  }

  #summary(subject: string, model: ClassModel): string[] {
    const { summary, title, date, until } = model.shown;
    const told = new Set([...title, ...date, ...until, ...summary, sp.belongsTo, rdf.type]);
    const measured = [...model.rules.values()].filter(
      (rule) =>
        !told.has(rule.property) &&
        isMeasured(this.ontology, rule) &&
        this.graph.objects(subject, rule.property).length > 0,
    );
    const others =
      summary.length + measured.length > 0
        ? []
        : [...this.graph.properties(subject).keys()].filter((property) => !told.has(property)).slice(0, 3);
    return [
      ...summary.flatMap((property) => this.#summed(subject, property, false)),
      ...measured.flatMap(({ property }) => this.#summed(subject, property, true)),
      ...others.flatMap((property) => this.#summed(subject, property, true)),
    ];
  }

  #summed(subject: string, property: string, named: boolean): string[] {
    const texts = this.#inPlace(this.graph.objects(subject, property))
      .map((term) => this.#inline(term, property))
      .filter((text) => text !== '');
    if (texts.length === 0) return [];
    const [shown, rest] = folded(texts, MAX_NAMED);
    const text = shown.join(', ') + (rest.length > 0 ? ` and ${rest.length} more` : '');
    return [named || /^[\d.,]+$/.test(text) ? `${this.#shown.label(property)}: ${text}` : text];
  }

  /** Sorts linked statements by the places of their codes, then by name. */
  #inPlace(terms: readonly Term[]): readonly Term[] {
    const heads = new Map(terms.filter(this.#isLink).map((term) => [term, this.head(term.value)]));
    const place = (term: Term): number => heads.get(term)?.place ?? Infinity;
    const name = (term: Term): string => heads.get(term)?.title ?? '';
    return terms.toSorted((a, b) => compare(place(a), place(b)) || name(a).localeCompare(name(b)));
  }

  readonly #isLink = ({ termType, value }: Term): boolean =>
    termType === 'NamedNode' && value.startsWith(`${this.record}/`);

  #inline(term: Term, property: string): string {
    const quantities = term.termType === 'BlankNode' ? this.quantities(term) : [];
    const [first] = quantities;
    if (first && quantities.length > 1 && quantities.every(({ unit }) => unit === first.unit))
      return readableQuantity(quantities.map(({ text }) => text).join('/'), first.unit);
    if (first?.normal) return `${readableQuantity(first.text, first.unit)} (normal ${first.normal.text})`;
    return onOneLine(this.#value(term, property, 0));
  }
}

/** Returns the properties that link to what the history folds, with its classes. */
const foldedLinks = madeOnce(({ rules }: ClassModel, { classes }: Ontology) =>
  Array.from(rules.values(), (rule) => ({
    property: rule.property,
    folded: rule.classes
      .flatMap((each) => classes.get(each) ?? [])
      .filter(({ shown }) => shown.as === 'folded'),
  })).filter(({ folded }) => folded.length > 0),
);

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
