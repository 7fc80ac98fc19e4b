import type { LoadedOntology } from '../directory.js';
import type { Ontology } from '../model.js';
import { shortName } from '../term-names.js';
import { callChanges } from './call-changes.js';
import { weights, type Change } from './change.js';
import { classChanges } from './class-changes.js';
import { codeChanges, renamings } from './code-changes.js';
import { changeKinds } from './kinds.js';
import { propertyChanges } from './property-changes.js';
import { statementChanges } from './statement-changes.js';

/** An ontology as it is compared: the typed model, and the graph for what the model leaves out. */
export type Comparable = Pick<LoadedOntology, 'ontology' | 'quads'>;

/**
 * Everything that differs between two ontologies, the heaviest first, then in order of the terms. Turtle that says
 * the same in another way, in another order or in other files makes no difference; the version itself is none either.
 */
export function compareOntologies(old: Comparable, now: Comparable): Change[] {
  const [before, after] = [old.ontology, now.ontology];
  const codes = new Set([...before.codes.keys()].filter((iri) => after.codes.has(iri)));
  const changes = [
    ...renamedOntology(before, after),
    ...withoutRenamed(classChanges(before, after), before, after),
    ...propertyChanges(before, after),
    ...codeChanges(before, after),
    ...callChanges(before, after),
    ...termChanges(before, after),
    ...statementChanges(old.quads, now.quads, codes),
  ];
  return changes.sort(byWeightAndName);
}

function byWeightAndName(a: Change, b: Change): number {
  const rank = ({ kind }: Change): number => weights.indexOf(changeKinds[kind].weight);
  const key = ({ subject, part = '', kind }: Change): string => `${subject}\0${part}\0${kind}`;
  return rank(a) - rank(b) || (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}

function renamedOntology({ iri }: Ontology, after: Ontology): Change[] {
  return iri === after.iri
    ? []
    : [{ kind: 'ontology-renamed', subject: after.iri, from: iri, to: after.iri }];
}

/** A renamed code of a closed set is one change, not a member that went and another that came. */
function withoutRenamed(changes: readonly Change[], old: Ontology, now: Ontology): Change[] {
  const renamed = new Set(renamings(old, now).flat().map(shortName));
  return changes.filter(
    ({ kind, part = '' }) => !((kind === 'member-added' || kind === 'member-removed') && renamed.has(part)),
  );
}

/** Terms that are no class, property, code or call, such as media types. Filters and parameters show on their calls. */
function termChanges(old: Ontology, now: Ontology): Change[] {
  const loose = ({ terms, classes, properties, codes, calls, iri }: Ontology): Set<string> => {
    const known = new Set(
      calls.flatMap((call) => [
        call.iri,
        ...call.filters.map((filter) => filter.iri),
        ...call.parameters.map((parameter) => parameter.iri),
      ]),
    );
    const isOther = (term: string): boolean =>
      term !== iri && !classes.has(term) && !properties.has(term) && !codes.has(term) && !known.has(term);
    return new Set([...terms].filter(isOther));
  };
  const [before, after] = [loose(old), loose(now)];
  return [
    ...[...after]
      .filter((term) => !old.terms.has(term))
      .map((subject): Change => ({ kind: 'term-added', subject })),
    ...[...before]
      .filter((term) => !now.terms.has(term))
      .map((subject): Change => ({ kind: 'term-removed', subject })),
  ];
}
