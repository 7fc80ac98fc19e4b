import type { Graph } from '../ontology/graph.js';
import type { CodeModel, Ontology } from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';
import { dcterms, sp } from '../rdf/vocabulary.js';
import { termText } from '../rdf/term-key.js';
import type { Term } from '../rdf/terms.js';
import type { Violation } from './violation.js';

/** What names a code, and how it is compared: clients compare titles without regard to case. */
const descriptions: readonly (readonly [string, (code: CodeModel) => string, (text: string) => string])[] = [
  [dcterms.title, ({ title }) => title, (text) => text.toLowerCase()],
  [sp.system, ({ system }) => system, (text) => text],
  [dcterms.identifier, ({ identifier }) => identifier, (text) => text],
];

/** A node of an enumerated class must be one of its members and say of itself what the ontology says. */
export function codeViolations(
  ontology: Ontology,
  graph: Graph,
  node: Term,
  classes: readonly string[],
): Violation[] {
  const enumerated = classes.filter((type) => isCode(ontology, type) && ontology.classes.get(type)?.members);
  if (enumerated.length === 0) return [];
  const key = termText(node);
  const outside = enumerated.filter((type) => !ontology.classes.get(type)?.members?.includes(key));
  const code = ontology.codes.get(key);
  return [
    ...outside.map((type) => ({
      rule: 'code' as const,
      node: key,
      value: key,
      message: `A code typed ${shortName(type)} is not one of its members.`,
    })),
    ...(code ? descriptionViolations(graph, key, code) : []),
  ];
}

function descriptionViolations(graph: Graph, node: string, code: CodeModel): Violation[] {
  return descriptions.flatMap(([property, expected, comparable]) =>
    graph
      .objects(node, property)
      .filter((found) => comparable(found.value) !== comparable(expected(code)))
      .map((found) => ({
        rule: 'code' as const,
        node,
        property,
        value: found.value,
        message: `${shortName(property)} of an enumerated code differs from the ontology.`,
      })),
  );
}

function isCode(ontology: Ontology, type: string): boolean {
  return ontology.classes.get(type)?.kind === 'code';
}
