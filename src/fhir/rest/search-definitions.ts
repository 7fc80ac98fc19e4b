import type { JsonObject } from '../../rdf/json-object.js';
import { structureOf } from '../endpoint/rules/structures.js';

/** A search parameter of a type of resource, and where in the resource its values are. */
export interface SearchDefinition {
  readonly name: string;
  readonly type: 'token' | 'date' | 'string' | 'reference';
  readonly paths: readonly string[];
}

/** The parameters of R4 by kind, and the elements that each may mean. Of a type with a colon it is only there. */
const named: Readonly<
  Record<Exclude<SearchDefinition['type'], 'reference'>, Readonly<Record<string, string>>>
> = {
  token: {
    code: 'code medicationCodeableConcept',
    'component-code': 'Observation:component.code',
    'combo-code': 'Observation:code Observation:component.code',
    'vaccine-code': 'vaccineCode',
    category: 'category',
    status: 'status',
    'clinical-status': 'clinicalStatus',
    'verification-status': 'verificationStatus',
    identifier: 'identifier',
    gender: 'gender',
    class: 'Encounter:class',
    type: 'Encounter:type DocumentReference:type AllergyIntolerance:type',
    intent: 'MedicationRequest:intent',
  },
  date: {
    date: 'effectiveDateTime effectivePeriod effectiveInstant performedDateTime performedPeriod occurrenceDateTime DocumentReference:date DocumentReference:content.attachment.creation Encounter:period AllergyIntolerance:recordedDate',
    effective: 'MedicationStatement:effectiveDateTime MedicationStatement:effectivePeriod',
    'recorded-date': 'Condition:recordedDate',
    'onset-date': 'Condition:onsetDateTime Condition:onsetPeriod',
    'abatement-date': 'Condition:abatementDateTime Condition:abatementPeriod',
    authoredon: 'authoredOn',
    whenhandedover: 'whenHandedOver',
    whenprepared: 'whenPrepared',
    birthdate: 'birthDate',
    'death-date': 'deceasedDateTime',
  },
  string: { name: 'name', family: 'Patient:name.family', given: 'Patient:name.given' },
};

/** Elements whose parameter has another name in R4. */
const renamed: Readonly<Record<string, string>> = { authorizingPrescription: 'prescription' };

const known = new Map<string, ReadonlyMap<string, SearchDefinition>>();

/** Returns the search parameters of a type, by name: those of R4 whose elements it has, and one for each reference. */
export function definitionsOf(type: string): ReadonlyMap<string, SearchDefinition> {
  const made = known.get(type) ?? define(type);
  known.set(type, made);
  return made;
}

function define(type: string): Map<string, SearchDefinition> {
  const found = new Map<string, SearchDefinition>();
  const { elements } = structureOf(type) ?? {};
  const add = (name: string, kind: SearchDefinition['type'], candidates: readonly string[]): void => {
    const paths = candidates.flatMap((each) => {
      const [only, path = only ?? ''] = each.split(':');
      const isThere = elements?.has(path.split('.')[0] ?? '') && (path === only || only === type);
      return isThere ? [path] : [];
    });
    if (paths.length > 0) found.set(name, { name, type: kind, paths });
  };
  for (const [name, { type: kind }] of elements ?? [])
    if (kind === 'Reference')
      add(renamed[name] ?? name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`), 'reference', [
        name,
      ]);
  add('patient', 'reference', ['subject', 'patient']);
  for (const kind of ['token', 'date', 'string'] as const)
    for (const [name, paths] of Object.entries(named[kind])) add(name, kind, paths.split(' '));
  return found;
}

/** System and code; the system of a plain code is undefined, since its element implies it. */
type TokenValue = readonly [system: string | undefined, code: string];
/** Milliseconds since 1970: from the first to before the last. */
export type DateRange = readonly [from: number, until: number];

export interface SearchValues {
  readonly token: readonly TokenValue[];
  readonly date: readonly DateRange[];
  readonly string: readonly string[];
  /** Types and ids: `Patient/p1`. */
  readonly reference: readonly string[];
}

export type SearchIndex = Readonly<Record<string, SearchValues[keyof SearchValues]>>;

/** Returns the values of a resource that each search parameter compares. */
export function indexOf(resource: JsonObject): SearchIndex {
  const index: Record<string, SearchIndex[string]> = {};
  for (const [name, { type, paths }] of definitionsOf(String(resource['resourceType']))) {
    const values = paths.flatMap((path) => elementsAt(resource, path));
    const read: (value: unknown) => readonly unknown[] = readers[type];
    index[name] = values.flatMap((value) => read(value)) as unknown as SearchIndex[string];
  }
  return index;
}

function elementsAt(resource: unknown, path: string): unknown[] {
  return path.split('.').reduce<unknown[]>(
    (found, name) =>
      found.flatMap((each) => {
        const value = (each as Readonly<Record<string, unknown>>)[name];
        return value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
      }),
    [resource],
  );
}

interface Valued {
  readonly coding?: readonly Valued[];
  readonly system?: string;
  readonly code?: string;
  readonly value?: string;
  readonly start?: string;
  readonly end?: string;
  readonly reference?: string;
}

const readers: { readonly [P in keyof SearchValues]: (value: unknown) => SearchValues[P][number][] } = {
  token(value) {
    if (typeof value !== 'object' || value === null) return [[undefined, String(value)]];
    const { coding, system = '', code, value: text } = value as Valued;
    if (coding) return coding.flatMap((each) => readers.token(each));
    const own = code ?? text;
    return own === undefined ? [] : [[system, own]];
  },
  date(value) {
    if (typeof value === 'string') return [dateRange(value)].filter((range) => range !== undefined);
    const { start, end } = value as Valued;
    const [from = -Infinity] = (start === undefined ? undefined : dateRange(start)) ?? [];
    const [, until = Infinity] = (end === undefined ? undefined : dateRange(end)) ?? [];
    return start === undefined && end === undefined ? [] : [[from, until]];
  },
  string(value) {
    if (typeof value === 'string') return [folded(value)];
    const parts = Object.values(value as object).flat() as unknown[];
    return parts.filter((part) => typeof part === 'string').map(folded);
  },
  reference: (value) => {
    const { reference } = value as Valued;
    return reference === undefined ? [] : [reference];
  },
};

/** Text without case and accents (R4 §3.1.1.4.8). */
export const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const DATE =
  /^([12]\d{3})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/u;

/** Returns the time that a date of FHIR covers, by its precision (R4 §3.1.1.4.7); without a zone it is UTC. */
export function dateRange(text: string): DateRange | undefined {
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = DATE.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month ?? '01'}-${day ?? '01'}`;
  const from = Date.parse(
    `${date}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}${fraction.slice(0, 4)}${zone}`,
  );
  // Date.parse moves 30 February to March.
  if (Number.isNaN(from) || !new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)) return undefined;
  if (month === undefined) return [from, Date.UTC(Number(year) + 1, 0)];
  if (day === undefined) return [from, Date.UTC(Number(year), Number(month))];
  const length = hour === undefined ? 86_400_000 : second === undefined ? 60_000 : fraction === '' ? 1000 : 1;
  return [from, from + length];
}
