import { instants } from '../../model/query/partial-date.js';
import type { FilterModel } from '../../model/ontology/model.js';
import type { StartableApp } from '../../http/html/rows-table.js';
import { nameOf, type OpenEmergency } from './frame.js';
import type { Html } from '../../http/html/html.js';
import { alertStrip, readAlerts } from './alert-strip.js';
import type { Latest } from './latest-sheet.js';
import { recordOverview, type ShownKind } from './overview-of-record.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { sp } from '../../rdf/vocabulary.js';
import { fileOf } from '../../records/documents/content-key.js';
import type { ListMembers } from '../../records/lists/list.js';
import { begins, headingOf, kindsOf, type Kind } from '../shown/statement-kinds.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { latestResults, resultsOf, type LatestResults } from '../shown/results.js';
import { isLongStay, isOfDays, ofStays, stayOf } from '../shown/stays.js';
import { beginningOf, isOver, timeline } from '../shown/timeline.js';
import type { FramedAnswer } from '../../http/answer.js';
import type { Site } from '../../http/app-parts.js';
import { pagePath, readFields, type PageRequest } from '../../http/sign-in/page-request.js';
import { recordAnswer, pathsOfStatements } from './record-frame.js';
import type { OpenedRecord } from '../../http/recorded-reads.js';
import type { RecordData } from '../../http/record-data.js';
import { irisOf, RecordReads, type RecordParts } from './record-reads.js';
import { withWriters } from './writers.js';

const SHOWN = 50;
/** Entries of the history at least, and days of an earlier part, of a kind at most those found. */
const HISTORY = 12;
const DAYS = 4;
const FOUND = 100;
/** The latest statements of a kind in which results are looked for, and the results shown. */
const MEASURED = 1000;
const MOST_LATEST = 8;
/** Visits before what the history shows. */
const EARLIER = 5;

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
  return recordAnswer(site, parts, request, opened, {
    hasStrip: true,
    tab: 'record',
    title: nameOf(holder),
    parameters: [before],
    besides: apps,
    photograph: photographOf(site, parts, opened.data),
    emergencies: await emergenciesOf(parts, request, opened),
    draw: () => overviewContent(site, parts, { data: opened.data, before, apps }),
  });
}

