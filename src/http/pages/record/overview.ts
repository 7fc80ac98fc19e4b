import { instants } from '../../../query/partial-date.js';
import type { FilterModel } from '../../../ontology/model.js';
import { nameOf } from '../../../pages/record/frame.js';
import type { Html } from '../../../pages/html.js';
import { recordOverview, type ShownKind } from '../../../pages/record/overview-of-record.js';
import { PathTemplate } from '../../../ontology/path-template.js';
import { sp } from '../../../rdf/vocabulary.js';
import { headingOf, kindsOf, type Kind } from '../../../records/shown/statement-kinds.js';
import { beginningOf, timeline } from '../../../records/shown/timeline.js';
import type { FramedAnswer } from '../../answer.js';
import type { Site } from '../../app-parts.js';
import { readFields } from '../form.js';
import type { PageRequest } from '../page-request.js';
import type { OpenedRecord } from './open-record.js';
import { recordAnswer } from './record-answer.js';
import { pagePath, pathsOfStatements } from './record-frame.js';
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
  startable: () => Promise<readonly StartableApp[]>,
  request: PageRequest,
  opened: OpenedRecord,
): Promise<FramedAnswer> {
  const { holder } = opened;
  const typed = readFields(request.target.query).get('before') ?? '';
  const before = instants(typed) ? typed : undefined;
  const apps = (await startable()).map(({ id, name }) => ({ id, name }));
  return recordAnswer(
    parts,
    request,
    opened,
    {
      tab: 'record',
      title: nameOf(holder),
      parameters: [before],
      besides: apps,
      photograph: photographOf(site, parts, holder.record),
      draw: () => drawn(site, parts, { record: holder.record, before, apps }),
    },
    { images: true },
  );
}

/** Where the photograph of a record is, if it has one. */
function photographOf({ basePath }: Site, { ontology, primary, base }: RecordParts, record: string) {
  const kind = kindsOf(ontology).find(({ model }) => model.iri === sp.Photograph);
  const path = kind && PathTemplate.of(kind.call.path).fill({ record_id: record });
  return path !== undefined && primary.has(base + path)
    ? `${basePath}${pagePath(path)}?format=raw`
    : undefined;
}

async function drawn(
  { base, basePath }: Site,
  parts: RecordParts,
  {
    record,
    before,
    apps,
  }: {
    readonly record: string;
    readonly before: string | undefined;
    readonly apps: readonly Pick<StartableApp, 'id' | 'name'>[];
  },
): Promise<Html> {
  const { ontology } = parts;
  const reads = new RecordReads(parts, record);
  const shown: (ShownKind & { readonly kind: Kind })[] = [];
  // One after the other: a page takes one place in the query queue, not one for each kind.
  for (const kind of kindsOf(ontology)) {
    const { total, statements } = await reads.list(kind, listArguments(kind, before));
    const path = basePath + pagePath(PathTemplate.of(kind.call.path).fill({ record_id: record }));
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
  return recordOverview({
    basePath,
    record,
    current: inGroup('current'),
    person: inGroup('person').filter(
      ({ total, kind }) =>
        total > 0 && kind.model.iri !== sp.Photograph && kind.model.iri !== sp.Demographics,
    ),
    history,
    before,
    kinds: shown.filter(({ total }) => total > 0),
    apps,
    pathOf: pathsOfStatements(ontology, base, basePath),
  });
}

function listArguments(kind: Kind, before: string | undefined): Record<string, string> {
  if (kind.group === 'current') return { limit: String(CURRENT) };
  if (kind.group === 'person') return { limit: String(WHOLE) };
  const filter = dateFilter(kind, 'to_excluding');
  if (before === undefined) return { limit: String(HISTORY) };
  return filter === undefined ? { limit: String(WHOLE) } : { limit: String(HISTORY), [filter]: before };
}
