import { instants } from '../model/query/partial-date.js';
import { isObject } from '../rdf/json-object.js';
import type { Quad } from '../rdf/terms.js';
import { mapping } from '../rdf/vocabulary.js';
import type { FhirResource } from './fhir-resources.js';
import { namesOf, rowsWith } from './mapping-tables.js';
import type { ReadElement } from './read-element.js';
import { isChoice } from './element-texts.js';

/** A row: an element and its entries. */
interface Row {
  readonly path: string;
  readonly label: string;
  readonly values: ReadonlySet<string>;
  /** The only values that count, if any. */
  readonly only: ReadonlySet<string>;
  /** Of a modifier, whether what it stands in is taken all the same. */
  readonly stays: boolean;
}

const DATES = ['date', 'dateTime', 'instant'];

type Table = Pick<FhirResource, 'type' | 'value'>;

/**
 * What the tables of a mapping say of loss: elements that change the meaning of others and do so even where no query
 * reads them, elements and resources that are left out on purpose, and what is missing in a resource, in plain words.
 * A path is that of an element, `*.status` in any resource, `**.use` anywhere, `Observation.value[x]` of any datatype.
 */
export class LossTable {
  readonly #meanings: ReadonlyMap<string, Row>;
  readonly #leftOut: ReadonlySet<string>;
  readonly #purposes: readonly Row[];
  readonly #words: ReadonlyMap<string, string>;
  readonly #codes: ReadonlyMap<string, ReadonlySet<string>>;
  /** The row for each path so far: most come many thousand times. */
  readonly #known = new Map<string, Row | undefined>();

  /** @param elements what queries read, by type */
  constructor(
    tables: readonly Quad[],
    private readonly elements: ReadonlyMap<string, ReadElement>,
  ) {
    const rows = (property: string, values?: string): Row[] => tableRows(tables, property, values);
    this.#meanings = new Map(rows(mapping.meaning, mapping.unless).map((row) => [row.path, row]));
    this.#leftOut = new Set(rows(mapping.path).map(({ path }) => path));
    this.#purposes = rows(mapping.purpose, mapping.value);
    this.#codes = new Map(rows(mapping.only, mapping.value).map(({ path, values }) => [path, values]));
    this.#words = new Map(rows(mapping.asked).map(({ path, label }) => [path, label]));
  }

  /** Whether an unread element changes the meaning of read elements of the resource. */
  changesMeaning(path: string, resource: Table): boolean {
    const row = this.#rowOf(path);
    if (!row || row.values.size + row.only.size === 0) return row !== undefined;
    const [type = '', ...names] = path.split('.');
    const { contained } = resource.value;
    const holders = type === resource.type ? [resource.value] : Array.isArray(contained) ? contained : [];
    const said = holders.flatMap((each) => codesAt(each, names, this.elements.get(type)));
    return said.some((code) => (row.only.size > 0 ? row.only.has(code) : !row.values.has(code)));
  }

  /** Returns what is lost with such an element. */
  harmOf(path: string): string {
    return this.#rowOf(path)?.label ?? 'it can turn what it stands in into something else';
  }

  /**
   * What a modifier does that no query reads: with a value that changes nothing, nothing. Else what it stands in is left
   * out, unless the table says that it stays.
   */
  effectOf(path: string, value: unknown): 'none' | 'told' | 'left out' {
    const row = this.#rowOf(path);
    if (row && row.values.size > 0 && codesAt(value, []).every((code) => row.values.has(code))) return 'none';
    return row?.stays ? 'told' : 'left out';
  }

  /** Whether a table has a row for an element. */
  knows(path: string): boolean {
    return this.#rowOf(path) !== undefined;
  }

  /** Whether an element is left out on purpose. */
  isLeftOut(path: string): boolean {
    return namesOf(path).some((name) => this.#leftOut.has(name));
  }

  /** Why a resource gives no statement where that is as it should be: it was entered in error, say. */
  purposeOf(resource: Table): string | undefined {
    return this.#purposesOf(resource)[0]?.label;
  }

  /** Whether nothing of a resource is kept, as it should be, not even its words. */
  isVoid(resource: Table): boolean {
    return this.#purposesOf(resource).some(({ stays }) => !stays);
  }

  #purposesOf({ type, value }: Table): Row[] {
    return this.#purposes.filter(({ path, values }) => {
      const [of = '', ...names] = path.split('.');
      return (of === '*' || of === type) && codesAt(value, names).some((code) => values.has(code));
    });
  }

  /** Whether a primitive value is valid for its type: a date in the calendar, a code in the table. */
  allows(path: string, type: string | undefined, text: string): boolean {
    return DATES.includes(type ?? '')
      ? instants(text) !== undefined
      : this.#codes.get(path)?.has(text) !== false;
  }

  /** Returns plain words for something that a class requires and a statement lacks, if there are any. */
  wordsFor(missing: string): string | undefined {
    return this.#words.get(missing);
  }

  #rowOf(path: string): Row | undefined {
    if (!this.#known.has(path)) {
      const name = namesOf(path).find((each) => this.#meanings.has(each));
      this.#known.set(path, name === undefined ? undefined : this.#meanings.get(name));
    }
    return this.#known.get(path);
  }
}

function tableRows(tables: readonly Quad[], property: string, values?: string): Row[] {
  return rowsWith(tables, property).map((row) => ({
    path: row.one(property) ?? '',
    label: row.one(mapping.label) ?? '',
    values: new Set(values === undefined ? [] : row.all(values)),
    only: new Set(values === mapping.unless ? row.all(mapping.value) : []),
    stays: row.one(mapping.stays) !== undefined,
  }));
}

/** The codes, else the text as a code, or the primitive values of an element; where only the first is read, its own. */
export function codesAt(value: unknown, names: readonly string[], element?: ReadElement): string[] {
  const [name, ...rest] = names;
  if (value === undefined || value === null) return [];
  if (name === undefined) {
    if (!isObject(value)) return [String(value as string)];
    if (Array.isArray(value.coding)) return value.coding.flatMap((each) => codesAt(each, ['code']));
    if (typeof value.code === 'string') return [value.code];
    return [typeof value.text === 'string' ? value.text.toLowerCase().replaceAll(' ', '-') : ''];
  }
  if (!isObject(value)) return [];
  const child = element?.children.get(name);
  const choice = /^(.*)\[x\]$/u.exec(name)?.[1];
  const key = choice === undefined ? name : Object.keys(value).find((each) => isChoice(each, choice));
  const found: unknown = value[key ?? name];
  const all: unknown[] = Array.isArray(found) ? found : [found];
  const read = child?.first && !child.all ? all.slice(0, 1) : all;
  return read.flatMap((each) => codesAt(each, rest, child));
}
