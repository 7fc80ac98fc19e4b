import type { Ontology } from '../ontology/model.js';
import { unwritable } from '../rdf/rdfxml.js';
import { namedNode } from '../rdf/terms.js';
import { unifyTitles } from '../records/titles.js';
import { validateResource } from '../validate/resource.js';
import type { BatchResource } from './fhir-batch.js';
import { placeOf } from './fhir-resources.js';
import type { MadeStatement } from './statement-graphs.js';

/** The statements of one record that the ontology allows; the others are counted as invalid. */
export function validStatements(
  statements: readonly MadeStatement[],
  resources: ReadonlyMap<string, BatchResource>,
  { ontology, base }: { readonly ontology: Ontology; readonly base: string },
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
  return titled.filter(({ graph, resource, query }) => {
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
    found?.tally.invalid(
      `${query.target.name}: ${message ?? 'another resource makes the same statement.'}`,
      place,
    );
    return false;
  });
}
