import type { Ontology } from '../model/ontology/model.js';
import { unwritable } from '../rdf/write-rdfxml.js';
import { namedNode } from '../rdf/terms.js';
import { unifyTitles } from '../records/titles.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { validateResource } from '../model/validate/resource.js';
import type { BatchResource } from './batch-resource.js';
import { placeOf } from './fhir-resources.js';
import { nameOf } from './resource-names.js';
import type { Mapping } from './mapping.js';
import { formerName } from './statement-names.js';
import type { MadeStatement } from './statement-graphs.js';

/**
 * The statements of one record that the ontology allows; the others are counted as invalid, and told by the name of
 * their resource where an older version is stored, which then still stands: a date that is mistyped is no reason to take
 * a diagnosis out of a record.
 * @returns those, and the resources of which nothing stands, with what the ontology says against it
 */
export function validStatements(
  statements: readonly MadeStatement[],
  resources: ReadonlyMap<string, BatchResource>,
  options: {
    readonly ontology: Ontology;
    readonly base: string;
    readonly primary: PrimaryStore;
    readonly mapping: Mapping;
  },
): { valid: MadeStatement[]; left: { found: BatchResource; why: string }[] } {
  const { ontology, base, primary, mapping } = options;
  const names = new Set<string>();
  const reasons = new Map<string, string>();
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
    const text = `${query.target.name}: ${message ?? 'another resource makes the same statement.'}`;
    found?.tally.saw('invalid', text, place);
    if (message !== undefined) reasons.set(resource, mapping.losses.wordsFor(text) ?? message);
    return false;
  });
  for (const { graph, resource, recordId, query } of titled) {
    const found = resources.get(resource);
    if (!found || names.has(graph.name)) continue;
    const stands = primary.has(graph.name) || formerName(recordId, query.path, found.resource, options);
    if (!stands) continue;
    found.tally.saw('outdated', nameOf(found.resource), placeOf(found.resource));
    reasons.delete(resource);
  }
  for (const { resource } of valid) reasons.delete(resource);
  const left = [...reasons].flatMap(([resource, why]) => {
    const found = resources.get(resource);
    return found ? { found, why } : [];
  });
  return { valid, left };
}
