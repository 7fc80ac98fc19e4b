import type { Ontology } from '../ontology/model.js';
import type { QueryTemplate } from '../query/template.js';
import { writeSparqlTerm } from '../query/sparql-term.js';
import { namedNode, type Quad, type Term } from '../rdf/terms.js';
import { cg, foaf, sp, vcard } from '../rdf/vocabulary.js';
import type { GraphStore } from '../store/graph-store.js';
import { isAccountId } from './identifiers.js';
import { readList } from './lists/list.js';
import { SHARED } from '../store/parts.js';
import { recordPart, userPart } from './record-partition.js';
import { recordIri, recordPath } from './resource-paths.js';
import { userIri } from './user-graph.js';

/** Whose record it is, as a person recognises them; texts are empty where the record does not say. */
export interface RecordHolder {
  readonly record: string;
  readonly name: string;
  readonly birthday: string;
  /** When they died, in ISO 8601, or '' where only that is known; undefined as long as the record does not say so. */
  readonly died?: string | undefined;
  readonly gender: string;
}

/** What a search of records is given; blank terms are not looked at. */
export type RecordTerms = Readonly<
  Partial<Record<'family_name' | 'given_name' | 'date_of_birth' | 'medical_record_number', string>>
>;

/** One page of a search. */
export interface FoundRecords {
  readonly holders: RecordHolder[];
  readonly total: number;
}

/** What reading people needs. */
export interface People {
  readonly store: GraphStore;
  readonly ontology: Ontology;
  readonly queries: ReadonlyMap<string, QueryTemplate>;
}

/**
 * Searches records by the same call as `/records/search`.
 * @throws Problem invalid-parameter for a date that is none
 */
export async function searchRecords(
  { store, ontology, queries }: People,
  terms: RecordTerms,
  page: { readonly limit: number; readonly offset: number },
): Promise<FoundRecords> {
  const call = ontology.callByName.get('search_records');
  const query = queries.get('search_records');
  if (!call || !query) return { holders: [], total: 0 };
  const given = new Map<string, string[]>([
    ['limit', [String(page.limit)]],
    ['offset', [String(page.offset)]],
  ]);
  for (const [name, value] of Object.entries(terms)) if (value.trim() !== '') given.set(name, [value.trim()]);
  const { quads, order, total } = await readList(store, ontology, { call, query, values: {}, given });
  return { holders: order.flatMap((iri) => holderOf(quads, iri, store.base) ?? []), total };
}

/** Whose record it is; undefined when there is no such record. A record may have no demographics. */
export async function recordHolder(store: GraphStore, record: string): Promise<RecordHolder | undefined> {
  const iri = recordIri(store.base, record);
  if (!(await store.has(iri))) return undefined;
  const part = recordPart(record);
  const graph = writeSparqlTerm(namedNode(`${iri}/demographics`));
  const quads = await store.construct(`CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ${graph} { ?s ?p ?o } }`, [
    `${part}/demographics`,
  ]);
  const subject = quads.find(({ predicate }) => predicate.value === sp.belongsTo)?.subject.value;
  const holder = subject === undefined ? undefined : holderOf(quads, subject, store.base);
  return holder ?? { record, name: '', birthday: '', gender: '' };
}

/** Given and family name of a user, or their id where the graph does not say. */
export async function userName(store: GraphStore, user: string): Promise<string> {
  return nameOf(await userQuads(store, user), userIri(store.base, user)) || user;
}

/** The parts of the name of a user by their properties, as the graph has them. */
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
  if (!isAccountId(user)) return [];
  const graph = writeSparqlTerm(namedNode(userIri(store.base, user)));
  return store.construct(`CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ${graph} { ?s ?p ?o } }`, [
    SHARED,
    userPart(user),
  ]);
}

function holderOf(quads: readonly Quad[], subject: string, base: string): RecordHolder | undefined {
  const record = recordPath(textOf(quads, subject, sp.belongsTo), base)?.recordId;
  if (record === undefined) return undefined;
  return {
    record,
    name: nameOf(quads, subject),
    birthday: textOf(quads, subject, vcard.bday),
    died:
      objects(quads, subject, vcard.deathdate)[0]?.value ??
      (textOf(quads, subject, cg.deceased) === 'true' ? '' : undefined),
    gender: textOf(quads, subject, foaf.gender),
  };
}

function nameOf(quads: readonly Quad[], subject: string): string {
  const name = objects(quads, subject, vcard.n)[0];
  if (!name) return '';
  const parts = [
    vcard['honorific-prefix'],
    vcard['given-name'],
    vcard['additional-name'],
    vcard['family-name'],
  ];
  return parts
    .map((property) => textOf(quads, name.value, property))
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
