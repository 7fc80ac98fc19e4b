import { linkRules, type Ontology } from '../../ontology/model.js';
import type { Quad } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';
import { recordPath } from '../resource-paths.js';
import { refuse } from './load-problems.js';
import type { Partition } from './partition.js';
import type { RecordNode } from './record-node.js';

/**
 * Looks at every link of the statements: to a statement that neither the file nor the record has, to the record
 * itself, or (for properties that link statements) to anything else. Such links are kept as they are, since real
 * data has them and leaving them out would lose what the author meant; they are told of, one sentence a property.
 * @param exists whether a resource is in the record already
 * @returns the sentences
 * @throws RecordInputError for a link into another record: it would tell one patient's reader of another patient
 */
export function staleLinks(
  partition: Partition,
  record: RecordNode,
  ontology: Ontology,
  base: string,
  exists: (iri: string) => boolean,
): string[] {
  const own = new Set(partition.graphs.map(({ graph }) => graph.name));
  const stale = new Map<string, { count: number; first: string; to: string }>();
  const problems: string[] = [];

  for (const { statement, graph } of partition.graphs) {
    const links = new Set(linkRules(ontology, statement.model).map(({ property }) => property));
    for (const found of graph.quads) {
      const { predicate, object } = found;
      if (object.termType === 'Literal' || predicate.value === sp.belongsTo) continue;
      const path = object.termType === 'NamedNode' ? recordPath(object.value, base) : undefined;
      if (path && path.recordId !== record.id)
        problems.push(`${graph.name} links to ${object.value}, in another record.`);
      const isLink = path !== undefined || (links.has(predicate.value) && isDirect(found, graph.name));
      if (!isLink || own.has(object.value) || object.value.startsWith(`${graph.name}#`)) continue;
      if (object.value !== record.iri && path && exists(object.value)) continue;
      const known = stale.get(predicate.value);
      if (known) known.count++;
      else stale.set(predicate.value, { count: 1, first: graph.name, to: object.value });
    }
  }
  refuse(problems);
  return [...stale].map(
    ([property, { count, first, to }]) =>
      `${count} ${count === 1 ? 'link' : 'links'} by <${property}> ${count === 1 ? 'leads' : 'lead'} to no statement ` +
      `of the record (first: ${first} to ${to}); kept as written.`,
  );
}

function isDirect({ subject }: Quad, name: string): boolean {
  return subject.termType === 'NamedNode' && subject.value === name;
}
