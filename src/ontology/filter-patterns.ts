import { expandName } from './term-names.js';

const path = /^(?:<[^<>\s]+>|[^\s?;,{}()<>|/^*+!]+)(?:\s*\|\s*(?:<[^<>\s]+>|[^\s?;,{}()<>|/^*+!]+))*$/;

/**
 * The properties whose value a date pattern binds: `?v sp:startDate ?d` names one, `?v sp:startDate|dcterms:date ?d`
 * two alternatives. Empty for every other pattern. A date pattern is read, not run: its dates are compared through
 * the index of instants (see query/date-index.ts).
 */
export function datedProperties(pattern: string): string[] {
  const between = /\?v\s+(\S[^?{}]*?)\s+\?d\b/.exec(pattern)?.[1];
  return alternatives(between ?? '') ?? [];
}

/**
 * The paths by which a pattern that is read, not run, goes from `?v` to what is compared, each as its properties:
 * `?v v:n/(v:given-name|v:family-name) ?d` has two of two steps. Empty where the pattern has another form.
 */
export function comparedPaths(pattern: string): string[][] {
  const between = /\?v\s+(\S[^?{}]*?)\s+\?d\b/.exec(pattern)?.[1];
  return readPaths(between ?? '');
}

/** The ways through a SPARQL path made of `/`, `|` and parentheses; empty for any other. */
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

/** The properties of a SPARQL path that only names alternatives, as `a|b`; undefined for any other path. */
export function alternatives(text: string): string[] | undefined {
  if (!path.test(text.trim())) return undefined;
  const properties = text.split('|').map((name) => iriOf(name.trim()));
  return properties.every((property) => property !== undefined) ? properties : undefined;
}

/** What stands before `{name}` in an IRI of a pattern, as the vocabulary's own code filters have it. */
export function codeBase(pattern: string, name: string): string | undefined {
  return [...pattern.matchAll(/<([^<>{}\s]*)\{([^{}]*)\}>/g)].find(
    ([, , placeholder]) => placeholder === name,
  )?.[1];
}

function iriOf(name: string): string | undefined {
  return /^<([^<>]+)>$/.exec(name)?.[1] ?? expandName(name);
}
