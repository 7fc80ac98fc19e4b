import type { Token } from './tokenizer.js';
import { knownPrefixes } from '../../rdf/known-prefixes.js';
import { queryPrefixes } from '../../rdf/vocabulary.js';

/** Known prefixes that a query uses undeclared, with their IRIs. @param tokens solid ones */
export function missingPrefixes(tokens: readonly Token[]): (readonly [prefix: string, iri: string])[] {
  const known: Readonly<Record<string, string>> = { ...queryPrefixes, ...knownPrefixes };
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
