import type { CallModel, FilterModel, ParameterModel } from '../model.js';
import { localName } from '../term-names.js';
import { compareKeys, compareLists, valueChange, type Change } from './change.js';

type Argument = FilterModel | ParameterModel;

const argumentsOf = ({ filters, parameters }: CallModel): Argument[] => [...filters, ...parameters];

/**
 * Which filters and parameters a call takes no longer or as new ones, by the names that stand in query strings, and
 * where a name now stands for another definition that works in another way.
 */
export function argumentChanges(before: CallModel, after: CallModel): Change[] {
  const subject = after.iri;
  const byName = (call: CallModel): Map<string, Argument> =>
    new Map(argumentsOf(call).map((argument) => [argument.name, argument]));
  const { added, removed, both } = compareKeys(byName(before), byName(after));
  return [
    ...added.map(([part]): Change => ({ kind: 'parameter-added', subject, part })),
    ...removed.map(([part]): Change => ({ kind: 'parameter-removed', subject, part })),
    ...both
      .filter(([, was, is]) => was.iri !== is.iri)
      .flatMap(([part, was, is]) => changed(was, is).map((change) => ({ ...change, subject, part }))),
  ];
}

/** How filters and parameters changed themselves: once each, however many calls take them. */
export function definitionChanges(old: readonly CallModel[], now: readonly CallModel[]): Change[] {
  const byIri = (calls: readonly CallModel[]): Map<string, Argument> =>
    new Map(calls.flatMap(argumentsOf).map((argument) => [argument.iri, argument]));
  const { both } = compareKeys(byIri(old), byIri(now));
  // Most have the name of their parameter as their own: it need not be said twice.
  return both.flatMap(([, was, is]) =>
    changed(was, is).map(({ part, ...change }) =>
      part === undefined || part === localName(is.iri) ? change : { ...change, part },
    ),
  );
}

function changed(was: Argument, is: Argument): Change[] {
  const { iri: subject, name: part } = is;
  const { added, removed } = compareLists(choicesOf(was), choicesOf(is));
  return [
    ...valueChange({ kind: 'parameter-value-type-changed', subject, part }, was.valueType, is.valueType),
    ...valueChange({ kind: 'parameter-meaning-changed', subject, part }, meaningOf(was), meaningOf(is)),
    ...added.map((to): Change => ({ kind: 'parameter-choice-added', subject, part, to })),
    ...removed.map((from): Change => ({ kind: 'parameter-choice-removed', subject, part, from })),
  ];
}

const choicesOf = (argument: Argument): readonly string[] => ('choices' in argument ? argument.choices : []);

/** What a parameter compares with what and how; spaces in a pattern mean nothing. */
function meaningOf(argument: Argument): string | undefined {
  const { pattern, operator } = argument;
  const codeBase = 'codeBase' in argument ? argument.codeBase : undefined;
  const parts = [operator, pattern?.trim().replace(/\s+/gu, ' '), codeBase];
  return parts.filter((part) => part !== undefined).join(' ') || undefined;
}
