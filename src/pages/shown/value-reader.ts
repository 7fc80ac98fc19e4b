import type { Graph } from '../../model/ontology/graph.js';
import { isA, type ClassModel, type Ontology } from '../../model/ontology/model.js';
import { localName } from '../../model/ontology/term-names.js';
import type { Term } from '../../rdf/terms.js';
import { cg, dcterms, rdf, sp } from '../../rdf/vocabulary.js';
import { capital, readableDate, readableDay, readableQuantity } from '../../http/html/readable.js';
import { codeWords, notedStatuses, wordsOfCodes, wordsOfStatuses } from './code-words.js';
import { atMostDecimals, type QuantityReader } from './quantities.js';
import type { ShownGraph } from './shown-graph.js';
import { onOneLine, type ShownProperty, type ShownValue } from './shown-statement.js';
import { systemName } from './system-name.js';

/** Whose texts may be titles of codes. */
const ofCodes = new Set<string>([sp.instructions, sp.value, cg.visitType, cg.visitReason]);

const languages = new Intl.DisplayNames('en', {
  type: 'language',
  languageDisplay: 'standard',
  fallback: 'none',
});

/** Names the language of a tag, en-US as English (United States); what is no tag, or of no known language, as it is. */
function languageName(tag: string): string {
  try {
    return languages.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

const DEEPEST = 6;
/** Values read per statement, since nodes may form cycles. */
const MAX_VALUES = 10_000;

/** Says in words what the nodes of a statement are, guided by the ontology's description of their classes. */
export class ValueReader {
  readonly #shown: ShownGraph;
  readonly #quantities: QuantityReader;
  #left = MAX_VALUES;

  /** @param record its IRI */
  constructor(
    private readonly ontology: Ontology,
    private readonly graph: Graph,
    private readonly record: string,
    shown: ShownGraph,
    quantities: QuantityReader,
  ) {
    this.#shown = shown;
    this.#quantities = quantities;
  }

  /** Begins with another statement: as many values as are allowed may be read of it. */
  begin(): void {
    this.#left = MAX_VALUES;
  }

  /** Returns the title of a node in the words of its class; '' for none. */
  titleOf(subject: string | Term, { shown }: ClassModel, depth = 0): string {
    const title = shown.title
      .flatMap((property) =>
        this.graph.objects(subject, property).map((term) => this.#value(term, property, depth + 1).text),
      )
      .filter((text) => text !== '')
      .join(shown.as === 'visit' ? ': ' : ' ');
    const code = this.#shown.first(subject, shown.code);
    return code === undefined ? title : codeWords(this.ontology, code, title);
  }

  /** Whether a term is another statement of the record. */
  readonly isLink = ({ termType, value }: Term): boolean =>
    termType === 'NamedNode' && value.startsWith(`${this.record}/`);

  /** Says a value in one line. @param property that has it */
  inline(term: Term, property: string): string {
    if (property === cg.recordedStatus) return notedStatuses(term.value);
    const quantities = term.termType === 'BlankNode' ? this.#quantities.quantities(term, property) : [];
    const [first] = quantities;
    if (first && quantities.length > 1 && quantities.every(({ unit }) => unit === first.unit))
      return readableQuantity(quantities.map(({ text }) => text).join('/'), first.unit);
    if (first?.normal) return `${readableQuantity(first.text, first.unit)} (normal ${first.normal.text})`;
    const said = onOneLine(this.#value(term, property, 0));
    if (first?.exact === undefined || quantities.length > 1) return said;
    return said.replace(readableQuantity(first.exact, first.unit), readableQuantity(first.text, first.unit));
  }

  /** Returns all that a node says. */
  properties(subject: string | Term): ShownProperty[] {
    this.begin();
    return this.#properties(subject, 0, new Set([sp.belongsTo]));
  }

  /** Names a code by its system and identifier, with its whole title where less is shown. */
  #codeNote(code: string, title = '', shown = title): string | undefined {
    const known = this.ontology.codes.get(code);
    const identifier = this.graph.value(code, dcterms.identifier) ?? known?.identifier;
    if (identifier === undefined) return undefined;
    const system = this.graph.value(code, sp.system) ?? known?.system ?? '';
    const note = [systemName(this.ontology, system), identifier].filter((part) => part !== '').join(' ');
    return title === shown ? note : `${note}: ${title}`;
  }

  #value(term: Term, property: string, depth: number): ShownValue {
    if (term.termType === 'Literal') {
      const { valueType, shownAs } = this.ontology.properties.get(property) ?? {};
      if (shownAs === 'language') return { text: languageName(term.value) };
      if (valueType === 'date') return { text: readableDate(term.value) };
      if (property === cg.recordedStatus) return { text: wordsOfStatuses(term.value) };
      const named = ofCodes.has(property) ? wordsOfCodes(this.ontology, term.value) : term.value;
      return { text: named };
    }
    const model = this.#shown.classOf(term);
    if (term.termType === 'NamedNode') {
      if (this.isLink(term)) return this.#link(term.value, model);
      const title = model && depth < DEEPEST ? this.titleOf(term, model, depth) : '';
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
      ? this.titleOf(iri, model, DEEPEST - 2) || capital(model.heading ?? model.label)
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
      if (shown.title.length > 0) text = this.titleOf(node, model, depth);
      else if (value !== undefined) text = readableQuantity(value, this.#shown.first(node, shown.unit) ?? '');
      else if (range) text = range.text;
      if (text !== '') {
        const { title, code: codes, value: values, unit, minimum, maximum } = shown;
        for (const each of [title, codes, values, unit, minimum, maximum].flat()) used.add(each);
        const own = this.#shown.first(node, shown.code);
        if (own !== undefined) code = this.#codeNote(own, this.#shown.first(node, title), text);
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
}

export const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