/** Finds who opened the record in an emergency that goes on: for the patient, not for clinicians. */
async function emergenciesOf(
  { accounts, people }: RecordParts,
  request: PageRequest,
  { user, holder }: OpenedRecord,
): Promise<OpenEmergency[]> {
  if (user.role !== 'person') return [];
  const open = accounts.listEmergencies().filter(({ record }) => record === holder.record);
  return Promise.all(
    open.map(async ({ user: id, ...each }) => ({ ...each, who: await people.userName(request, id) })),
  );
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
  parts: Pick<RecordParts, 'ontology' | 'base' | 'accounts'>,
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
  const { record, isPartClosed } = data;
  const reads = new RecordReads(parts, data);
  const pathOf = pathsOfStatements(ontology, base, basePath);
  const pathOfKind = ({ call }: Kind): string =>
    basePath + pagePath(PathTemplate.of(call.path).fill({ record_id: record }));
  const isLatest = before === undefined;
  const alerts = await readAlerts(ontology, reads, pathOfKind);
  const found: Found[] = [];
  // One after another, so that a page takes one place in the query queue.
  for (const kind of kindsOf(ontology)) {
    const { as } = kind.model.shown;
    if (as !== 'alert' && (isLatest || kind.group === 'history' || begins(kind.model)))
      found.push({ kind, ...(await membersOf(reads, kind, before)) });
  }
  const limit = isLatest ? undefined : instants(before)?.low;
  const isListed = ({ kind: { group, dates, model } }: Found): boolean =>
    (group === 'history' || begins(model)) && dates.length > 0 && model.shown.as !== 'folded';
  const visits = found.find(({ kind }) => kind.model.shown.as === 'visit');
  const ofDays = (visits?.members ?? []).filter(isOfDays);
  const history = timeline(
    found
      .filter(isListed)
      .map(({ members, total }) => ({
        statements: members.filter((each) => limit === undefined || beginningOf(each) < limit),
        more: total > members.length,
      }))
      .filter(({ statements }) => statements.length > 0),
    HISTORY,
    isLatest ? 1 : DAYS,
    ofDays,
  );
  const { told, left } = ofStays(
    new Set(irisOf(history.statements)),
    ofDays,
    found.flatMap(({ kind: { hasTrends, model }, members }) => (hasTrends ? { model, members } : [])),
    before,
  );
  const read = new Map<string, ShownStatement>();
  const shown: (ShownKind & { readonly kind: Kind })[] = [];
  const folded: { readonly kind: ShownKind; readonly last: string }[] = [];
  const latest: Latest[] = [];
  const visited = visits?.members[0]?.date?.slice(0, 10);
  const [end = ''] = history.statements.slice(-1).map(beginningOf);
  // A stay that began earlier than what is shown heads what was done in it.
  const heads = new Set(
    history.statements.filter((each) => !visits?.members.includes(each)).map((each) => stayOf(each, ofDays)),
  );
  const stays = new Set(irisOf(ofDays.filter((each) => !told.has(each.iri) && heads.has(each))));
  const earlier = isLatest && visits ? earlierVisits(visits, end, stays) : undefined;
  const isEarlier = (iri: string): boolean => earlier?.next.includes(iri) === true || earlier?.stay === iri;
  const today = reads.today;
  const hasEnded = ({ until }: { readonly until?: string | undefined }): boolean => {
    const day = until === undefined ? '' : (instants(until)?.low ?? '');
    return isOver(until, today) && day >= (history.before ?? '') && (limit === undefined || day < limit);
  };
  const ended = new Set(
    found
      .filter((each) => begins(each.kind.model) && isListed(each))
      .flatMap(({ members }) => members.filter(hasEnded).map(({ iri }) => iri)),
  );
  for (const each of found) {
    const { kind, members, total } = each;
    const { lasting } = reads.parted(members);
    const isMeasured = isLatest && kind.hasTrends;
    const measured = isMeasured ? await reads.latestOfEach(kind, members) : undefined;
    const isWanted = ({ iri }: { readonly iri: string }): boolean =>
      measured?.latest.has(iri) === true || told.has(iri) || stays.has(iri) || isEarlier(iri);
    const now = new Set(isLatest ? lasting.slice(0, SHOWN) : []);
    const isHistory = kind.group === 'history';
    const wanted = members.filter((member) =>
      isHistory ? isWanted(member) : now.has(member.iri) || told.has(member.iri) || ended.has(member.iri),
    );
    const all = await reads.known(kind, isBeside(kind) ? [] : wanted.map(({ iri }) => iri));
    for (const statement of all) read.set(statement.iri, statement);
    // Of what is kept in words, only the words say that it is over.
    const statements = isHistory ? all : all.filter(({ iri, isOver }) => now.has(iri) && !isOver);
    const over = isHistory ? 0 : all.filter(({ iri }) => now.has(iri)).length - statements.length;
    const [path, name] = [pathOfKind(kind), headingOf(kind)];
    if (measured) {
      const { isSet } = kind;
      const every = new Map(statements.map((each) => [each.iri, resultsOf(each)]));
      const latestOf = (): LatestResults =>
        latestResults(
          members.flatMap(({ iri }) => every.get(iri) ?? []),
          MOST_LATEST,
          isSet,
        );
      const chosen = new Set(latestOf().results.map(({ latest: { iri } }) => iri));
      for (const each of await reads.known(kind, measured.before(chosen)))
        every.set(each.iri, resultsOf(each));
      const results = latestOf();
      const read = members.length;
      if (results.tests > 0 || isPartClosed)
        latest.push({ name, path, ...results, isSet, total, read, today, visited });
    }
    const isKnown = members.length === total;
    const isCut = !isKnown || statements.length + over < lasting.length;
    const past = isKnown && (over === 0 || !isCut) ? total - lasting.length + over : 0;
    const kindShown = { kind, name, path, total, past, isCut, statements, isPartClosed };
    shown.push(kindShown);
    if (kind.model.shown.as === 'folded' && members[0]?.date !== undefined)
      folded.push({ kind: kindShown, last: members[0].date });
  }
  const inGroup = (group: Kind['group']) => shown.filter(({ kind }) => kind.group === group);
  const isBelow = ({ model: { insteadOf } }: Kind, { model }: Kind): boolean => insteadOf === model.iri;
  const current = inGroup('current').flatMap((each) => {
    const unmapped = shown.find(({ kind }) => isBelow(kind, each.kind));
    return shown.some(({ kind }) => isBelow(each.kind, kind)) ? [] : { ...each, unmapped };
  });
  const ofAlerts = alerts.map((alert) => ({
    ...alert,
    name: headingOf(alert.kind),
    isCut: false,
    isPartClosed,
  }));
  return recordOverview({
    basePath,
    record,
    strip: alertStrip(ontology, alerts, pathOf, isPartClosed),
    current,
    latest,
    person: inGroup('person').filter(({ statements }) => statements.length > 0),
    isPartClosed,
    history: {
      ...history,
      statements: withWriters(
        parts,
        reads,
        history.statements.flatMap(({ iri }) => (told.has(iri) && read.get(iri)) || []),
      ),
      left,
    },
    earlier: earlier && {
      next: earlier.next.flatMap((iri) => read.get(iri) ?? []),
      stay: read.get(earlier.stay ?? ''),
      more: earlier.more,
      path: visits && pathOfKind(visits.kind),
    },
    ended: [...ended].flatMap((iri) => read.get(iri) ?? []),
    stays: [...stays].flatMap((iri) => read.get(iri) ?? []),
    folded: isLatest ? folded : [],
    before,
    kinds: [...ofAlerts, ...shown].filter(({ total }) => total > 0),
    apps,
    pathOf,
  });
}

interface Found extends ListMembers {
  readonly kind: Kind;
}

/** Finds the next visits before a time, and the latest stay before these. */
function earlierVisits({ members, total }: ListMembers, end: string, shown: ReadonlySet<string>) {
  const isBefore = (each: (typeof members)[number]): boolean =>
    beginningOf(each) !== '' && beginningOf(each) < end && !shown.has(each.iri);
  const before = members.filter(isBefore);
  const next = irisOf(before.slice(0, EARLIER));
  const latest = members.find(isLongStay);
  const stay = latest && before.slice(EARLIER).includes(latest) ? latest.iri : undefined;
  return { next, stay, more: total - (members.length - before.length) - next.length };
}

const isBeside = ({ model }: Kind): boolean => model.iri === sp.Photograph || model.iri === sp.Demographics;

/** Finds what an overview looks at: of what may still hold, all; of what happened, the latest before a day. */
function membersOf(reads: RecordReads, kind: Kind, before: string | undefined): Promise<ListMembers> {
  const filter = dateFilter(kind, 'to_excluding');
  const given = before === undefined || filter === undefined ? {} : { [filter]: before };
  // What ended in this part of the history may have begun long before it.
  if (kind.group !== 'history' || (before !== undefined && filter === undefined))
    return reads.findMany(kind, given);
  const limit = String(kind.hasTrends ? MEASURED : FOUND);
  return reads.find(kind, { ...given, limit });
}
