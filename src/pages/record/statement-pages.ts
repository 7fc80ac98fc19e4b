import { PathTemplate } from '../../model/ontology/path-template.js';
import { fileAnswer, shownFile } from './statement-file.js';
import { kindList } from './kind-list.js';
import { statementPage } from './statement-page.js';
import { writeRdf } from '../../rdf/write.js';
import { fileOf } from '../../records/documents/content-key.js';
import { headingOf, kindsOf, type Kind } from '../shown/statement-kinds.js';
import { oneTitlePerCode } from '../../records/titles.js';
import { noSuchResource } from '../../http/handlers/reads.js';
import type { Answer } from '../../http/answer.js';
import type { Site } from '../../http/app-parts.js';
import { IDENTIFIER } from '../../http/target.js';
import { pagePath, readFields, type PageMethods, type PageRequest } from '../../http/sign-in/page-request.js';
import { pageAnswer } from '../../http/sign-in/page-answer.js';
import type { OpenedRecord } from '../../http/recorded-reads.js';
import { forRecord } from './record-frame.js';
import { recordAnswer, frameOf, pathsOfStatements, stripOf } from './record-frame.js';
import { irisOf, RecordReads, type RecordParts } from './record-reads.js';
import { recordPaths } from './frame.js';
import { toldOfNote } from './note-page.js';
import { withClosedLinks } from './closed-links.js';
import { daysOfVisit } from './visit-days.js';
import { withWriters } from './writers.js';
import { bySeverity } from './alert-strip.js';
import { resultsOf } from '../shown/results.js';
import { beginningOf } from '../shown/timeline.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import type { Quad } from '../../rdf/terms.js';
import { cg, sp } from '../../rdf/vocabulary.js';
import type { Ontology } from '../../model/ontology/model.js';
import type { Author } from '../../store/history.js';

const PAGE = 50;
/** A list that is filtered is made of so many. */
const MOST_FILTERED = 500;

/** Makes a page for each list and single statement that calls read, on the calls' paths. */
export function statementPages(site: Site, parts: RecordParts): Readonly<Record<string, PageMethods>> {
  const pages = kindsOf(parts.ontology).flatMap((kind) => {
    const list = forRecord(
      site,
      parts,
      (request, opened) => listOf(site, parts, kind, request, opened),
      kind,
    );
    const single = forRecord(
      site,
      parts,
      (request, opened) => statementOf(site, parts, kind, request, opened),
      { call: kind.item ?? kind.call },
    );
    return kind.call.cardinality === 'single'
      ? [[pagePath(kind.call.path), { GET: single }] as const]
      : [
          [pagePath(kind.call.path), { GET: list }] as const,
          ...(kind.item ? [[pagePath(kind.item.path), { GET: single }] as const] : []),
        ];
  });
  return Object.fromEntries(pages);
}

function listOf(site: Site, parts: RecordParts, kind: Kind, request: PageRequest, opened: OpenedRecord) {
  const { ontology } = parts;
  const fields = readFields(request.target.query);
  const typed = fields.get('offset') ?? '';
  const offset = /^\d{1,9}$/.test(typed) ? Number(typed) : 0;
  const by = fields.get('by') === 'day' ? 'day' : 'test';
  const filter = (fields.get('q') ?? '').trim().slice(0, 100);
  const name = headingOf(kind);
  const path = pathOfKind(site, kind, opened);
  return recordAnswer(site, parts, request, opened, {
    tab: 'other',
    title: name,
    parameters: [offset, by, filter],
    draw: async (reads) => {
      const isResults = kind.hasTrends && kind.group === 'history';
      const limit = filter !== '' ? MOST_FILTERED : PAGE;
      const { iris, total } = isResults
        ? await allOf(reads, kind)
        : await pageOf(ontology, reads, kind, offset, limit);
      const read = await reads.known(kind, iris);
      const statements = withWriters(parts, reads, read);
      const instead = kindsOf(ontology).find(({ model }) => model.iri === kind.model.insteadOf);
      const other = kindsOf(ontology).find(({ model }) => model.insteadOf === kind.model.iri);
      const pathOf = pathsOfStatements(ontology, site.base, site.basePath);
      const trendsPath = recordPaths(site.basePath, opened.holder.record).trends;
      const results = {
        name,
        path,
        trendsPath,
        results: statements.flatMap(resultsOf),
        read: statements.length,
        total,
        isSet: kind.isSet,
        by,
        filter,
        offset,
        pathOf,
      } as const;
      return kindList({
        name,
        comment: instead
          ? `As they were recorded. They could not be entered under “${headingOf(instead)}”: read both lists.`
          : '',
        path,
        statements,
        offset,
        limit,
        total,
        isPartClosed: reads.data.isPartClosed,
        filter,
        unmapped: other && (await unmappedOf(site, reads, other, opened)),
        results: isResults ? results : undefined,
        pathOf,
      });
    },
  });
}

/** Finds all results of a kind, so that each is beside those of its test. */
async function allOf(reads: RecordReads, kind: Kind) {
  const { members, total } = await reads.findMany(kind);
  return { iris: irisOf(members), total };
}

