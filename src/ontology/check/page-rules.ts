import { cg } from '../../rdf/vocabulary.js';
import { shownGroups, trendKinds, type ClassModel } from '../model.js';
import { shownProperties } from '../shown-as.js';
import { shortName } from '../term-names.js';
import type { Breach, OntologyInput, OntologyRule } from './rule.js';

/** The annotations whose property holds a date. */
const dates: readonly string[] = ['date', 'until'];

/** What a class says of its properties that cannot be: it has no such property, or one of no date. */
function misnamed({ graph, ontology }: OntologyInput, model: ClassModel): Breach[] {
  return shownProperties.flatMap((annotation) =>
    graph.objects(model.iri, cg[annotation]).flatMap(({ value }) => {
      const name = `cg:${annotation}`;
      const near = cg[annotation];
      if (!model.rules.has(value))
        return [
          {
            subject: model.iri,
            says: `states ${name} ${shortName(value)}, a property that it has no restriction of`,
            near,
          },
        ];
      return dates.includes(annotation) && ontology.properties.get(value)?.valueType !== 'date'
        ? [
            {
              subject: model.iri,
              says: `states ${name} ${shortName(value)}, whose values are no dates`,
              near,
            },
          ]
        : [];
    }),
  );
}

const pageProperty: OntologyRule = {
  id: 'page-property',
  severity: 'error',
  summary:
    'What a class shows as its title, date, value and so on is a property that it restricts; of dates one of the value type date.',
  hint: 'Name a property of the class or of one above it; a property with dates states cg:valueType "date".',
  check: (input) => [...input.ontology.classes.values()].flatMap((model) => misnamed(input, model)),
};

/** Values of an annotation, wherever it stands, that cannot be. */
function wrongValues(
  { graph }: OntologyInput,
  annotation: 'group' | 'trend' | 'order' | 'over' | 'outside',
  isRight: (value: string) => boolean,
  says: string,
): Breach[] {
  return [...graph.subjects()].flatMap((subject) => {
    const values = graph.objects(subject, cg[annotation]);
    const isWrong = values.length > 1 || values.some(({ value }) => !isRight(value));
    return isWrong ? [{ subject, says: `must state as cg:${annotation} ${says}`, near: cg[annotation] }] : [];
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
    'The group of a class, the trend of a property, the order of both and what a code says of being over or outside of normal have values that pages know, one each.',
  hint: `cg:group is ${shownGroups.join(', ')}; cg:trend is ${trendKinds.join(', ')}; cg:order is a whole number of at most nine digits; cg:over and cg:outside are true.`,
  check: (input) => [
    ...wrongValues(input, 'group', among(shownGroups), `one of ${shownGroups.join(', ')}`),
    ...wrongValues(input, 'trend', among(trendKinds), `one of ${trendKinds.join(', ')}`),
    ...wrongValues(input, 'order', (value) => /^\d{1,9}$/.test(value), 'one whole number'),
    ...wrongValues(input, 'over', among(['true']), 'true, or nothing'),
    ...wrongValues(input, 'outside', among(['true']), 'true, or nothing'),
  ],
};

/** Rules about what a class and its properties say to pages. */
export const pageRules = [pageProperty, pageWord];
