import type { CallModel, FilterModel, ParameterModel } from '../../model/ontology/model.js';
import { type NaiveData, passesDate } from './naive-data.js';
import { namedNode, type Term } from '../../rdf/terms.js';
import { readPaths } from '../../model/ontology/filter-patterns.js';
import { expandName } from '../../model/ontology/term-names.js';
import { rdf } from '../../rdf/vocabulary.js';

export type Narrowing = FilterModel | (ParameterModel & { readonly pattern: string });

export interface Probe {
  readonly value: string;
  readonly kept: readonly string[];
}

const PROBES = 3;

export function narrowings({ filters, parameters }: CallModel): Narrowing[] {
  const search = parameters.filter((each): each is ParameterModel & { pattern: string } =>
    Boolean(each.pattern),
  );
  return [...filters, ...search];
}

/** Chooses values that split a list evenly. @returns undefined for a pattern that the naive filter cannot read */
export function probesOf(
  narrowing: Narrowing,
  members: readonly string[],
  data: NaiveData,
): Probe[] | undefined {
  const candidates = candidatesOf(narrowing, members, data);
  if (!candidates) return undefined;
  const probes = candidates.map((value) => {
    return { value, kept: members.filter((name) => keeps(narrowing, value, name, data)) };
  });
  const uneven = ({ kept }: Probe): number => Math.abs(kept.length - members.length / 2);
  probes.sort((a, b) => uneven(a) - uneven(b) || (a.value < b.value ? -1 : 1));
  const none = probes.filter(({ kept }) => kept.length === 0);
  const some = probes.filter(({ kept }) => kept.length > 0).slice(0, PROBES);
  // The first and last value without matches reveal a shifted limit; without members they reveal nothing.
  return some.length === 0 ? [] : [...some, ...new Set([...none.slice(0, 1), ...none.slice(-1)])];
}

/**
 * Chooses dates that distinguish a filter from likely mistakes: comparing without one of its dates, or with another
 * date of the statements. @returns for each mistake a probe from the first list that reveals it, with the list's index
 */
export function tellingProbes(
  narrowing: Narrowing,
  lists: readonly (readonly string[])[],
  data: NaiveData,
): (Probe & { readonly list: number })[] {
  if ('paths' in narrowing || narrowing.operator === undefined) return [];
  const { properties, operator } = narrowing;
  const isDate = (iri: string): boolean => data.ontology.properties.get(iri)?.valueType === 'date';
  const stated = lists.flat().flatMap((name) => data.propertiesOf(name));
  const others = [...new Set(stated)].filter((iri) => isDate(iri) && !properties.includes(iri)).sort();
  const fewer = properties.map((left) => properties.filter((iri) => iri !== left));
  const mistakes = [...fewer.filter(({ length }) => length > 0), ...others.map((iri) => [iri])];
  return mistakes.flatMap((mistake) => {
    for (const [list, members] of lists.entries()) {
      const kept = (by: readonly string[], value: string): readonly string[] =>
        members.filter((name) => datesOf(by, name, data).some((date) => passesDate(operator, date, value)));
      const dates = members.flatMap((name) => datesOf([...properties, ...mistake], name, data));
      const days = [...new Set(dates.map((date) => date.slice(0, 10)))].sort();
      const value = days.find((day) => kept(properties, day).length !== kept(mistake, day).length);
      if (value !== undefined) return [{ list, value, kept: kept(properties, value) }];
    }
    return [];
  });
}

/** Returns the members that a filter keeps for any of these codes. */
export function keptByCodes(
  narrowing: Narrowing,
  codes: readonly string[],
  members: readonly string[],
  data: NaiveData,
): string[] {
  return members.filter((name) => codes.some((code) => keeps(narrowing, code, name, data)));
}

function keeps(narrowing: Narrowing, value: string, name: string, data: NaiveData): boolean {
  if ('paths' in narrowing) {
    const own = textsOf(narrowing, name, data);
    if (narrowing.operator === 'equals') return own.includes(value);
    return own.some((text) => text.toLowerCase().startsWith(value.toLowerCase()));
  }
  const { operator, properties } = narrowing;
  if (operator !== undefined) {
    return datesOf(properties, name, data).some((date) => passesDate(operator, date, value));
  }
  const pattern = readPattern(narrowing.pattern, narrowing.name, (narrowing.codeBase ?? '') + value);
  return pattern !== undefined && holdsOf(pattern, name, data);
}

