import type { AccessLog } from '../../access/log/access-log.js';
import type { Accounts } from '../../access/accounts/accounts.js';
import type { DocumentStore } from '../../store/documents/document-files.js';
import { Memo } from '../../store/disk/memo.js';
import { placesRead, isSingleton } from '../../model/ontology/call-facts.js';
import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { Problem } from '../../model/problem.js';
import type { QueryTemplate } from '../../model/query/template.js';
import type { Quad } from '../../rdf/terms.js';
import { scopeOf } from '../../records/record-partition.js';
import type { ListRequest } from '../../records/lists/list.js';
import { reachIn, readStatement } from '../../records/lists/graphs.js';
import { requestTerms } from '../../records/resource-paths.js';
import type { GraphStore } from '../../store/graph-store.js';
import type { Scope } from '../../store/parts.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import type { PastStores } from '../../store/past-store.js';
import type { AllSettings } from '../serve-settings.js';
import type { Streams } from '../admission/streams.js';
import type { Program } from '../app-parts.js';
import type { CallsOfApp } from '../authorize.js';
import type { ClosedViews } from '../closed-view.js';
import type { DescribedForm } from '../descriptions.js';
import type { CallRequest } from '../request-context.js';
import type { LongGraphs } from './long-graphs.js';

export interface Reads extends Pick<Program, 'ontology' | 'queries'> {
  readonly store: GraphStore;
  readonly base: string;
}

export interface CallParts extends Reads, States {
  readonly past: PastStores;
  readonly documents: DocumentStore;
  readonly accounts: Accounts;
  readonly accessLog: Pick<AccessLog, 'record'>;
  readonly streams: Streams;
  readonly longGraphs: LongGraphs;
  readonly callsOfApp: CallsOfApp;
  readonly closedViews: ClosedViews;
  readonly revisionState: RevisionState;
  readonly settings: AllSettings;
  readonly ontologyPage?: DescribedForm | undefined;
}

export type Addressed = Pick<CallRequest, 'path' | 'resource'> & { readonly call: CallModel };

export function addressed({ route, path, resource }: CallRequest): Addressed {
  return { call: route.call, path, resource };
}

/** Returns the query of a call; the check at start ensures that it exists. */
export function queryOf({ queries }: Pick<Reads, 'queries'>, call: CallModel): QueryTemplate {
  const query = queries.get(call.name);
  if (!query) throw new Error(`${call.name} has no query`);
  return query;
}

/** Makes the list request of a call. @param given parameters and filters */
export function listRequestOf(
  reads: Pick<Reads, 'queries' | 'base'>,
  asked: Addressed,
  given: ListRequest['given'],
): ListRequest {
  const { call } = asked;
  return { call, query: queryOf(reads, call), values: requestTerms(asked, reads.base), given };
}

/** Returns the graph that a call's query constructs. Whole stored graphs are read without a query. */
export function construct(reads: Reads, asked: Addressed): Promise<Quad[]> {
  const { store } = reads;
  const query = queryOf(reads, asked.call);
  const values = requestTerms(asked, reads.base);
  const scope = scopeAt(reads, asked);
  const { members, classes, along } = query.plan;
  if (!store.stored || members !== 'resource' || !along) return store.construct(query.bind(values), scope);
  const reach = reachIn(store.base, values['record']?.value ?? '', scope);
  return store.stored((graphs) => readStatement(graphs, asked.resource, classes, { along, reach }));
}

function scopeAt({ ontology, base }: Reads, { call, path, resource }: Addressed): Scope | undefined {
  return scopeOf(ontology, call, path['record_id'], resource.slice(base.length));
}

/** Reads a single resource; a singleton may be empty, as every record has it. @throws Problem not-found */
export async function readSingle(reads: Reads, asked: Addressed): Promise<Quad[]> {
  const found = await construct(reads, asked);
  if (found.length === 0 && !isSingleton(asked.call)) throw noSuchResource();
  return found;
}

export const noSuchResource = (): Problem => new Problem('not-found', 'There is no such resource.');

/** Returns the GET call that reads what a call writes: of the same path, else of the same class. */
export function readingCall({ calls }: Ontology, { path, target }: CallModel): CallModel {
  const reads = calls.filter(({ method, cardinality }) => method === 'GET' && cardinality === 'single');
  const found = reads.find((call) => call.path === path) ?? reads.find((call) => call.target === target);
  if (!found) throw new Error(`no call reads what is written at ${path}`);
  return found;
}

export interface States {
  readonly ontology: Ontology;
  readonly primary: PrimaryStore;
}

/** Returns the state of everything that an answer depends on. */
export type RevisionState = (asked: Addressed) => string;

const MAX_STATES_CACHED = 10_000;

/**
 * Makes states from the epoch and the revisions of the ontology and of the paths that a call reads, in one snapshot.
 * They change with every write, by any process, that can change the answer.
 */
export function revisionStates({ primary, ontology }: States): RevisionState {
  const states = new Memo<{ readonly state: string }>(primary.directory, MAX_STATES_CACHED);
  const stateOf = ({ call, path }: Addressed): string => {
    const read = placesRead(ontology, call).map((template) => template.prefix(path));
    const places = new Set(['/ontology', ...read]);
    return primary.directory.read(() => {
      let state = primary.directory.epoch;
      for (const place of places) state += ` ${place} ${primary.revision(place)}`;
      return state;
    });
  };
  return (asked) =>
    states.get(`${asked.call.iri} ${asked.resource}`, () => ({ state: stateOf(asked) })).state;
}
