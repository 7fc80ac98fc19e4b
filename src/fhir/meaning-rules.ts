import type { Rule } from '../model/check/rule.js';
import { nodesIn, parseWithPlaces, rangeOf, type PlacedTree, type QueryTree } from '../model/query/syntax.js';
import { lineAt } from '../model/query/tokenizer.js';
import { mapping } from '../rdf/vocabulary.js';
import { canChoose } from './chosen.js';
import { elementAlong, type ElementsRead } from './elements-read.js';
import type { LossTable } from './loss-table.js';
import type { MappingQuery } from './mapping.js';
import { edgesOf } from './pattern-edges.js';
import { modifiersOf, type ReadElement } from './read-element.js';

export const mappingModifier: Rule = {
  id: 'mapping-modifier',
  severity: 'error',
  summary:
    'A mapping says what it does with each element that can change the meaning of others that it reads.',
  hint: 'Read the element in the query, or say in a table with which values nothing changes: map:meaning, map:unless.',
};

export const mappingNegation: Rule = {
  id: 'mapping-negation',
  severity: 'error',
  summary: 'A FILTER does not test a value of an OPTIONAL that can have several.',
  hint: 'Such a FILTER takes away one value and leaves the others. Write FILTER NOT EXISTS { … } over all of them.',
};

export const mappingChoice: Rule = {
  id: 'mapping-choice',
  severity: 'error',
  summary: 'Only lists with a rule have a chosen element.',
  hint: 'Write fhir: for all of the list, or first: where its order carries the meaning.',
};

/** Modifiers that always leave out the element around them, if no query reads them. */
const ALWAYS = ['modifierExtension', 'implicitRules'];

/** A finding of a rule in a query. */
export interface Fault {
  readonly rule: Rule;
  readonly line: number | undefined;
  readonly message: string;
}

/**
 * What of a query of a mapping does not keep the meaning of FHIR R4.
 * @param losses of the tables beside it
 * @param all what any query of the mapping reads: what none reads is left out as the tables say, else each has to read it
 */
export function meaningFaults(
  { text, read, sources }: MappingQuery,
  losses: LossTable,
  all: ReadonlyMap<string, ReadElement>,
): Fault[] {
  const faultAt = (rule: Rule, { path }: ReadElement, message: string): Fault => {
    const at = text.search(new RegExp(`[:#]${path.split('.').at(-1)}\\b`, 'u'));
    return { rule, line: at < 0 ? undefined : lineAt(text, at), message };
  };
  const modifierFaults = (element: ReadElement): Fault[] => {
    const { path, type, modifiers } = element;
    if (!path.includes('.') && !sources.includes(path)) return [];
    return modifiersOf(type)
      .filter(
        (key) =>
          !ALWAYS.includes(key) &&
          modifiers.includes(key) &&
          !(losses.knows(`${path}.${key}`) && unread(path, key)),
      )
      .map((key) =>
        faultAt(
          mappingModifier,
          element,
          `${path}.${key} can change what ${path} says, and the query does not read it`,
        ),
      );
  };
  const unread = (path: string, key: string): boolean => {
    const [type = '', ...names] = path.split('.');
    const start = all.get(type);
    const element = names.reduce((above, name) => above?.children.get(name), start);
    return element?.modifiers.includes(key) ?? true;
  };
  const elements = [...read.types.values()].flatMap(withInner);
  return [
    ...elements.flatMap(modifierFaults),
    ...elements
      .filter(({ chosen, type }) => chosen && type !== undefined && !canChoose(type))
      .map((element) => faultAt(mappingChoice, element, `no rule says which ${element.path} counts`)),
    ...negationFaults(text, read),
  ];
}

/** An element and those below it; words include what changes them. */
function withInner(element: ReadElement): ReadElement[] {
  if (element.path.includes('.') && !element.isWritten) return [];
  return [element, ...[...element.children.values()].flatMap(withInner)];
}

interface Part {
  readonly type?: string;
  readonly subType?: string;
  readonly value?: string;
  readonly patterns?: readonly Part[];
  readonly expression?: Part;
  readonly variable?: Part;
  readonly loc: PlacedTree['tree']['loc'];
}

function negationFaults(sparql: string, read: ElementsRead): Fault[] {
  const { tree, text } = parseWithPlaces(sparql);
  const query = tree as QueryTree;
  const groups = (nodesIn(query.where) as Part[]).filter(({ patterns }) => patterns !== undefined);
  return groups.flatMap(({ patterns = [] }) => {
    const several = new Set<string>();
    return patterns.flatMap((part): Fault[] => {
      if (part.subType === 'optional') for (const name of severalIn(part, query, read)) several.add(name);
      const found = variablesOf(part.expression).find((name) => several.has(name));
      if (found === undefined) return [];
      if (part.subType === 'bind' && part.variable?.value !== undefined) several.add(part.variable.value);
      if (part.subType !== 'filter') return [];
      const at = rangeOf(part)?.start;
      return [
        {
          rule: mappingNegation,
          line: at === undefined ? undefined : lineAt(text, at),
          message: `?${found} is one of several values, and the FILTER passes where one of them does`,
        },
      ];
    });
  });
}

/** Returns the variables of an OPTIONAL that can have several values for one resource. */
function severalIn(part: Part, query: QueryTree, { nodes }: ElementsRead): Set<string> {
  const several = new Set<string>();
  const edges = edgesOf(query, part.patterns);
  const ways = new Map<string, number>();
  for (const { subject, object } of edges) {
    const key = 'node' in object ? `${subject} ${object.node}` : '';
    ways.set(key, (ways.get(key) ?? 0) + 1);
  }
  let before = -1;
  while (before !== several.size) {
    before = several.size;
    for (const { subject, path, object } of edges) {
      if (!('node' in object) || path === undefined) continue;
      const starts = [...(nodes.get(subject) ?? [])];
      const isList = starts.some((start) =>
        path.some((_, at) => repeats(elementAlong(start, path.slice(0, at + 1)), path[at])),
      );
      const isChoice = (ways.get(`${subject} ${object.node}`) ?? 0) > 1 && !starts.some(isOneOf(path));
      if (isList || isChoice || several.has(subject)) several.add(object.node);
    }
  }
  return several;
}

/** Types of a choice exclude each other: effectiveDateTime or effectivePeriod. */
const isOneOf =
  (path: readonly string[]) =>
  (start: ReadElement): boolean =>
    path.some((_, at) => elementAlong(start, path.slice(0, at + 1))?.isChoice === true);

const repeats = (element: ReadElement | undefined, iri = ''): boolean =>
  iri === mapping.means ||
  (element?.repeats === true && /\/fhir\/|chosen#(?:address|telecom|identifier|coding)$/u.test(iri));

/** Returns the variables of an expression, except those of an EXISTS in it. */
function variablesOf(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { type, subType, value } = part as Part;
  if (type === 'pattern') return [];
  if (subType === 'variable') return value === undefined ? [] : [value];
  return Object.values(part).flatMap(variablesOf);
}
