import { isA, type ClassModel, type Ontology, type PropertyRule } from '../model.js';
import { shortName } from '../term-names.js';
import { compareKeys, step, type Change } from './change.js';
import type { ChangeKind } from './kinds.js';

/** How what a class asks of its properties changed, inherited rules included. */
export function ruleChanges(old: Ontology, now: Ontology, before: ClassModel, after: ClassModel): Change[] {
  const subject = after.iri;
  const { added, removed, both } = compareKeys(before.rules, after.rules);
  return [
    ...added.map(([property, rule]): Change => ({
      kind: kindOfNewRule(old, rule),
      subject,
      part: shortName(property),
      to: describe(rule),
    })),
    ...removed.map(([property, rule]): Change => ({
      kind: 'rule-removed',
      subject,
      part: shortName(property),
      from: describe(rule),
    })),
    ...both.flatMap(([property, was, is]) =>
      [...boundChanges(was, is), ...rangeChange(old, now, was, is), ...fixedChanges(was, is)].map(
        (change): Change => ({ subject, part: shortName(property), ...change }),
      ),
    ),
  ];
}

type Part = Pick<Change, 'kind' | 'from' | 'to'>;

/** A property that is declared but not restricted on a class is allowed there without bounds, as OWL has it. */
function kindOfNewRule(old: Ontology, { property, min }: PropertyRule): ChangeKind {
  if (min > 0) return 'rule-required';
  return old.properties.has(property) ? 'rule-imposed' : 'rule-optional';
}

function boundChanges(was: PropertyRule, is: PropertyRule): Part[] {
  const change = (
    from: number,
    to: number,
    [raised, lowered]: readonly [raised: ChangeKind, lowered: ChangeKind],
  ): Part[] =>
    from === to ? [] : [{ kind: to > from ? raised : lowered, from: number(from), to: number(to) }];
  return [
    ...change(was.min, is.min, ['minimum-raised', 'minimum-lowered']),
    ...change(was.max, is.max, ['maximum-raised', 'maximum-lowered']),
  ];
}

const number = (bound: number): string => (bound === Infinity ? 'any number' : String(bound));

/** What values may be, each demand on its own: classes, the class of their code, literals and their datatype. */
function rangeChange(old: Ontology, now: Ontology, was: PropertyRule, is: PropertyRule): Part[] {
  const change = step(describeRange(was), describeRange(is));
  if (change === undefined) return [];
  const narrower = covers(demands(was), demands(is), now);
  const wider = covers(demands(is), demands(was), old);
  // The same said in another way, such as a class beside its own parent.
  if (narrower && wider) return [];
  return [{ kind: narrower ? 'range-narrowed' : wider ? 'range-widened' : 'range-changed', ...change }];
}

interface Demand {
  readonly of: 'value' | 'code' | 'form' | 'datatype';
  readonly is: string;
}

function demands({ classes, codeClass, literal, datatype }: PropertyRule): Demand[] {
  return [
    ...classes.map((is): Demand => ({ of: 'value', is })),
    ...(codeClass === undefined ? [] : [{ of: 'code', is: codeClass } as const]),
    ...(literal ? [{ of: 'form', is: 'literal' } as const] : []),
    ...(datatype === undefined ? [] : [{ of: 'datatype', is: datatype } as const]),
  ];
}

/** Whether whatever meets the strict demands meets the loose ones as well. */
function covers(loose: readonly Demand[], strict: readonly Demand[], ontology: Ontology): boolean {
  return loose.every((asked) =>
    strict.some((given) => given.of === asked.of && isA(ontology, given.is, asked.is)),
  );
}

function fixedChanges({ fixed: was }: PropertyRule, { fixed: is }: PropertyRule): Part[] {
  const values = (fixed: PropertyRule['fixed']): Map<string, string> =>
    new Map(fixed.map(({ property, value }) => [property, `${shortName(property)} ${shortName(value)}`]));
  const { added, removed, both } = compareKeys(values(was), values(is));
  return [
    ...added.map(([, to]): Part => ({ kind: 'fixed-value-added', to })),
    ...removed.map(([, from]): Part => ({ kind: 'fixed-value-removed', from })),
    ...both.flatMap(([, from, to]): Part[] =>
      from === to ? [] : [{ kind: 'fixed-value-changed', from, to }],
    ),
  ];
}

/** A rule in a few words: `0 to 1 of sp:ValueAndUnit`. */
function describe(rule: PropertyRule): string {
  const { min, max } = rule;
  const bounds = min === max ? `exactly ${min}` : max === Infinity ? `${min} or more` : `${min} to ${max}`;
  return `${bounds} of ${describeRange(rule)}`;
}

function describeRange({ classes, codeClass, literal, datatype }: PropertyRule): string {
  const parts = [
    ...classes.map(shortName).sort(),
    ...(literal ? [datatype === undefined ? 'literal' : shortName(datatype)] : []),
  ];
  const what = parts.length === 0 ? 'anything' : parts.join(' and ');
  return codeClass === undefined ? what : `${what} with a code of ${shortName(codeClass)}`;
}
