import type { User } from '../../access/accounts/users.js';
import type { ClassModel } from '../../model/ontology/model.js';
import { Graph } from '../../model/ontology/graph.js';
import { termKey } from '../../rdf/term-key.js';
import { blankNode, literal, namedNode, say, type Quad } from '../../rdf/terms.js';
import { rdf, sp, vcard } from '../../rdf/vocabulary.js';
import type { GraphStore } from '../../store/graph-store.js';
import { userNames } from '../people.js';

/** The names of a provider as properties and texts; empty where nobody is named. */
export type ProviderNames = Awaited<ReturnType<typeof userNames>>;

/** Only a clinician is named as the provider of what they post; other authors appear in the history and access log. */
export const isProvider = (user: User | undefined): user is User => user?.role === 'clinician';

export function providerNames(store: GraphStore, user: User | undefined): Promise<ProviderNames> {
  return isProvider(user) ? userNames(store, user.id) : Promise.resolve([]);
}

/**
 * Names the proven author as the provider of a posted statement, in place of a provider that the body states: anybody
 * could write the name of a clinician there.
 */
export function withProvider(
  quads: readonly Quad[],
  iri: string,
  { rules }: ClassModel,
  names: ProviderNames,
): readonly Quad[] {
  if (!rules.has(sp.provider)) return quads;
  const statement = namedNode(iri);
  const stated = quads.filter(
    ({ subject, predicate }) => !(subject.equals(statement) && predicate.value === sp.provider),
  );
  const rest = stated.length === quads.length ? stated : reachable(stated, iri);
  if (names.length === 0) return rest;
  const [provider, name] = [blankNode(), blankNode()];
  return [
    ...rest,
    say(statement, sp.provider, provider),
    say(provider, rdf.type, namedNode(sp.Provider)),
    say(provider, vcard.n, name),
    say(name, rdf.type, namedNode(vcard.Name)),
    ...names.map(([property, text]) => say(name, property, literal(text))),
  ];
}

/** Leaves out what only the removed provider led to. */
function reachable(quads: readonly Quad[], iri: string): Quad[] {
  const graph = new Graph(quads);
  const reached = new Set([iri]);
  for (const node of reached)
    for (const { object } of graph.about(node))
      if (object.termType !== 'Literal') reached.add(termKey(object));
  return graph.quads.filter(({ subject }) => reached.has(termKey(subject)));
}
