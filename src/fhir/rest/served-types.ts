import { nodesIn, prefixesOf, treeOrFault } from '../../model/query/syntax.js';
import type { QueryTemplate } from '../../model/query/template.js';
import { fhirNamespace, rdf } from '../../rdf/vocabulary.js';
import { structureOf } from '../endpoint/rules/structures.js';
import { edgesOf } from '../pattern-edges.js';

interface Node {
  readonly subType?: string;
  readonly value?: string;
  readonly prefix?: string;
  readonly variable?: { readonly value: string };
  readonly expression?: unknown;
}

/**
 * Returns the types of resources that an export query makes, as its template says: of nodes that have names, which are the
 * statement and what the query binds. A type that is a variable is one of those in the expression that binds it.
 */
export function typesMadeBy({ text, variable, parameters }: QueryTemplate): string[] {
  const tree = treeOrFault(text, 'construct');
  if ('reason' in tree) return [];
  const prefixes = prefixesOf(tree);
  const bindings = (nodesIn(tree.where) as Node[]).filter(({ subType }) => subType === 'bind');
  const boundTo = (name: string): Node[] => bindings.filter((each) => each.variable?.value === name);
  const isNamed = (name: string): boolean =>
    name === variable || parameters.includes(name) || boundTo(name).length > 0;
  const irisIn = (expression: unknown): string[] =>
    (nodesIn(expression) as Node[])
      .filter(({ subType }) => subType === 'namedNode')
      .map(({ prefix, value = '' }) => (prefix === undefined ? '' : (prefixes.get(prefix) ?? '')) + value);
  const types = edgesOf(tree, tree.template)
    .filter(({ subject, path }) => path?.length === 1 && path[0] === rdf.type && isNamed(subject))
    .flatMap(({ object }) => {
      if ('iri' in object) return [object.iri];
      return 'node' in object ? boundTo(object.node).flatMap(({ expression }) => irisIn(expression)) : [];
    })
    .filter((iri) => iri.startsWith(fhirNamespace))
    .map((iri) => iri.slice(fhirNamespace.length));
  return [...new Set(types)].filter((type) => structureOf(type)?.isResource === true);
}
