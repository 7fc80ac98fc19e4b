import { instants } from '../../../query/partial-date.js';
import type { FilterModel } from '../../../ontology/model.js';
import { recordOverviewPage, type ShownKind } from '../../../pages/record/overview-of-record.js';
import { PathTemplate } from '../../../ontology/path-template.js';
import { sp } from '../../../rdf/vocabulary.js';
import { headingOf, kindsOf, type Kind } from '../../../records/shown/statement-kinds.js';
import { beginningOf, timeline } from '../../../records/shown/timeline.js';
import type { PlainAnswer } from '../../answer.js';
import type { Site } from '../../app-parts.js';
import { readFields } from '../form.js';
import { pageAnswer } from '../page-answer.js';
import type { PageRequest } from '../page-request.js';
import type { OpenedRecord } from './open-record.js';
import { frameOf, pagePath, pathsOfStatements } from './record-frame.js';
import { RecordReads, type RecordParts } from './record-reads.js';

/** How many statements of a kind that is current are read. */
const CURRENT = 500;
/** How many of each kind, and of all together, a part of the history is made of. */
const HISTORY = 40;
const SHOWN = 60;
/** How many of a kind are read where nothing can ask for earlier ones. */
const WHOLE = 500;

/** An app that can be opened with a record. */
export interface StartableApp {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** A date filter of a kind, by what it keeps. */
export function dateFilter({ call, model }: Kind, operator: FilterModel['operator']): string | undefined {
  return call.filters.find(
    (filter) =>
      filter.operator === operator &&
      filter.properties.some((property) => model.shown.date.includes(property)),
  )?.name;
}

/** `/account/records/{record_id}`: what is current, the history, and everything by kind. */
export async function overview(
  site: Site,
  parts: RecordParts,
  apps: () => Promise<readonly StartableApp[]>,
  { visitor, target }: PageRequest,
  opened: OpenedRecord,
): Promise<PlainAnswer> {
  const { ontology } = parts;
  const { holder } = opened;
  const typed = readFields(target.query).get('before') ?? '';
  const before = instants(typed) ? typed : undefined;
  const reads = new RecordReads(parts, holder.record);
  const shown: (ShownKind & { readonly kind: Kind })[] = [];
  // One after the other: a page takes one place in the query queue, not one for each kind.
  for (const kind of kindsOf(ontology)) {
    const { total, statements } = await reads.list(kind, listArguments(kind, before));
    const path = site.basePath + pagePath(PathTemplate.of(kind.call.path).fill({ record_id: holder.record }));
    shown.push({ kind, name: headingOf(kind), path, total, statements });
  }
  const inGroup = (group: Kind['group']) => shown.filter(({ kind }) => kind.group === group);
  const limit = before === undefined ? undefined : instants(before)?.low;
  const history = timeline(
    inGroup('history')
      .filter(({ kind }) => kind.model.shown.date.length > 0)
      .map(({ total, statements }) => ({
        statements: statements.filter((each) => limit === undefined || beginningOf(each) < limit),
        more: total > statements.length,
      }))
      .filter(({ statements }) => statements.length > 0),
    SHOWN,
  );
  const photograph = shown.find(({ kind, total }) => kind.model.iri === sp.Photograph && total > 0);
  const page = recordOverviewPage(visitor.page, {
    frame: {
      ...frameOf(opened, ontology),
      photograph: photograph && `${photograph.path}?format=raw`,
    },
    current: inGroup('current'),
    person: inGroup('person').filter(
      ({ total, kind }) =>
        total > 0 && kind.model.iri !== sp.Photograph && kind.model.iri !== sp.Demographics,
    ),
    history,
    before,
    kinds: shown.filter(({ total }) => total > 0),
    apps: await apps(),
    pathOf: pathsOfStatements(ontology, site.base, site.basePath),
  });
  return pageAnswer(visitor.page, page, { images: true });
}

function listArguments(kind: Kind, before: string | undefined): Record<string, string> {
  if (kind.group === 'current') return { limit: String(CURRENT) };
  if (kind.group === 'person') return { limit: String(WHOLE) };
  const filter = dateFilter(kind, 'to_excluding');
  if (before === undefined) return { limit: String(HISTORY) };
  return filter === undefined ? { limit: String(WHOLE) } : { limit: String(HISTORY), [filter]: before };
}
