import type { LoadedOntology } from '../../model/ontology/directory.js';
import type { Ontology } from '../../model/ontology/model.js';
import { layerNames, shortName } from '../../model/ontology/term-names.js';
import { callChanges } from './call-changes.js';
import { valueChange, weights, type Change } from './change.js';
import { codeChanges, renamings } from './code-changes.js';
import { changeKinds } from './kinds.js';
import { statementChanges } from './statement-changes.js';
import { classChanges, propertyChanges } from './term-changes.js';

/** An ontology to compare: the typed model, and the graph for everything else. */
export type Comparable = Pick<LoadedOntology, 'ontology' | 'quads'>;

/** Compares two ontologies, the heaviest changes first. Ignores versions and serialisation. */
export function compareOntologies(old: Comparable, now: Comparable): Change[] {
  const [before, after] = [old.ontology, now.ontology];
  const codes = new Set([...before.codes.keys()].filter((iri) => after.codes.has(iri)));
  const changes = [
    ...valueChange({ kind: 'ontology-renamed', subject: after.iri }, before.iri, after.iri),
    ...withoutRenamed(classChanges(before, after), before, after),
    ...propertyChanges(before, after),
    ...codeChanges(before, after),
    ...callChanges(before, after),
    ...termChanges(before, after),
    ...statementChanges(old.quads, now.quads, codes),
  ];
  const naming = namingOf(old, now);
  const inWords = (text: string): string => layerNames(naming, text);
  return changes
    .map(({ kind, subject, ...texts }) => ({ kind, subject, ...mapped(texts, inWords) }))
    .sort(byWeightAndName);
}

/** Returns the prefixes of both. */
export const namingOf = ({ ontology: before }: Comparable, { ontology: after }: Comparable) => ({
  prefixes: { ...before.prefixes, ...after.prefixes },
});

const mapped = <T extends object>(texts: T, to: (text: string) => string): T =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, to(text as string)])) as T;

function byWeightAndName(a: Change, b: Change): number {
  const rank = ({ kind }: Change): number => weights.indexOf(changeKinds[kind].weight);
  const key = ({ subject, part = '', kind }: Change): string => `${subject}\0${part}\0${kind}`;
  return rank(a) - rank(b) || (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}

/** Reports a renamed code of a closed set once, not as a removed and an added member. */
function withoutRenamed(changes: readonly Change[], old: Ontology, now: Ontology): Change[] {
  const renamed = new Set(renamings(old, now).flat().map(shortName));
  return changes.filter(
    ({ kind, part = '' }) => !((kind === 'member-added' || kind === 'member-removed') && renamed.has(part)),
  );
}

/** Compares terms that are not classes, properties, codes or calls, such as media types. */
function termChanges(old: Ontology, now: Ontology): Change[] {
  const loose = ({ terms, classes, properties, codes, calls, iri }: Ontology): string[] => {
    const ofCalls = calls.flatMap((call) => [call, ...call.filters, ...call.parameters]);
    const known = new Set([
      ...[iri, ...classes.keys(), ...properties.keys(), ...codes.keys()],
      ...ofCalls.map((each) => each.iri),
    ]);
    return [...terms].filter((term) => !known.has(term));
  };
  const [before, after] = [loose(old), loose(now)];
  return [
    ...after
      .filter((term) => !old.terms.has(term))
      .map((subject): Change => ({ kind: 'term-added', subject })),
    ...before
      .filter((term) => !now.terms.has(term))
      .map((subject): Change => ({ kind: 'term-removed', subject })),
  ];
}
