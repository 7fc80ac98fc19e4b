import { queryPrefixes, xsd } from '../rdf/vocabulary.js';

interface Node {
  readonly type?: string;
  readonly subType?: string;
  readonly value?: unknown;
  readonly prefix?: string;
}

/** The namespaces of predicates in the data, and of the casts of SPARQL 1.1 §17.1. */
const known = Object.values(queryPrefixes);
const casts = xsd.string.slice(0, -'string'.length);

const namespaceOf = (iri: string): string =>
  iri.slice(0, Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1);

/**
 * Returns the first function or predicate of a query that is neither SPARQL 1.1 nor in a vocabulary of the data:
 * engines have some of their own that read files, call programs or ask other servers. Only what is known passes.
 * @param terms all declared IRIs
 */
export function foreignTerm(tree: object, terms: ReadonlySet<string>): string | undefined {
  const namespaces = prefixesIn(tree);
  const iriOf = ({ value, prefix }: Node): string =>
    prefix === undefined ? String(value) : `${namespaces.get(prefix) ?? ''}${String(value)}`;
  const vocabularies = new Set([...known, ...[...terms].map(namespaceOf)]);
  const isKnown = (iri: string): boolean => terms.has(iri) || vocabularies.has(namespaceOf(iri));
  // Iterative, since trees may be deep.
  const waiting: { node: unknown; isPredicate: boolean }[] = [{ node: tree, isPredicate: false }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, isPredicate } = next;
    if (typeof node !== 'object' || node === null) continue;
    const { type, subType } = node as Node;
    if (subType === 'namedNode') {
      if (isPredicate && !isKnown(iriOf(node as Node))) return iriOf(node as Node);
      continue;
    }
    if (subType === 'functionCall') {
      const called = iriOf((node as { readonly function: Node }).function);
      if (namespaceOf(called) !== casts) return called;
    }
    for (const [name, part] of Object.entries(node)) {
      // Written, not read: what CONSTRUCT makes of the rows may have any predicate.
      if (name === 'template' || name === 'loc') continue;
      // The object of a triple may be a collection with triples of its own.
      const isOwn = type === 'triple' ? name === 'predicate' : isPredicate;
      waiting.push({ node: part, isPredicate: isOwn });
    }
  }
  return undefined;
}

function prefixesIn(tree: object): ReadonlyMap<string, string> {
  const context = 'context' in tree ? (tree.context as readonly object[]) : [];
  return new Map(
    context.flatMap((entry) => {
      const { subType, key, value } = entry as { subType?: string; key?: string; value?: Node };
      return subType === 'prefix' && key !== undefined ? [[key, String(value?.value)] as const] : [];
    }),
  );
}