/** Finds a page of a list: what holds now before what is past, what must be noticed first. */
async function pageOf(ontology: Ontology, reads: RecordReads, kind: Kind, offset: number, limit: number) {
  if (kind.group === 'current') {
    const { lasting, past, total, isKnown } = await reads.current(kind);
    const isSorted = kind.model.shown.as === 'alert';
    const sorted = isSorted
      ? bySeverity(ontology, await reads.known(kind, lasting)).map(({ iri }) => iri)
      : lasting;
    if (isKnown) return { iris: [...sorted, ...past].slice(offset, offset + limit), total };
  } else if (kind.group === 'history' && kind.dates.length === 0) {
    // What has no date of its own, such as a panel, has that of its parts: the newest of all come first.
    const { members, total } = await reads.find(kind, { limit: String(MOST_FILTERED) });
    if (members.length === total) {
      const all = await reads.known(kind, irisOf(members));
      const sorted = all.toSorted((a, b) => beginningOf(b).localeCompare(beginningOf(a)));
      return { iris: irisOf(sorted).slice(offset, offset + limit), total };
    }
  }
  const { members, total } = await reads.find(kind, { limit: String(limit), offset: String(offset) });
  return { iris: irisOf(members), total };
}

/** What could not be entered in a list, the latest. */
async function unmappedOf(site: Site, reads: RecordReads, kind: Kind, opened: OpenedRecord) {
  const { reader, order, total } = await reads.list(kind, { limit: String(PAGE) });
  const statements = reader.statements(order);
  const path = pathOfKind(site, kind, opened);
  return {
    name: headingOf(kind),
    path,
    total,
    past: 0,
    isCut: statements.length < total,
    statements,
    isPartClosed: reads.data.isPartClosed,
  };
}

const pathOfKind = ({ basePath }: Site, { call }: Kind, { holder }: OpenedRecord): string =>
  basePath + pagePath(PathTemplate.of(call.path).fill({ record_id: holder.record }));

async function statementOf(
  site: Site,
  parts: RecordParts,
  kind: Kind,
  request: PageRequest,
  opened: OpenedRecord,
): Promise<Answer> {
  const { ontology } = parts;
  const { visitor, target, path } = request;
  const call = kind.item ?? kind.call;
  const { record } = opened.holder;
  const id = path[call.pathParameters[1] ?? ''] ?? '';
  if (kind.item && !IDENTIFIER.test(id)) throw noSuchResource();
  const fields = readFields(target.query);
  if (fields.get('format') === 'raw') return fileAnswer(parts, call, opened, id);
  const reads = new RecordReads(parts, opened.data);
  const { quads, stored, reader, order } = await reads.item(call, id);
  const [statement] = withClosedLinks(ontology, opened.data, reader.statements(order));
  if (!statement) throw noSuchResource();
  const { iri } = statement;
  const inRecord = `${site.base}/records/${record}/`;
  const properties = reader.properties(iri);
  const others = new Set(quads.map(({ subject }) => subject.value));
  others.delete(iri);
  const near = reader.statements([...others].filter((each) => each.startsWith(inRecord)));
  const linking = await reads.linkedTo(statement);
  const related = [...new Map([...near, ...linking].map((each) => [each.iri, each])).values()];
  const told = new Set([iri, ...related.map((each) => each.iri)]);
  const { sameDays, ended, left } = await daysOfVisit(reads, ontology, statement);
  const here = site.basePath + pagePath(iri.slice(site.base.length));
  const file = fileOf(stored, iri);
  const pathOf = pathsOfStatements(ontology, site.base, site.basePath);
  const page = statementPage(visitor.page, {
    frame: frameOf(opened, ontology),
    done: fields.get('added') === '1' ? `Note added. ${toldOfNote(visitor.page.reader)}` : undefined,
    strip: await stripOf(site, parts, reads),
    statement,
    kindPath: kind.item && pathOfKind(site, kind, opened),
    kindName: headingOf(kind),
    properties,
    writer:
      (await writtenBy(parts, request, opened, opened.data.addedBy(iri))) ||
      (isUnsigned(statement, quads) ? 'Author not recorded' : ''),
    related: withWriters(parts, reads, related),
    sameDays: withWriters(
      parts,
      reads,
      sameDays.filter((each) => !told.has(each.iri)),
    ),
    ended: ended.filter((each) => !told.has(each.iri)),
    left,
    isPartClosed: opened.data.isPartClosed,
    trendsPath: recordPaths(site.basePath, record).trends,
    file: file && (await shownFile(file, here, opened.data)),
    source: await writeRdf(oneTitlePerCode([...quads], ontology), 'turtle', ontology),
    pathOf,
  });
  return pageAnswer(visitor.page, page);
}

/** Whether a note names nobody who wrote it. */
const isUnsigned = ({ iri, model }: ShownStatement, quads: readonly Quad[]): boolean =>
  model.iri === sp.ClinicalNote &&
  !quads.some(
    ({ subject, predicate }) =>
      subject.value === iri && [sp.provider, cg.providerName].includes(predicate.value),
  );

/** Says who wrote a statement, by the proof of the request; '' if the operator loaded it, or nobody knows. */
async function writtenBy(
  { people, accounts, manifestOf }: RecordParts,
  request: PageRequest,
  { holder }: OpenedRecord,
  { user, app }: Author = {},
): Promise<string> {
  if (user === undefined && app === undefined) return '';
  const name = user === undefined ? '' : await people.userName(request, user);
  const { role, records = [] } = accounts.user(user ?? '') ?? {};
  // A clinician, or somebody without the record, may have the name of the patient.
  const isPatient = role === 'person' && records.includes(holder.record) && name === holder.name;
  const who = isPatient ? 'the patient' : role === 'clinician' ? name : `${name}, not a clinician`;
  const through = app === undefined ? '' : `the app ${(await manifestOf(app))?.name ?? app}`;
  if (user === undefined) return `Written by ${through}`;
  return `Written by ${who}${through !== '' ? `, with ${through}` : ''}`;
}
