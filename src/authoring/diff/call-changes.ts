import type {
  CallModel,
  Disclosure,
  Ontology,
  FilterModel,
  ParameterModel,
} from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { shortName, localName } from '../../model/ontology/term-names.js';
import { compareKeys, step, valueChange, compareLists, type Change } from './change.js';
import type { ChangeKind } from './kinds.js';

/** Compares calls, with their filters and parameters. */
export function callChanges(old: Ontology, now: Ontology): Change[] {
  const { added, removed, both } = compareKeys(keyed(old.calls, 'iri'), keyed(now.calls, 'iri'));
  return [
    ...added.flatMap(([subject, call]): Change[] => [
      { kind: 'call-added', subject, to: lineOf(call) },
      ...disclosureChange(subject, undefined, call.discloses),
    ]),
    ...removed.map(([subject, call]): Change => ({ kind: 'call-removed', subject, from: lineOf(call) })),
    ...both.flatMap(([, before, after]) => [
      ...facts.flatMap(([kind, read]) =>
        valueChange({ kind, subject: after.iri }, read(before), read(after)),
      ),
      ...disclosureChange(after.iri, before.discloses, after.discloses),
      ...pathChange(before, after),
      ...orderChange(before, after),
      ...argumentChanges(before, after),
    ]),
    ...definitionChanges(old.calls, now.calls),
  ];
}

const keyed = <T extends CallModel | Argument>(all: readonly T[], key: 'iri' | 'name'): Map<string, T> =>
  new Map(all.map((each) => [each[key], each]));

const lineOf = ({ method, path }: CallModel): string => `${method} ${path}`;

const facts: readonly (readonly [ChangeKind, (call: CallModel) => string | undefined])[] = [
  ['call-renamed', ({ name }) => name],
  ['call-method-changed', ({ method }) => method],
  ['call-scope-changed', ({ scope }) => scope],
  ['call-cardinality-changed', ({ cardinality }) => cardinality],
  ['call-target-changed', ({ target }) => shortName(target)],
  ['call-answer-changed', ({ answer }) => answer],
  ['call-content-type-changed', ({ contentType }) => contentType],
];

/** A new call that discloses people is more than an addition: it shows what was hidden before. */
function disclosureChange(
  subject: string,
  was: Disclosure | undefined,
  is: Disclosure | undefined,
): Change[] {
  const kind = is === undefined ? 'call-disclosure-removed' : 'call-disclosure-added';
  return valueChange({ kind, subject }, was, is);
}

function pathChange({ iri: subject, path }: CallModel, after: CallModel): Change[] {
  const change = step(path, after.path);
  if (change === undefined) return [];
  const [was, is] = [PathTemplate.of(path), PathTemplate.of(after.path)];
  const sameShape = was.shape === is.shape;
  const renamed = was.parameters.some((name, at) => name !== is.parameters[at]);
  // The container ignores a slash at the end.
  if (sameShape && !renamed) return [{ kind: 'reworded', subject, part: 'api:path' }];
  return [{ kind: sameShape ? 'call-path-parameter-renamed' : 'call-path-changed', subject, ...change }];
}

function orderChange(before: CallModel, after: CallModel): Change[] {
  const was = orderOf(before);
  const kind = was === undefined ? 'call-order-added' : 'call-order-changed';
  return valueChange({ kind, subject: after.iri }, was, orderOf(after));
}

/** Describes the order of a list; undefined if unordered. */
function orderOf({ sortProperties, sortNames }: CallModel): string | undefined {
  const parts = [
    ...(sortProperties.length > 0 ? [`latest ${sortProperties.map(shortName).join(' or ')}`] : []),
    ...sortNames.map((path) => `name ${path.map(shortName).join('/')}`),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

type Argument = FilterModel | ParameterModel;

const argumentsOf = ({ filters, parameters }: CallModel): Argument[] => [...filters, ...parameters];

/** Compares the arguments of a call: removed, added, and names with a new definition. */
function argumentChanges(before: CallModel, after: CallModel): Change[] {
  const subject = after.iri;
  const { added, removed, both } = compareKeys(
    keyed(argumentsOf(before), 'name'),
    keyed(argumentsOf(after), 'name'),
  );
  return [
    ...added.map(([part]): Change => ({ kind: 'parameter-added', subject, part })),
    ...removed.map(([part]): Change => ({ kind: 'parameter-removed', subject, part })),
    ...both
      .filter(([, was, is]) => was.iri !== is.iri)
      .flatMap(([part, was, is]) => changed(was, is).map((change) => ({ ...change, subject, part }))),
  ];
}

/** Compares filters and parameters themselves, once each, however many calls use them. */
function definitionChanges(old: readonly CallModel[], now: readonly CallModel[]): Change[] {
  const { both } = compareKeys(
    keyed(old.flatMap(argumentsOf), 'iri'),
    keyed(now.flatMap(argumentsOf), 'iri'),
  );
  // Most have the name of their parameter, which is not repeated.
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

/** Describes what a parameter compares and how, ignoring white space in its pattern. */
function meaningOf(argument: Argument): string | undefined {
  const { pattern, operator } = argument;
  const codeBase = 'codeBase' in argument ? argument.codeBase : undefined;
  const parts = [operator, pattern?.trim().replace(/\s+/gu, ' '), codeBase];
  return parts.filter((part) => part !== undefined).join(' ') || undefined;
}
