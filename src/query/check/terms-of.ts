import { solidTokens, type Token } from '../tokenizer.js';

/** An IRI that a query names, outside of its prologue, and the offset at which it stands. */
export interface NamedTerm {
  readonly iri: string;
  readonly at: number;
}

/** Every IRI of a query in order, prefixed names as the query declares them. */
export function termsOf(sparql: string): NamedTerm[] {
  return termsIn(solidTokens(sparql));
}

/** The same, of its tokens without spaces and comments. */
export function termsIn(tokens: readonly Token[]): NamedTerm[] {
  const prefixes = new Map<string, string>();
  return tokens.flatMap(({ kind, text, at }, index) => {
    const before = tokens[index - 1]?.text ?? '';
    if (kind === 'iri' && tokens[index - 2]?.text.toUpperCase() === 'PREFIX') {
      prefixes.set(before, text.slice(1, -1));
      return [];
    }
    if (/^(BASE|PREFIX)$/i.test(before)) return [];
    const iri = kind === 'iri' ? text.slice(1, -1) : kind === 'name' ? expand(text, prefixes) : undefined;
    return iri === undefined ? [] : [{ iri, at }];
  });
}

function expand(name: string, prefixes: ReadonlyMap<string, string>): string | undefined {
  const colon = name.indexOf(':') + 1;
  const namespace = prefixes.get(name.slice(0, colon));
  return namespace === undefined ? undefined : namespace + name.slice(colon).replace(/\\(.)/g, '$1');
}
