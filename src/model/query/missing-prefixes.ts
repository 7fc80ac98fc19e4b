import type { Token } from './tokenizer.js';
import type { Prefixes } from '../ontology/term-names.js';
import { queryPrefixes } from '../../rdf/vocabulary.js';

/** Known prefixes that a query uses undeclared, with their IRIs. @param tokens solid ones @param prefixes of the ontology */
export function missingPrefixes(
  tokens: readonly Token[],
  prefixes: Prefixes,
): (readonly [prefix: string, iri: string])[] {
  const known: Prefixes = { ...queryPrefixes, ...prefixes };
  const declared = new Set<string>();
  const used = new Set<string>();
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'name') continue;
    const prefix = text.slice(0, text.indexOf(':'));
    if (tokens[index - 1]?.text.toUpperCase() === 'PREFIX') declared.add(prefix);
    else used.add(prefix);
  }
  return [...used].flatMap((prefix) => {
    const iri = known[prefix];
    return declared.has(prefix) || !Object.hasOwn(known, prefix) || iri === undefined ? [] : [[prefix, iri]];
  });
}
