import { cg } from '../../rdf/vocabulary.js';
import { identifyings, precisions, type PropertyModel } from '../model.js';
import { shortName } from '../term-names.js';
import type { Breach, OntologyInput, OntologyRule } from './rule.js';

const decisions = identifyings.join(', ');

/** What a property says of people that cannot be, or does not say although it has literals. */
function undecided({ graph }: OntologyInput, { iri: subject, kind, identifying }: PropertyModel): Breach[] {
  const said = graph.objects(subject, cg.identifying);
  if (said.length === 0)
    return kind === 'datatype'
      ? [{ subject, says: `has literals and does not state as cg:identifying what they tell of a person` }]
      : [];
  if (identifying === undefined)
    return [{ subject, says: `must state as cg:identifying one of ${decisions}`, near: cg.identifying }];
  return [];
}

/** A precision that pages of the de-identified level would not know. */
function imprecise({ graph }: OntologyInput, { iri: subject, identifying }: PropertyModel): Breach[] {
  const said = graph.objects(subject, cg.precision);
  const isRight =
    said.length === 0 ||
    (said.length === 1 && said.every(({ value }) => precisions.some((p) => p === value)));
  if (isRight && (said.length === 0 || identifying === 'date')) return [];
  const says = isRight
    ? 'states a cg:precision without cg:identifying "date"'
    : `must state as cg:precision ${precisions.join(', ')}`;
  return [{ subject, says, near: cg.precision }];
}

const identifyingRule: OntologyRule = {
  id: 'identifying',
  severity: 'error',
  summary: 'A property with literals states what they tell of a person.',
  hint: `State cg:identifying: ${decisions}. With "date", cg:precision "year" shows no more than the year.`,
  check: (input) =>
    [...input.ontology.properties.values()].flatMap((property) => [
      ...undecided(input, property),
      ...imprecise(input, property),
    ]),
};

const impersonal: OntologyRule = {
  id: 'impersonal',
  severity: 'error',
  summary: 'What a class calls impersonal is a property that it restricts.',
  hint: 'Name a property of the class or of one above it.',
  check: ({ graph, ontology: { classes } }) =>
    [...classes.values()].flatMap(({ iri: subject, rules }) =>
      graph
        .objects(subject, cg.impersonal)
        .filter(({ value }) => !rules.has(value))
        .map(({ value }) => ({
          subject,
          says: `states cg:impersonal ${shortName(value)}, a property that it has no restriction of`,
          near: cg.impersonal,
        })),
    ),
};

/** Rules about what an ontology says of how much its data tells of people. */
export const identifyingRules = [identifyingRule, impersonal];
