import type { Ontology } from '../model/ontology/model.js';
import type { QueryTemplate } from '../model/query/template.js';
import { iriText } from '../model/query/sparql-term.js';
import type { Quad, Term } from '../rdf/terms.js';
import { cg, foaf, sp, vcard } from '../rdf/vocabulary.js';
import type { GraphStore } from '../store/graph-store.js';
import { isAccountId, isRecordId } from './identifiers.js';
import { readList } from './lists/list.js';
import { SHARED, type Scope } from '../store/parts.js';
import { recordPart, userPart } from './record-partition.js';
import { recordIri, recordPath } from './resource-paths.js';
import { userIri } from './user-graph.js';

/** The person of a record; texts are empty if the record does not have them. */
export interface RecordHolder {
  readonly record: string;
  readonly name: string;
  readonly birthday: string;
  /** ISO 8601; '' if the date is unknown; undefined unless the person has died. */
  readonly died?: string | undefined;
  readonly gender: string;
}

export type RecordTerms = Readonly<
  Partial<Record<'family_name' | 'given_name' | 'date_of_birth' | 'medical_record_number', string>>
>;

export interface People {
  readonly store: GraphStore;
  readonly ontology: Ontology;
  readonly queries: ReadonlyMap<string, QueryTemplate>;
}

/** Searches records like `/records/search`. @param records the only ones to find @throws Problem invalid-parameter for a malformed date */
export async function searchRecords(
  people: People,
  terms: RecordTerms,
  page: SearchPage,
  records?: readonly string[],
): Promise<{ holders: RecordHolder[]; total: number }> {
  const { quads, order, total } = await found(people, terms, page, records);
  return { holders: order.flatMap((iri) => holderOf(quads, iri, people.store.base) ?? []), total };
}

interface SearchPage {
  readonly limit: number;
  readonly offset: number;
}

async function found(
  { store, ontology, queries }: People,
  terms: RecordTerms,
  page: SearchPage,
  records: readonly string[] | undefined,
): Promise<{ readonly quads: readonly Quad[]; readonly order: readonly string[]; readonly total: number }> {
  const call = ontology.callByName.get('search_records');
  const query = queries.get('search_records');
  if (!call || !query) return { quads: [], order: [], total: 0 };
  const given = new Map<string, string[]>([
    ['limit', [String(page.limit)]],
    ['offset', [String(page.offset)]],
  ]);
  for (const [name, value] of Object.entries(terms)) if (value.trim() !== '') given.set(name, [value.trim()]);
  const only = records?.map((record) => `${recordIri(store.base, record)}/demographics`);
  return readList(store, ontology, { call, query, values: {}, given, only });
}

/** A patient by the number of the record or a medical record number, or by whole names and the date of birth. */
export type KnownPatient =
  { readonly number: string } | Readonly<Record<'given' | 'family' | 'birthday', string>>;

/** Among more people whose names begin alike, none is found. */
const MAX_ALIKE = 100;

/** Returns the only record of a patient; undefined if none or several fit. @throws Problem as searchRecords */
export async function findRecord(people: People, patient: KnownPatient): Promise<string | undefined> {
  const { store } = people;
  const isByNumber = 'number' in patient;
  if (isByNumber && isRecordId(patient.number) && (await store.has(recordIri(store.base, patient.number))))
    return patient.number;
  const terms: RecordTerms = isByNumber
    ? { medical_record_number: patient.number }
    : { given_name: patient.given, family_name: patient.family, date_of_birth: patient.birthday };
  const { quads, order, total } = await found(people, terms, { limit: MAX_ALIKE, offset: 0 }, undefined);
  const isMeant = (iri: string): boolean => {
    if (isByNumber) return true;
    const [name] = objects(quads, iri, vcard.n);
    const isSame = (property: string, typed: string): boolean =>
      textOf(quads, name?.value ?? '', property).toLowerCase() === typed.toLowerCase();
    return (
      isSame(vcard['given-name'], patient.given) &&
      isSame(vcard['family-name'], patient.family) &&
      textOf(quads, iri, vcard.bday) === patient.birthday
    );
  };
  const [iri = '', another] = order.filter(isMeant);
  return another === undefined && total <= MAX_ALIKE ? holderOf(quads, iri, store.base)?.record : undefined;
}