function candidatesOf(
  narrowing: Narrowing,
  members: readonly string[],
  data: NaiveData,
): string[] | undefined {
  const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();
  if ('paths' in narrowing) {
    if (narrowing.operator === undefined) return undefined;
    const texts = members.flatMap((name) => textsOf(narrowing, name, data));
    if (narrowing.operator === 'equals') return distinct(texts);
    return distinct(texts.flatMap((text) => [text.slice(0, 1).toUpperCase(), text.toLowerCase()]));
  }
  if (narrowing.operator !== undefined) {
    const dates = members.flatMap((name) => datesOf(narrowing.properties, name, data));
    // A single date can only be separated by years before and after it.
    const years = dates.map((date) => Number(date.slice(0, 4)));
    const around = years.flatMap((year) =>
      [year - 1, year + 1].map((other) => String(other).padStart(4, '0')),
    );
    const parts = dates.flatMap((date) => [date.slice(0, 4), date.slice(0, 7), date.slice(0, 10)]);
    return distinct([...parts, ...around]);
  }
  const { codeBase, pattern, name } = narrowing;
  if (codeBase === undefined || !readPattern(pattern, name, codeBase)) return undefined;
  const codes = data
    .names()
    .flatMap((graph) => data.graph(graph).map(({ object }) => object.value))
    .filter((value) => value.length > codeBase.length && value.startsWith(codeBase));
  return distinct(codes).map((code) => code.slice(codeBase.length));
}

const datesOf = (properties: readonly string[], name: string, data: NaiveData): string[] =>
  properties.flatMap((property) => data.values(name, property).map(({ value }) => value));

const textsOf = ({ paths }: ParameterModel, name: string, data: NaiveData): string[] =>
  data.reached(name, namedNode(name), paths).map(({ value }) => value);

/** A triple of a pattern, with its graph. */
interface Part {
  readonly graph: string;
  readonly subject: string;
  readonly paths: readonly (readonly string[])[];
  /** A variable with its question mark, or an IRI. */
  readonly object: string;
}

type NaivePattern = readonly Part[];

/**
 * Parses a filter's pattern: triples in graphs, with sequences and alternatives of properties. @param code the IRI of
 * the value @returns undefined for any other SPARQL, which the suite does not test
 */
function readPattern(pattern: string, name: string, code: string): NaivePattern | undefined {
  const holes = new RegExp(`<[^<>\\s]*\\{${name}\\}>|\\{${name}\\}|\\$${name}\\b`, 'g');
  const text = pattern.replace(holes, `<${code}>`);
  const blocks = [...text.matchAll(/GRAPH\s+(\?\w+)\s*\{([^{}]*)\}/gi)];
  const rest = text.replace(/GRAPH\s+\?\w+\s*\{[^{}]*\}/gi, '').replace(/[\s.]/g, '');
  if (blocks.length === 0) return /[{}]/.test(text) ? undefined : partsOf('?v', text);
  if (rest !== '') return undefined;
  const parts = blocks.map(([, graph = '', inner = '']) => partsOf(graph, inner));
  return parts.every((each) => each !== undefined) ? parts.flat() : undefined;
}

function partsOf(graph: string, text: string): Part[] | undefined {
  const parts: Part[] = [];
  for (const sentence of text.split(/\s\.(?=\s|$)/).filter((each) => each.trim() !== '')) {
    const [first = '', ...more] = sentence.trim().split(/\s*;\s*/);
    const [subject = '', ...rest] = first.split(/\s+/);
    for (const said of [rest.join(' '), ...more].filter((each) => each !== '')) {
      const [, path = '', object = ''] = /^(.*\S)\s+(\S+)$/s.exec(said) ?? [];
      const paths = path === 'a' ? [[rdf.type]] : readPaths(path);
      const value = object.startsWith('?') ? object : iriOf(object);
      if (!subject.startsWith('?') || paths.length === 0 || value === undefined) return undefined;
      parts.push({ graph, subject, paths, object: value });
    }
  }
  return parts;
}

const iriOf = (text: string): string | undefined => /^<([^<>]+)>$/.exec(text)?.[1] ?? expandName(text);

type Bindings = ReadonlyMap<string, Term>;

/** Whether a pattern matches a resource. Tries everything: slow, but simple. */
function holdsOf(pattern: NaivePattern, resource: string, data: NaiveData): boolean {
  let solutions: Bindings[] = [new Map<string, Term>([['?v', namedNode(resource)]])];
  for (const part of pattern) solutions = solutions.flatMap((known) => extended(part, known, data));
  return solutions.length > 0;
}

function extended({ graph, subject, paths, object }: Part, known: Bindings, data: NaiveData): Bindings[] {
  const named = known.get(graph)?.value;
  const graphs = named === undefined ? data.names() : [named];
  return graphs.flatMap((name) => {
    const bound = known.get(subject);
    const starts = bound ? [bound] : data.subjects(name);
    return starts.flatMap((start) =>
      data.reached(name, start, paths).flatMap((end) => {
        const asked = object.startsWith('?') ? known.get(object) : namedNode(object);
        if (asked && !asked.equals(end)) return [];
        return [new Map([...known, [graph, namedNode(name)], [subject, start], [object, end]])];
      }),
    );
  });
}
