import { expandName } from './names.js';

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
