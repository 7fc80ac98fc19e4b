import type { CallModel, FilterModel, ParameterModel } from '../ontology/model.js';
import type { NaiveData } from './naive-data.js';
import { passesDate } from './naive-dates.js';
import { holdsOf, readPattern } from './naive-pattern.js';
import { namedNode } from '../rdf/terms.js';

/** Everything that narrows a list by a value. */
export type Narrowing = FilterModel | (ParameterModel & { readonly pattern: string });

/** Values of a filter that are worth asking for, and what each keeps. */
export interface Probe {
  readonly value: string;
  readonly kept: readonly string[];
}

/** How many values of each filter are asked for. */
const PROBES = 3;

/** What narrows the list of a call. */
export function narrowings({ filters, parameters }: CallModel): Narrowing[] {
  const search = parameters.filter((each): each is ParameterModel & { pattern: string } =>
    Boolean(each.pattern),
  );
  return [...filters, ...search];
}

/**
 * Values of the data that part a list in two as evenly as can be, with what a naive filter keeps of it.
 * @returns undefined for a pattern of which the naive filter has no opinion
 */
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
  // The first and last value that nothing passes tell a limit from what lies beside it; without members they tell nothing.
  return some.length === 0 ? [] : [...some, ...new Set([...none.slice(0, 1), ...none.slice(-1)])];
}

/**
 * Dates that tell what a filter compares from what it could be mistaken for: the same without one of its dates, and each
 * other date that its statements have.
 * @returns for each mistake what tells it in the first list that can, with the place of that list
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

/** What a code filter keeps of a list when its code stands for these. */
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
    // A single date is parted from nothing but by years before and after it.
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
