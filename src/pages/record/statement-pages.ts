import { PathTemplate } from '../../model/ontology/path-template.js';
import { kindList, statementPage, type ShownFile } from './statement-page.js';
import { Problem } from '../../model/problem.js';
import { writeRdf } from '../../rdf/write.js';
import { fileOf, type FileOfDocument } from '../../records/documents/content-key.js';
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
import { recordAnswer, frameOf, pathsOfStatements } from './record-frame.js';
import { RecordReads, type RecordParts } from './record-reads.js';

const PAGE = 50;

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
  const typed = readFields(request.target.query).get('offset') ?? '';
  const offset = /^\d{1,9}$/.test(typed) ? Number(typed) : 0;
  const name = headingOf(kind);
  return recordAnswer(parts, request, opened, {
    tab: 'other',
    title: name,
    parameters: [offset],
    draw: async () => {
      const reads = new RecordReads(parts, opened.data);
      const { reader, order, total } = await reads.list(kind, {
        limit: String(PAGE),
        offset: String(offset),
      });
      const other = kindsOf(ontology).find(({ model }) => model.insteadOf === kind.model.iri);
      return kindList({
        name,
        comment: kind.model.comment,
        path: pathOfKind(site, kind, opened),
        statements: reader.statements(order),
        offset,
        limit: PAGE,
        total,
        unmapped: other && (await unmappedOf(site, reads, other, opened)),
        pathOf: pathsOfStatements(ontology, site.base, site.basePath),
      });
    },
  });
}

/** What could not be entered in a list, the latest. */
async function unmappedOf(site: Site, reads: RecordReads, kind: Kind, opened: OpenedRecord) {
  const { reader, order, total } = await reads.list(kind, { limit: String(PAGE) });
  const statements = reader.statements(order);
  const path = pathOfKind(site, kind, opened);
  return { name: headingOf(kind), path, total, past: 0, isCut: statements.length < total, statements };
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
  if (readFields(target.query).get('format') === 'raw') return fileAnswer(parts, call, opened, id);
  const { quads, stored, reader, order } = await new RecordReads(parts, opened.data).item(call, id);
  const [statement] = reader.statements(order);
  if (!statement) throw noSuchResource();
  const others = [...new Set(quads.map(({ subject }) => subject.value))].filter(
    (iri) => iri !== statement.iri,
  );
  const here = site.basePath + pagePath(statement.iri.slice(site.base.length));
  const file = call.answer === 'document' ? fileOf(stored, statement.iri) : undefined;
  const page = statementPage(visitor.page, {
    frame: frameOf(opened, ontology),
    statement,
    kindPath: kind.item && pathOfKind(site, kind, opened),
    kindName: headingOf(kind),
    properties: reader.properties(statement.iri),
    related: reader.statements(others.filter((iri) => iri.startsWith(`${site.base}/records/${record}/`))),
    file: file && shownFile(file, here),
    source: await writeRdf(oneTitlePerCode([...quads], ontology), 'turtle'),
    pathOf: pathsOfStatements(ontology, site.base, site.basePath),
  });
  return pageAnswer(visitor.page, page);
}

/** Image types that browsers show without running scripts. */
const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function shownFile({ fileName, mediaType }: FileOfDocument, here: string): ShownFile {
  return {
    path: `${here}?format=raw`,
    name: fileName,
    isImage: mediaType !== undefined && IMAGES.includes(mediaType),
  };
}

/** Sends a document's file, as apps get it. @throws Problem not-found */
async function fileAnswer(
  parts: RecordParts,
  call: Kind['call'],
  { data }: OpenedRecord,
  id: string,
): Promise<Answer> {
  const { stored, order } = await new RecordReads(parts, data).item(call, id);
  const [iri] = order;
  const file = call.answer === 'document' && iri !== undefined ? fileOf(stored, iri) : undefined;
  if (!file) throw new Problem('not-found', 'The record has no file of this.');
  return { kind: 'file', ...file };
}
