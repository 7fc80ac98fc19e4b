import type { Flow } from '../../../oauth/flow/flow.js';
import { exportRdf } from '../../../records/export-data.js';
import type { PlainAnswer } from '../../answer.js';
import { namedRecord, readFields } from '../form.js';
import { redirect } from '../page-answer.js';
import type { PageMethods } from '../page-request.js';
import { signInFirst } from '../sign-in-first.js';
import type { Site } from '../../app-parts.js';
import { startableApps } from '../account.js';
import { accesses } from './accesses.js';
import { forRecord, maySeeAccesses, type OpenedRecord } from './open-record.js';
import { overview } from './overview.js';
import type { RecordParts } from './record-reads.js';
import { statementPages } from './statement-pages.js';
import { trends } from './record-trends.js';
import { noteForm, writeNote } from './write-note.js';

/** A note of 20,000 characters, each of which may take twelve bytes in a form. */
const NOTE_LIMIT = 256 * 1024;

/**
 * The pages of records. Those of statements have the paths of their calls, below `/account`; the others stand beside
 * them, so that no call of an ontology can take their place.
 */
export function recordPages(
  site: Site,
  flow: Flow,
  parts: RecordParts,
): Readonly<Record<string, PageMethods>> {
  const apps = () => startableApps(flow);
  return {
    ...statementPages(site, parts),
    '/account/records/{record_id}': {
      GET: forRecord(site, parts, (request, opened) => overview(site, parts, apps, request, opened)),
    },
    '/account/trends/{record_id}': {
      GET: forRecord(site, parts, (request, opened) => trends(site, parts, request, opened)),
    },
    '/account/notes/{record_id}': {
      GET: forRecord(site, parts, (request, opened) => noteForm(parts, request, opened)),
      POST: forRecord(site, parts, (request, opened) => writeNote(site, parts, request, opened)),
      bodyLimit: NOTE_LIMIT,
    },
    '/account/exports/{record_id}': {
      GET: forRecord(site, parts, (_, opened) => exportRecord(parts, opened)),
    },
    '/account/accesses': {
      GET: ({ visitor, target }) => {
        if (!visitor.user) return signInFirst(site, target.raw);
        const record = namedRecord(readFields(target.query), () => undefined);
        return redirect(`${site.basePath}/account${record === undefined ? '' : `/accesses/${record}`}`);
      },
    },
    '/account/accesses/{record_id}': {
      GET: forRecord(site, parts, (request, opened) => accesses(parts, request, opened), maySeeAccesses),
    },
  };
}

/** `/account/exports/{record_id}`: all of a record in Turtle, to be saved. */
async function exportRecord(parts: RecordParts, { holder }: OpenedRecord): Promise<PlainAnswer> {
  let body = '';
  for await (const chunk of exportRdf({ ...parts, format: 'turtle', recordId: holder.record })) body += chunk;
  return {
    kind: 'plain',
    mediaType: 'text/turtle',
    headers: { 'Content-Disposition': `attachment; filename="record-${holder.record}.ttl"` },
    body,
  };
}
