import type { Graph } from '../../model/ontology/graph.js';
import type { ClassModel, Ontology } from '../../model/ontology/model.js';
import { madeOnce } from '../../rdf/made-once.js';
import type { Term } from '../../rdf/terms.js';
import { cg, rdf, sp } from '../../rdf/vocabulary.js';
import { placesOfCodes, substanceOf } from './code-words.js';
import { worstFlag } from './flag.js';
import { folded } from './folded.js';
import { isMeasured, QuantityReader, type Quantity } from './quantities.js';
import { capital, longAgo, readableDay, uncapital } from '../../http/html/readable.js';
import { ShownGraph } from './shown-graph.js';
import type { Doubt, ShownProperty, ShownStatement, StatementHead } from './shown-statement.js';
import { isOver, saysOver, toldOver } from './timeline.js';
import { compare, ValueReader } from './value-reader.js';

interface FoldedEvent {
  readonly label: string;
  readonly last: string | undefined;
}

const MAX_NAMED = 5;
/** What a medicine says that was loaded without instructions, since the model asks for some. */
const NO_INSTRUCTIONS = 'No instructions are recorded.';

/** Reads statements from a call's graph, guided by the ontology's description of their classes. */
export class StatementReader {
  readonly #shown: ShownGraph;
  readonly #quantities: QuantityReader;
  readonly #today: string;
  readonly #values: ValueReader;

  /** @param record its IRI @param now milliseconds since 1970 */
  constructor(
    private readonly ontology: Ontology,
    private readonly graph: Graph,
    record: string,
    now: number,
  ) {
    this.#shown = new ShownGraph(ontology, graph);
    this.#quantities = new QuantityReader(this.#shown);
    this.#values = new ValueReader(ontology, graph, record, this.#shown, this.#quantities);
    // Pages show days, and are cached for a day.
    this.#today = new Date(now).toISOString().slice(0, 10);
  }