/** Returns the users whose given or family name begins with the last word of a text. */
export async function searchUsers({ store, ontology, queries }: People, text: string): Promise<string[]> {
  const call = ontology.callByName.get('search_users');
  const query = queries.get('search_users');
  const name = text.trim().split(/\s+/u).at(-1) ?? '';
  if (!call || !query || name === '') return [];
  const given = new Map([['name', [name]]]);
  const { order } = await readList(store, ontology, { call, query, values: {}, given });
  return order.map((iri) => iri.slice(userIri(store.base, '').length));
}

/** Returns the person of a record, even without demographics; undefined if there is no such record. */
export async function recordHolder(store: GraphStore, record: string): Promise<RecordHolder | undefined> {
  const iri = recordIri(store.base, record);
  if (!(await store.has(iri))) return undefined;
  const quads = await graphAt(store, `${iri}/demographics`, [`${recordPart(record)}/demographics`]);
  const subject = quads.find(({ predicate }) => predicate.value === sp.belongsTo)?.subject.value;
  const holder = subject === undefined ? undefined : holderOf(quads, subject, store.base);
  return holder ?? namelessHolder(record);
}

/** A record with only its id known or shown. */
export const namelessHolder = (record: string): RecordHolder => {
  return { record, name: '', birthday: '', gender: '' };
};

/** Returns the full name of a user, else their id. */
export async function userName(store: GraphStore, user: string): Promise<string> {
  return nameIn(await userQuads(store, user), userIri(store.base, user)) || user;
}

export async function userNames(
  store: GraphStore,
  user: string,
): Promise<[property: string, text: string][]> {
  const quads = await userQuads(store, user);
  const [name] = objects(quads, userIri(store.base, user), vcard.n);
  return quads
    .filter(({ subject, object }) => name?.equals(subject) && object.termType === 'Literal')
    .map(({ predicate, object }) => [predicate.value, object.value]);
}

async function userQuads(store: GraphStore, user: string): Promise<Quad[]> {
  return isAccountId(user) ? graphAt(store, userIri(store.base, user), [SHARED, userPart(user)]) : [];
}

function graphAt(store: GraphStore, name: string, scope: Scope): Promise<Quad[]> {
  return store.construct(`CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ${iriText(name)} { ?s ?p ?o } }`, scope);
}

function holderOf(quads: readonly Quad[], subject: string, base: string): RecordHolder | undefined {
  const record = recordPath(textOf(quads, subject, sp.belongsTo), base)?.recordId;
  if (record === undefined) return undefined;
  return {
    record,
    name: nameIn(quads, subject),
    birthday: textOf(quads, subject, vcard.bday),
    died:
      objects(quads, subject, vcard.deathdate)[0]?.value ??
      (textOf(quads, subject, cg.deceased) === 'true' ? '' : undefined),
    gender: textOf(quads, subject, foaf.gender),
  };
}

/** Returns the full name of a person; '' for none. */
export function nameIn(quads: readonly Quad[], subject: string): string {
  const name = objects(quads, subject, vcard.n)[0];
  if (!name) return '';
  return (['honorific-prefix', 'given-name', 'additional-name', 'family-name'] as const)
    .map((part) => textOf(quads, name.value, vcard[part]))
    .filter((text) => text !== '')
    .join(' ');
}

function objects(quads: readonly Quad[], subject: string, property: string): Term[] {
  return quads
    .filter((each) => each.subject.value === subject && each.predicate.value === property)
    .map(({ object }) => object);
}

const textOf = (quads: readonly Quad[], subject: string, property: string): string =>
  objects(quads, subject, property)[0]?.value ?? '';
