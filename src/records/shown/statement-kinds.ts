import {
  isA,
  type CallModel,
  type ClassModel,
  type Ontology,
  type ShownGroup,
} from '../../ontology/model.js';
import { PathTemplate } from '../../ontology/path-template.js';
import { statementPathOf } from '../resource-paths.js';
import { isMeasured } from './quantities.js';
import { madeOnce } from '../../rdf/made-once.js';

/** A kind of statement that records hold, with the calls that read it. */
export interface Kind {
  readonly model: ClassModel;
  /** Reads all of them, or the only one. */
  readonly call: CallModel;
  /** Reads one of several. */
  readonly item?: CallModel | undefined;
  readonly group: ShownGroup;
  /** What holds when they were or began, and when they ended: the properties of all classes among them. */
  readonly dates: readonly string[];
  readonly ends: readonly string[];
  /** What holds the codes that say where they stand, in the same way. */
  readonly statuses: readonly string[];
  /** The paths below a record beneath which such statements can be; empty where that is not known. */
  readonly segments: readonly string[];
  /** Whether trends are drawn of it. */
  readonly hasTrends: boolean;
}

/** The kinds of statements that the calls of an ontology read from a record, in the order of their classes. */
export const kindsOf = madeOnce((ontology: Ontology): readonly Kind[] => {
  const reads = ontology.calls.filter(
    ({ method, scope, answer }) =>
      method === 'GET' && scope === 'record' && (answer === 'rdf' || answer === 'document'),
  );
  const whole = reads.filter(({ pathParameters }) => pathParameters.length === 1);
  const kinds = whole.flatMap((call): Kind[] => {
    const model = ontology.classes.get(call.target);
    if (model?.kind !== 'statement') return [];
    const isItem = (other: CallModel): boolean =>
      other.cardinality === 'single' &&
      other.pathParameters.length === 2 &&
      PathTemplate.of(other.path).text.startsWith(`${call.path.replace(/\/$/, '')}/{`);
    const item = call.cardinality === 'multiple' ? reads.find(isItem) : undefined;
    const { group = 'history', date } = model.shown;
    const models = [...ontology.classes.values()].filter(({ iri }) => isA(ontology, iri, model.iri));
    const hasTrends = date.length > 0 && [...model.rules.values()].some((rule) => isMeasured(ontology, rule));
    const every = (of: 'date' | 'until' | 'status'): string[] => [
      ...new Set(models.flatMap(({ shown }) => shown[of])),
    ];
    const [dates, ends, statuses] = [every('date'), every('until'), every('status')];
    return [{ model, call, item, group, dates, ends, statuses, segments: segmentsOf(models), hasTrends }];
  });
  return kinds.sort(
    ({ model: a }, { model: b }) =>
      (a.shown.order === b.shown.order ? 0 : a.shown.order - b.shown.order) || (a.plural < b.plural ? -1 : 1),
  );
});

/** Where statements of classes lie in a record. */
function segmentsOf(models: readonly ClassModel[]): string[] {
  const segments = models.map((model) => statementPathOf(model)?.segment);
  const known = segments.filter((segment) => segment !== undefined);
  return known.length === segments.length ? [...new Set(known)] : [];
}

/** What people call the statements of a kind. */
export function headingOf({ model, call }: Kind): string {
  return model.heading ?? (call.cardinality === 'single' ? model.label : model.plural);
}
