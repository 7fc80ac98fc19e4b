import type { CallModel, Disclosure, Ontology } from '../model.js';
import { PathTemplate } from '../path-template.js';
import { shortName } from '../term-names.js';
import { compareKeys, step, valueChange, type Change } from './change.js';
import type { ChangeKind } from './kinds.js';
import { argumentChanges, definitionChanges } from './parameter-changes.js';

/** Calls that came, went and changed, each with its filters and parameters. */
export function callChanges(old: Ontology, now: Ontology): Change[] {
  const byIri = ({ calls }: Ontology): Map<string, CallModel> =>
    new Map(calls.map((call) => [call.iri, call]));
  const { added, removed, both } = compareKeys(byIri(old), byIri(now));
  return [
    ...added.flatMap(([subject, call]): Change[] => [
      { kind: 'call-added', subject, to: lineOf(call) },
      ...disclosureChange(subject, undefined, call.discloses),
    ]),
    ...removed.map(([subject, call]): Change => ({ kind: 'call-removed', subject, from: lineOf(call) })),
    ...both.flatMap(([, before, after]) => [
      ...changedFacts(before, after),
      ...disclosureChange(after.iri, before.discloses, after.discloses),
      ...pathChange(before, after),
      ...orderChange(before, after),
      ...argumentChanges(before, after),
    ]),
    ...definitionChanges(old.calls, now.calls),
  ];
}

const lineOf = ({ method, path }: CallModel): string => `${method} ${path}`;

/** What may not change, and how each is read for people. */
const facts: readonly (readonly [ChangeKind, (call: CallModel) => string | undefined])[] = [
  ['call-renamed', ({ name }) => name],
  ['call-method-changed', ({ method }) => method],
  ['call-scope-changed', ({ scope }) => scope],
  ['call-cardinality-changed', ({ cardinality }) => cardinality],
  ['call-target-changed', ({ target }) => shortName(target)],
  ['call-answer-changed', ({ answer }) => answer],
  ['call-content-type-changed', ({ contentType }) => contentType],
];

function changedFacts(before: CallModel, after: CallModel): Change[] {
  return facts.flatMap(([kind, read]) =>
    valueChange({ kind, subject: after.iri }, read(before), read(after)),
  );
}

/** A new call that discloses people is no mere addition: it shows what nobody could see before. */
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
  // A slash at the end means nothing to the container.
  if (sameShape && !renamed) return [{ kind: 'reworded', subject, part: 'api:path' }];
  return [{ kind: sameShape ? 'call-path-parameter-renamed' : 'call-path-changed', subject, ...change }];
}

function orderChange(before: CallModel, after: CallModel): Change[] {
  const was = orderOf(before);
  const kind = was === undefined ? 'call-order-added' : 'call-order-changed';
  return valueChange({ kind, subject: after.iri }, was, orderOf(after));
}

/** What orders a list, in words; undefined where nothing does. */
function orderOf({ sortProperties, sortNames }: CallModel): string | undefined {
  const parts = [
    ...(sortProperties.length > 0 ? [`latest ${sortProperties.map(shortName).join(' or ')}`] : []),
    ...sortNames.map((path) => `name ${path.map(shortName).join('/')}`),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}
