import {
  datatypeInWords,
  isTighter,
  limitInWords,
  listedLiterals,
  rangeInWords,
  tightestBound,
} from '../../model/ontology/allowed-literals.js';
import {
  isA,
  type ClassModel,
  type DataRange,
  type Ontology,
  type PropertyRule,
} from '../../model/ontology/model.js';
import { xsd } from '../../rdf/vocabulary.js';
import { shortName } from '../../model/ontology/term-names.js';
import { compareKeys, compareLists, step, type Change } from './change.js';
import type { ChangeKind } from './kinds.js';

/** Compares the rules of a class for its properties, including inherited ones. */
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
      [
        ...boundChanges(was, is),
        ...rangeChange(now, was, is),
        ...fixedChanges(was, is),
        ...literalChanges(was, is),
      ].map((change): Change => ({ subject, part: shortName(property), ...change })),
    ),
  ];
}

type Part = Pick<Change, 'kind' | 'from' | 'to'>;

/** As in OWL, a class may have any declared property without a restriction. */
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

/** Compares the allowed values: classes, the class of their code, literals and datatypes. */
function rangeChange(now: Ontology, was: PropertyRule, is: PropertyRule): Part[] {
  const change = step(describeRange(was), describeRange(is)) ?? step(describeForm(was), describeForm(is));
  if (change === undefined) return [];
  const narrower = covers(demands(was), demands(is), now);
  const wider = covers(demands(is), demands(was), now);
  // Equivalent ranges, such as a class together with its own superclass.
  if (narrower && wider) return [];
  return [{ kind: narrower ? 'range-narrowed' : wider ? 'range-widened' : 'range-changed', ...change }];
}

interface Demand {
  readonly of: 'value' | 'code' | 'form' | `datatype${string}`;
  readonly is: string;
}

function demands({ classes, codeClass, literal, datatype, ranges }: PropertyRule): Demand[] {
  return [
    ...classes.map((is): Demand => ({ of: 'value', is })),
    ...(codeClass === undefined ? [] : [{ of: 'code', is: codeClass } as const]),
    ...(literal ? [{ of: 'form', is: 'literal' } as const] : []),
    ...(datatype === undefined ? [] : [{ of: 'datatype', is: shortName(datatype) } as const]),
    ...(isTyped(datatype) ? [{ of: 'form', is: 'typed' } as const] : []),
    ...ranges
      .filter(({ listed }) => listed.length === 0)
      .map((range): Demand => ({ of: `datatype${range.on ?? ''}`, is: datatypeInWords(range) })),
  ];
}

/** Whether a datatype requires typed literals. With bounds, plain text is valid too. */
const isTyped = (datatype: string | undefined): boolean =>
  datatype !== undefined && datatype !== xsd.string && datatype !== xsd.anyURI;

const describeForm = (rule: PropertyRule): string =>
  describeRange(rule) + (isTyped(rule.datatype) ? '' : ' or plain text');

/** Whether all values that meet the strict demands meet the loose ones. */
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

/** Compares bounds and lists of literals, of the values and of the linked node's properties. */
function literalChanges({ ranges: was }: PropertyRule, { ranges: is }: PropertyRule): Part[] {
  const about = new Set([...was, ...is].map(({ on }) => on));
  return [...about].flatMap((on) => {
    const isAbout = (range: DataRange): boolean => range.on === on;
    const [old, now] = [was.filter(isAbout), is.filter(isAbout)];
    const name = nameOf({ on });
    return [...limitChanges(old, now, name), ...listChanges(listOf(old), listOf(now), name)];
  });
}

/** Names the property of the linked node that a range is about, as a prefix. */
const nameOf = ({ on }: { readonly on?: string | undefined }): string =>
  on === undefined ? '' : `${shortName(on)} `;

function limitChanges(was: readonly DataRange[], is: readonly DataRange[], name: string): Part[] {
  return (['value', 'length'] as const).flatMap((of) =>
    (['least', 'most'] as const).flatMap((side): Part[] => {
      const [old, now] = [tightestBound(was, of, side), tightestBound(is, of, side)];
      const tighter = now !== undefined && (old === undefined || isTighter(now, old));
      const looser = old !== undefined && (now === undefined || isTighter(old, now));
      if (!tighter && !looser) return [];
      return [
        {
          kind: tighter ? 'limit-tightened' : 'limit-loosened',
          ...(old && { from: name + limitInWords(old) }),
          ...(now && { to: name + limitInWords(now) }),
        },
      ];
    }),
  );
}

/** Returns the values of a closed list: as plain text, which is always valid, and typed if they have a datatype. */
function listOf(ranges: readonly DataRange[]): string[] | undefined {
  const listed = listedLiterals(ranges);
  if (!listed) return undefined;
  const typed = listed.filter(({ datatype }) => datatype.value !== xsd.string);
  return [
    ...new Set([
      ...listed.map(({ value }) => value),
      ...typed.map(({ value, datatype, language }) => `${value} of ${language || shortName(datatype.value)}`),
    ]),
  ];
}

/** Compares closed lists. They affect the same users as those of a property (cg:choice). */
function listChanges(was: string[] | undefined, is: string[] | undefined, name: string): Part[] {
  const { added, removed } = compareLists(was ?? [], is ?? []);
  const all = (values: readonly string[]): string => name + values.join(', ');
  if (was === undefined) return is === undefined ? [] : [{ kind: 'property-choices-closed', to: all(added) }];
  if (is === undefined) return [{ kind: 'property-choices-opened', from: all(removed) }];
  return [
    ...added.map((to): Part => ({ kind: 'property-choice-added', to: name + to })),
    ...removed.map((from): Part => ({ kind: 'property-choice-removed', from: name + from })),
  ];
}

/** Describes a rule briefly: `0 to 1 of sp:ValueAndUnit`. */
function describe(rule: PropertyRule): string {
  const { min, max, ranges } = rule;
  const bounds = min === max ? `exactly ${min}` : max === Infinity ? `${min} or more` : `${min} to ${max}`;
  const allowed = ranges.map((range) => `${nameOf(range)}${rangeInWords(range)}`);
  return `${bounds} of ${describeRange(rule)}${allowed.length === 0 ? '' : ` (${allowed.join('; ')})`}`;
}

function describeRange({ classes, codeClass, literal, datatype, ranges }: PropertyRule): string {
  const typed = ranges.filter(({ listed }) => listed.length === 0);
  const own = typed.filter(({ on }) => on === undefined).map(datatypeInWords);
  const datatypes = [...new Set([...(datatype === undefined ? [] : [shortName(datatype)]), ...own])];
  const parts = [
    ...classes.map(shortName).sort(),
    ...(literal && datatypes.length === 0 ? ['literal'] : datatypes),
  ];
  const linked = [
    ...(codeClass === undefined ? [] : [`a code of ${shortName(codeClass)}`]),
    ...typed.flatMap((range) =>
      range.on === undefined ? [] : [`${shortName(range.on)} of ${datatypeInWords(range)}`],
    ),
  ];
  const what = parts.length === 0 ? 'anything' : parts.join(' and ');
  return linked.length === 0 ? what : `${what} with ${linked.join(' and ')}`;
}