  statement(iri: string): ShownStatement | undefined {
    const head = this.head(iri);
    if (!head) return undefined;
    const { model, kind, title, code, substance, date, place } = head;
    const until = this.#shown.first(iri, model.shown.until);
    const status = model.shown.status.flatMap((property) => this.graph.objects(iri, property))[0];
    const codes = this.#codes(iri, model.shown.summary);
    const known = codes.flatMap(({ code, term, property }) => {
      const found = this.ontology.codes.get(code);
      return found ? [{ found, term, property }] : [];
    });
    const noticed = known
      .filter(({ found }) => found.isOutside)
      .map(({ found, term, property }) => ({ found, text: this.#values.inline(term, property) }));
    const quantities = this.quantities(iri);
    const ended = isOver(until, this.#today);
    const isEnded = saysOver(this.ontology, status && this.#codeOf(status));
    const over =
      model.shown.group === 'current' &&
      (ended || isEnded || toldOver(this.ontology, this.graph.value(iri, cg.recordedStatus) ?? ''));
    const flag = worstFlag(
      quantities,
      // In the words of the statement: a code may be said to be a risk.
      noticed.map(({ found, text }) => ({ ...found, title: text })),
    );
    // Beside a mark it is said that the source calls a result normal.
    const plain = known
      .filter(({ found }) => found.isPlain && !(flag && judging(this.ontology).has(found.system)))
      .map(({ found }) => found.heading ?? found.title);
    const [statusProperty = ''] = model.shown.status;
    const ending =
      over && status && isEnded && (until === undefined || ended)
        ? this.#values.inline(status, statusProperty)
        : undefined;
    const untold = [
      ...noticed.map(({ text }) => text),
      ...plain,
      ...(over ? [NO_INSTRUCTIONS] : []),
      // What was not done says so in its name: Not given: Flu shot.
      ...(/^not /iu.test(head.title) ? ['Not done'] : []),
      ...(ending === undefined ? [] : [ending]),
    ];
    const events = this.#lastOfFolded(iri, model);
    const doubt = over || until !== undefined ? undefined : this.#doubt(head, events);
    // Not spread, which takes longer than all else here.
    return {
      iri,
      model,
      kind,
      title,
      code,
      substance,
      date,
      place,
      until,
      isOver: over,
      ending: ending && uncapital(ending),
      doubt,
      summary: () => this.#summaryOf(head, untold, events),
      isSocial:
        model.shown.group === 'current' && this.ontology.codes.get(head.code ?? '')?.isSocial === true,
      quantities,
      flag,
      rank: Math.min(...known.map(({ found }) => found.order)),
      codes:
        model.shown.as === 'alert' ? this.#codes(iri, [...model.rules.keys()]).map(({ code }) => code) : [],
    };
  }

  #summaryOf(
    { iri, model, title, code = '' }: StatementHead,
    untold: readonly string[],
    events: readonly FoldedEvent[],
  ) {
    this.#values.begin();
    // A substance that has no name is told apart by its kind.
    const isUnnamed = model.shown.as === 'alert' && this.ontology.codes.get(code)?.heading === title;
    return [
      ...(isUnnamed ? this.#summed(iri, sp.category, false) : []),
      ...this.#summary(iri, model).filter((line) => !untold.includes(line)),
      ...events.flatMap(({ label, last }) => {
        if (last === undefined) return [];
        const ago = longAgo(last, this.#today);
        return [`Last ${label} ${readableDay(last)}${ago && ` (${ago})`}`];
      }),
    ];
  }

  head(iri: string): StatementHead | undefined {
    const model = this.#shown.classOf(iri);
    if (!model) return undefined;
    this.#values.begin();
    const { shown } = model;
    const title = this.#values.titleOf(iri, model);
    const [titleNode] = shown.title.flatMap((property) => this.graph.objects(iri, property));
    const code = titleNode && this.#codeOf(titleNode);
    return {
      iri,
      model,
      kind: model.heading ?? model.label,
      title: title === '' ? capital(model.heading ?? model.label) : title,
      code,
      substance: code === undefined ? undefined : substanceOf(this.ontology, code, title),
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
    return this.#values.properties(subject);
  }

  quantities(subject: string | Term): Quantity[] {
    return this.#quantities.quantities(subject);
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
    const started = date === undefined ? '' : 'started over a year ago, ';
    return {
      reason: events.some(({ last }) => last !== undefined)
        ? `No end recorded; last ${event.label} over a year ago`
        : `No end recorded; ${started}never recorded as ${event.label}`,
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
      .map((term) => this.#values.inline(term, property))
      .filter((text) => text !== '');
    if (texts.length === 0) return [];
    const [shown, rest] = folded(texts, MAX_NAMED);
    const text = shown.join(', ') + (rest.length > 0 ? ` and ${rest.length} more` : '');
    // Of what is kept in words, a number is the result itself.
    const isBare = /^[\d.,]+$/.test(text) && this.#shown.classOf(subject)?.insteadOf === undefined;
    return [named || isBare ? `${this.#shown.label(property)}: ${text}` : text];
  }

  /** Sorts linked statements by the places of their codes, then by name. */
  #inPlace(terms: readonly Term[]): readonly Term[] {
    const heads = new Map(terms.filter(this.#values.isLink).map((term) => [term, this.head(term.value)]));
    const place = (term: Term): number => heads.get(term)?.place ?? Infinity;
    const name = (term: Term): string => heads.get(term)?.title ?? '';
    return terms.toSorted((a, b) => compare(place(a), place(b)) || name(a).localeCompare(name(b)));
  }
}

/** Returns the systems of codes that say whether something must be noticed. */
const judging = madeOnce(
  ({ codes }: Ontology) =>
    new Set([...codes.values()].filter(({ isOutside }) => isOutside).map(({ system }) => system)),
);

/** Returns the properties that link to what the history folds, with its classes. */
const foldedLinks = madeOnce(({ rules }: ClassModel, { classes }: Ontology) =>
  Array.from(rules.values(), (rule) => ({
    property: rule.property,
    folded: rule.classes
      .flatMap((each) => classes.get(each) ?? [])
      .filter(({ shown }) => shown.as === 'folded'),
  })).filter(({ folded }) => folded.length > 0),
);
