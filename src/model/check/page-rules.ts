import { cg } from '../../rdf/vocabulary.js';
import {
  shownAsWords,
  shownGroups,
  trendKinds,
  identifyings,
  precisions,
  shownProperties,
  type ClassModel,
  type PropertyModel,
} from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';
import { breach, type Breach, type OntologyInput, type OntologyRule } from './rule.js';

const dates: readonly string[] = ['date', 'until'];

function misnamed({ graph, ontology }: OntologyInput, model: ClassModel): Breach[] {
  return shownProperties.flatMap((annotation) =>
    graph.objects(model.iri, cg[annotation]).flatMap(({ value }) => {
      const name = `cg:${annotation}`;
      const near = cg[annotation];
      if (!model.rules.has(value))
        return breach(
          model.iri,
          `states ${name} ${shortName(value)}, a property that it has no restriction of`,
          near,
        );
      return dates.includes(annotation) && ontology.properties.get(value)?.valueType !== 'date'
        ? breach(model.iri, `states ${name} ${shortName(value)}, whose values are no dates`, near)
        : [];
    }),
  );
}

const pageProperty: OntologyRule = {
  id: 'page-property',
  severity: 'error',
  summary:
    'A class shows as title, date, value and so on a property that it restricts; a date has the value type date.',
  hint: 'Name a property of the class or of one above it; a property with dates states cg:valueType "date".',
  check: (input) => [...input.ontology.classes.values()].flatMap((model) => misnamed(input, model)),
};

function wrongValues(
  { graph }: OntologyInput,
  annotation:
    | 'group'
    | 'shownAs'
    | 'trend'
    | 'order'
    | 'over'
    | 'outside'
    | 'social'
    | 'form'
    | 'titleNoise'
    | 'titleSpecimen'
    | 'decimals',
  isRight: (value: string) => boolean,
  says: string,
): Breach[] {
  return [...graph.subjects()].flatMap((subject) => {
    const values = graph.objects(subject, cg[annotation]);
    const isWrong = values.length > 1 || values.some(({ value }) => !isRight(value));
    return isWrong ? breach(subject, `must state as cg:${annotation} ${says}`, cg[annotation]) : [];
  });
}

const among =
  (words: readonly string[]) =>
  (value: string): boolean =>
    words.includes(value);

const pageWord: OntologyRule = {
  id: 'page-word',
  severity: 'error',
  summary:
    'Group of a class, trend and decimals of a property, order and cg:shownAs of both, cg:over, cg:outside and cg:social of a code, and cg:titleNoise and cg:titleSpecimen of a code set have one value each, which pages know.',
  hint: `cg:group is ${shownGroups.join(', ')}; cg:shownAs is ${shownAsWords.join(', ')}; cg:trend is ${trendKinds.join(', ')}; cg:order is a whole number of at most nine digits; cg:decimals is one digit; cg:over and cg:social are true, cg:outside is true, critical or false.`,
  check: (input) => [
    ...wrongValues(input, 'group', among(shownGroups), `one of ${shownGroups.join(', ')}`),
    ...wrongValues(input, 'shownAs', among(shownAsWords), `one of ${shownAsWords.join(', ')}`),
    ...wrongValues(input, 'trend', among(trendKinds), `one of ${trendKinds.join(', ')}`),
    ...wrongValues(input, 'order', (value) => /^\d{1,9}$/.test(value), 'one whole number'),
    ...wrongValues(input, 'decimals', (value) => /^\d$/.test(value), 'one digit'),
    ...wrongValues(input, 'over', among(['true']), 'true, or nothing'),
    ...wrongValues(input, 'social', among(['true']), 'true, or nothing'),
    ...wrongValues(input, 'titleNoise', isPattern, 'one regular expression'),
    ...wrongValues(input, 'titleSpecimen', isPattern, 'one regular expression'),
    ...wrongValues(
      input,
      'outside',
      among(['true', 'critical', 'false']),
      'true, critical, false, or nothing',
    ),
  ],
};

const decisions = identifyings.join(', ');

function undecided({ graph }: OntologyInput, { iri: subject, kind, identifying }: PropertyModel): Breach[] {
  if (graph.objects(subject, cg.identifying).length > 0)
    return identifying === undefined
      ? [breach(subject, `must state as cg:identifying one of ${decisions}`, cg.identifying)]
      : [];
  return kind === 'datatype'
    ? [breach(subject, `has literals and does not state as cg:identifying what they tell of a person`)]
    : [];
}

function imprecise({ graph }: OntologyInput, { iri: subject, identifying }: PropertyModel): Breach[] {
  const said = graph.objects(subject, cg.precision);
  if (said.length === 0) return [];
  const isRight = said.length === 1 && precisions.some((each) => each === said[0]?.value);
  if (isRight && identifying === 'date') return [];
  const says = isRight
    ? 'states a cg:precision without cg:identifying "date"'
    : `must state as cg:precision ${precisions.join(', ')}`;
  return [breach(subject, says, cg.precision)];
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    return false;
  }
}

const identifyingRule: OntologyRule = {
  id: 'identifying',
  severity: 'error',
  summary: 'A property with literals states what they reveal about a person.',
  hint: `State cg:identifying: ${decisions}. With "date", cg:precision "year" shows no more than the year. With "none", cg:common lists the values to show, or cg:form gives their pattern; without either, numbers alone are shown.`,
  check: (input) => [
    ...[...input.ontology.properties.values()].flatMap((property) => [
      ...undecided(input, property),
      ...imprecise(input, property),
    ]),
    ...wrongValues(input, 'form', isPattern, 'one regular expression'),
  ],
};

const impersonal: OntologyRule = {
  id: 'impersonal',
  severity: 'error',
  summary: 'A class calls only properties impersonal that it restricts.',
  hint: 'Name a property of the class or of one above it.',
  check: ({ graph, ontology: { classes } }) =>
    [...classes.values()].flatMap(({ iri: subject, rules }) =>
      graph
        .objects(subject, cg.impersonal)
        .filter(({ value }) => !rules.has(value))
        .map(({ value }) =>
          breach(
            subject,
            `states cg:impersonal ${shortName(value)}, a property that it has no restriction of`,
            cg.impersonal,
          ),
        ),
    ),
};

export const pageRules = [pageProperty, pageWord, identifyingRule, impersonal];
