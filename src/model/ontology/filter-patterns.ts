import { expandName } from './term-names.js';

const path = /^(?:<[^<>\s]+>|[^\s?;,{}()<>|/^*+!]+)(?:\s*\|\s*(?:<[^<>\s]+>|[^\s?;,{}()<>|/^*+!]+))*$/;

/**
 * The properties whose values a date pattern binds: one in `?v sp:startDate ?d`, two in `?v sp:startDate|dcterms:date
 * ?d`, none in any other pattern. Date patterns are read, not run: the index of instants compares dates (see
 * query/date-index.ts).
 */
export function datedProperties(pattern: string): string[] {
  return alternatives(boundBy(pattern)) ?? [];
}

/**
 * The paths from `?v` to the compared value in a pattern that is read, not run, each as its properties: `?v
 * v:n/(v:given-name|v:family-name) ?d` has two paths of two steps. Empty for a pattern of another form.
 */
export function comparedPaths(pattern: string): string[][] {
  return readPaths(boundBy(pattern));
}

const boundBy = (pattern: string): string => /\?v\s+(\S[^?{}]*?)\s+\?d\b/.exec(pattern)?.[1] ?? '';

/** Lists the ways through a SPARQL path made of `/`, `|` and parentheses; empty for any other path. */
export function readPaths(text: string): string[][] {
  const tokens = text.match(/<[^<>\s]*>|[^\s()|/<>*+?!^]+|\S/g) ?? [];
  let at = 0;
  const take = (sign: string): boolean => tokens[at] === sign && ++at > 0;
  const step = (): string[][] => {
    if (take('(')) {
      const inner = either();
      return take(')') ? inner : [];
    }
    const iri = iriOf(tokens[at++] ?? '');
    return iri === undefined ? [] : [[iri]];
  };
  const chain = (): string[][] => {
    let ways = step();
    while (take('/')) {
      const next = step();
      ways = ways.flatMap((way) => next.map((more) => [...way, ...more]));
    }
    return ways;
  };
  const either = (): string[][] => {
    const first = chain();
    if (!take('|')) return first;
    const others = either();
    return first.length > 0 && others.length > 0 ? [...first, ...others] : [];
  };
  const ways = either();
  return at === tokens.length ? ways : [];
}

/** The properties of a SPARQL path of alternatives only, such as `a|b`; undefined for any other path. */
export function alternatives(text: string): string[] | undefined {
  if (!path.test(text.trim())) return undefined;
  const properties = text.split('|').map((name) => iriOf(name.trim()));
  return properties.every((property) => property !== undefined) ? properties : undefined;
}

/** Returns the text before `{name}` in an IRI of a pattern, as the built-in code filters have it. */
export function codeBase(pattern: string, name: string): string | undefined {
  return [...pattern.matchAll(/<([^<>{}\s]*)\{([^{}]*)\}>/g)].find(
    ([, , placeholder]) => placeholder === name,
  )?.[1];
}

/** Returns the IRI that a name or `<IRI>` stands for. */
export function iriOf(name: string): string | undefined {
  return /^<([^<>]+)>$/.exec(name)?.[1] ?? expandName(name);
}
