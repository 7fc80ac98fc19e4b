import { isA, type CallModel, type ClassModel, type Ontology } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { statementPathOf } from '../../records/resource-paths.js';
import { isMeasured } from './quantities.js';
import { madeOnce } from '../../rdf/made-once.js';

export type Kind = ReturnType<typeof kindsOf>[number];

/**
 * Returns the kinds of statements that calls read from a record, in class order, with these calls; the properties for
 * start (`dates`), end and status, of all classes of the kind; what leads to numbers (`measures`), in sets
 * if it has no name of its own (`isSet`), such as vital signs; and the paths below a
 * record where they can be (`segments`), none if unknown.
 */
export const kindsOf = madeOnce((ontology: Ontology) => {
  const reads = ontology.calls.filter(
    ({ method, scope, answer }) =>
      method === 'GET' && scope === 'record' && (answer === 'rdf' || answer === 'document'),
  );
  const whole = reads.filter(({ pathParameters }) => pathParameters.length === 1);
  const kinds = whole.flatMap((call) => {
    const model = ontology.classes.get(call.target);
    if (model?.kind !== 'statement') return [];
    const isItem = (other: CallModel): boolean =>
      other.cardinality === 'single' &&
      other.pathParameters.length === 2 &&
      PathTemplate.of(other.path).text.startsWith(`${call.path.replace(/\/$/, '')}/{`);
    const item = call.cardinality === 'multiple' ? reads.find(isItem) : undefined;
    const { group = 'history', date } = model.shown;
    const models = [...ontology.classes.values()].filter(({ iri }) => isA(ontology, iri, model.iri));
    const measured = [...model.rules.values()].filter((rule) => isMeasured(ontology, rule));
    const measures = measured.map(({ property }) => property);
    const hasTrends = date.length > 0 && measures.length > 0;
    const every = (of: 'date' | 'until' | 'status'): string[] => [
      ...new Set(models.flatMap(({ shown }) => shown[of])),
    ];
    const [dates, ends, statuses] = [every('date'), every('until'), every('status')];
    const segments = segmentsOf(models);
    const isSet = model.shown.title.length === 0;
    return [{ model, call, item, group, dates, ends, statuses, segments, measures, hasTrends, isSet }];
  });
  return kinds.sort(
    ({ model: a }, { model: b }) =>
      (a.shown.order === b.shown.order ? 0 : a.shown.order - b.shown.order) || (a.plural < b.plural ? -1 : 1),
  );
});

/** Whether a day tells that it began: it lasts, and can end. What every page shows is left out. */
export const begins = ({ shown: { group, as, until, status } }: ClassModel): boolean =>
  group === 'current' && as !== 'alert' && until.length + status.length > 0;

function segmentsOf(models: readonly ClassModel[]): string[] {
  const segments = models.map((model) => statementPathOf(model)?.segment);
  const known = segments.filter((segment) => segment !== undefined);
  return known.length === segments.length ? [...new Set(known)] : [];
}

export function headingOf({ model, call }: Kind): string {
  return model.heading ?? (call.cardinality === 'single' ? model.label : model.plural);
}
