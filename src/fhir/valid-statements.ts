import type { Ontology } from '../ontology/model.js';
import { unwritable } from '../rdf/rdfxml.js';
import { namedNode } from '../rdf/terms.js';
import { unifyTitles } from '../records/titles.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { validateResource } from '../validate/resource.js';
import type { BatchResource } from './fhir-batch.js';
import { nameOf, placeOf } from './fhir-resources.js';
import type { MadeStatement } from './statement-graphs.js';

/**
 * The statements of one record that the ontology allows; the others are counted as invalid, and told by the name of
 * their resource where an older version is stored, which then still stands: a date that is mistyped is no reason to take
 * a diagnosis out of a record.
 */
export function validStatements(
  statements: readonly MadeStatement[],
  resources: ReadonlyMap<string, BatchResource>,
  {
    ontology,
    base,
    primary,
  }: { readonly ontology: Ontology; readonly base: string; readonly primary: Pick<PrimaryStore, 'has'> },
): MadeStatement[] {
  const names = new Set<string>();
  // Resources of one batch can give a code different titles, of which it must have one before it is looked at.
  const { graphs } = unifyTitles(
    statements.map(({ graph }) => graph),
    ontology,
    base,
    new Map(),
  );
  const titled = statements.map((statement, index) => ({
    ...statement,
    graph: graphs[index] ?? statement.graph,
  }));
  const valid = titled.filter(({ graph, resource, query }) => {
    const { name, quads } = graph;
    const [violation] = validateResource(ontology, namedNode(name), quads);
    const message =
      violation?.message ?? quads.map((each) => unwritable(each)).find((reason) => reason !== undefined);
    const found = resources.get(resource);
    if (message === undefined && !names.has(name)) {
      names.add(name);
      return true;
    }
    const place = found ? placeOf(found.resource) : '';
    found?.tally.saw(
      'invalid',
      `${query.target.name}: ${message ?? 'another resource makes the same statement.'}`,
      place,
    );
    return false;
  });
  for (const { graph, resource } of titled) {
    const found = resources.get(resource);
    if (!found || names.has(graph.name) || !primary.has(graph.name)) continue;
    found.tally.saw('outdated', nameOf(found.resource), placeOf(found.resource));
  }
  return valid;
}
