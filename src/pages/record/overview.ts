import { instants } from '../../model/query/partial-date.js';
import type { FilterModel } from '../../model/ontology/model.js';
import type { StartableApp } from '../../http/html/rows-table.js';
import { nameOf } from './frame.js';
import type { Html } from '../../http/html/html.js';
import { recordOverview, type ShownKind } from './overview-of-record.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { sp } from '../../rdf/vocabulary.js';
import { fileOf } from '../../records/documents/content-key.js';
import type { ListMembers } from '../../records/lists/list.js';
import { headingOf, kindsOf, type Kind } from '../shown/statement-kinds.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { beginningOf, isOver, saysOver, timeline } from '../shown/timeline.js';
import type { FramedAnswer } from '../../http/answer.js';
import type { Site } from '../../http/app-parts.js';
import { pagePath, readFields, type PageRequest } from '../../http/sign-in/page-request.js';
import { recordAnswer, pathsOfStatements } from './record-frame.js';
import type { OpenedRecord } from '../../http/recorded-reads.js';
import type { RecordData } from '../../http/record-data.js';
import { RecordReads, type RecordParts } from './record-reads.js';

const WHOLE = 500;
const SHOWN = 50;
const HISTORY = 60;

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
  return recordAnswer(parts, request, opened, {
    tab: 'record',
    title: nameOf(holder),
    parameters: [before],
    besides: apps,
    photograph: photographOf(site, parts, opened.data),
    draw: () => overviewContent(site, parts, { data: opened.data, before, apps }),
  });
}

function photographOf({ basePath }: Site, { ontology, base }: RecordParts, data: RecordData) {
  const kind = kindsOf(ontology).find(({ model }) => model.iri === sp.Photograph);
  const path = kind && PathTemplate.of(kind.call.path).fill({ record_id: data.record });
  const stored = kind && data.stored(kind.call);
  return path !== undefined && stored && fileOf(stored, base + path)
    ? `${basePath}${pagePath(path)}?format=raw`
    : undefined;
}

/** Draws the overview: finds all statements, but reads only those shown. */
export async function overviewContent(
  { base, basePath }: Pick<Site, 'base' | 'basePath'>,
  parts: Pick<RecordParts, 'ontology' | 'base'>,
  {
    data,
    before,
    apps,
  }: {
    readonly data: RecordData;
    readonly before: string | undefined;
    readonly apps: readonly Pick<StartableApp, 'id' | 'name'>[];
  },
): Promise<Html> {
  const { ontology } = parts;
  const { record } = data;
  const reads = new RecordReads(parts, data);
  const today = new Date().toISOString().slice(0, 10);
  const isLatest = before === undefined;
  const found: Found[] = [];
  // One after another, so that a page takes one place in the query queue.
  for (const kind of kindsOf(ontology)) {
    if (isLatest || kind.group === 'history')
      found.push({ kind, ...(await reads.find(kind, listArguments(kind, before))) });
  }
  const limit = isLatest ? undefined : instants(before)?.low;
  const history = timeline(
    found
      .filter(({ kind }) => kind.group === 'history' && kind.dates.length > 0)
      .map(({ members, total }) => ({
        statements: members.filter((each) => limit === undefined || beginningOf(each) < limit),
        more: total > members.length,
      }))
      .filter(({ statements }) => statements.length > 0),
    HISTORY,
  );
  const told = new Set(history.statements.map(({ iri }) => iri));
  const read = new Map<string, ShownStatement>();
  const shown: (ShownKind & { readonly kind: Kind })[] = [];
  for (const { kind, members, total } of found) {
    const lasting = members.filter(
      ({ until, status }) => !isOver(until, today) && !saysOver(ontology, status),
    );
    const wanted =
      kind.group === 'history' ? members.filter(({ iri }) => told.has(iri)) : lasting.slice(0, SHOWN);
    const iris = isBeside(kind) ? [] : wanted.map(({ iri }) => iri);
    const statements = await reads.known(kind, iris);
    for (const statement of statements) read.set(statement.iri, statement);
    const path = basePath + pagePath(PathTemplate.of(kind.call.path).fill({ record_id: record }));
    const isKnown = members.length === total;
    const past = isKnown ? total - lasting.length : 0;
    const isCut = !isKnown || statements.length < lasting.length;
    shown.push({ kind, name: headingOf(kind), path, total, past, isCut, statements });
  }
  const inGroup = (group: Kind['group']) => shown.filter(({ kind }) => kind.group === group);
  const isBelow = ({ model: { insteadOf } }: Kind, { model }: Kind): boolean => insteadOf === model.iri;
  const current = inGroup('current').flatMap((each) => {
    const unmapped = shown.find(({ kind }) => isBelow(kind, each.kind));
    return shown.some(({ kind }) => isBelow(each.kind, kind)) ? [] : { ...each, unmapped };
  });
  return recordOverview({
    basePath,
    record,
    current,
    person: inGroup('person').filter(({ statements }) => statements.length > 0),
    history: { ...history, statements: history.statements.flatMap(({ iri }) => read.get(iri) ?? []) },
    before,
    kinds: shown.filter(({ total }) => total > 0),
    apps,
    pathOf: pathsOfStatements(ontology, base, basePath),
  });
}

interface Found extends ListMembers {
  readonly kind: Kind;
}

const isBeside = ({ model }: Kind): boolean => model.iri === sp.Photograph || model.iri === sp.Demographics;

function listArguments(kind: Kind, before: string | undefined): Record<string, string> {
  if (kind.group !== 'history') return { limit: String(WHOLE) };
  const filter = dateFilter(kind, 'to_excluding');
  if (before === undefined) return { limit: String(HISTORY) };
  return filter === undefined ? { limit: String(WHOLE) } : { limit: String(HISTORY), [filter]: before };
}
