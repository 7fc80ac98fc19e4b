import type { Ontology } from '../../ontology/model.js';
import { DESCENDANTS } from '../../query/bind-filter.js';
import { namedNode, type Quad } from '../../rdf/terms.js';
import { SHARED, type Scope } from '../../store/parts.js';
import { scopeOf } from '../record-partition.js';
import type { ListRequest, ReadStore } from './list.js';
import { reachIn, storedStatements, thoseThere } from './stored-list.js';

/**
 * What the whole query of a list call constructs of some members that were chosen before.
 * @param scope where it finds them and what they link to
 */
export async function readKnown(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
  members: readonly string[],
  scope?: Scope,
): Promise<Quad[]> {
  return (await readThere(store, ontology, request, members, scope)).quads;
}

/** The same with those that are still there: what was chosen may have been removed, which graphs as they are stored tell. */
export async function readThere(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
  members: readonly string[],
  scope: Scope | undefined = scopeOfList(ontology, request),
): Promise<{ readonly quads: Quad[]; readonly there: string[] }> {
  const { query, values } = request;
  const { neighbours } = query;
  if (members.length === 0) return { quads: [], there: [] };
  if (store.stored && neighbours) {
    const reach = reachIn(store.base, values['record']?.value ?? '', scope);
    return store.stored((graphs) => ({
      quads: storedStatements(graphs, members, neighbours, reach),
      there: thoseThere(graphs, members),
    }));
  }
  const terms = members.map((iri) => namedNode(iri));
  return { quads: await store.construct(query.known(values, terms), scope), there: [...members] };
}

/** Where everything lies that a list is made of. What is below a code stands in the ontology, which is shared. */
export function scopeOfList(ontology: Ontology, { call, values, given }: ListRequest): Scope | undefined {
  const scope = scopeOf(ontology, call, values['record_id']?.value);
  return scope && given.has(DESCENDANTS) ? [...scope, SHARED] : scope;
}
