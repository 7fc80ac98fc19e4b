import type { Flow } from '../access/oauth/flow.js';
import type { PlainAnswer } from '../http/answer.js';
import type { Site } from '../http/app-parts.js';
import type { Feature } from '../http/feature.js';
import { redirect } from '../http/sign-in/page-answer.js';
import {
  enrolmentFirst,
  namedRecord,
  pageRoutes,
  readFields,
  signInFirst,
  type PageMethods,
  type PageRequest,
} from '../http/sign-in/page-request.js';
import { flowRoutes } from '../http/sign-in/page-routes.js';
import { adminPages } from './admin/admin-routes.js';
import { accountPage, accountPages, startPage, startableApps } from './account.js';
import { emergencyPages } from './emergency.js';
import { accesses } from './record/accesses.js';
import { changeClosed, closedParts } from './record/closed-parts.js';
import { overview } from './record/overview.js';
import { forRecord, maySeeAccesses, noteCall } from './record/record-frame.js';
import type { OpenedRecord } from '../http/recorded-reads.js';
import type { RecordParts } from './record/record-reads.js';
import { trends } from './record/record-trends.js';
import { statementPages } from './record/statement-pages.js';
import { checkNote, noteForm, writeNote } from './record/write-note.js';
import { securityPages } from './security-account.js';

/** The pages for people: start, account and records, on paths that no call uses. */
export const pages: Feature = {
  pages(app) {
    const { site, flow, people } = app;
    const parts: RecordParts = { ...app, ...app.program, ...flow, base: site.base, settings: app.settings };
    const guard = enrolmentFirst(site);
    const ofRecords = Object.entries(recordPages(site, flow, parts));
    return [
      ...flowRoutes(
        flow,
        {
          '/': (own) => startPage(site, own),
          '/account': (own) => accountPage(site, own, people),
          '/account/apps': (own) => accountPages(site, own, people),
          '/account/emergency': (own) => emergencyPages(site, own, people),
          ...adminPages(app),
          '/account/security': (own) => securityPages(site, own, people).overview,
          '/account/security/sessions': (own) => securityPages(site, own, people).sessions,
          '/account/security/tokens': (own) => securityPages(site, own, people).tokens,
        },
        guard,
      ),
      ...flowRoutes(
        flow,
        {
          '/account/security/new-password': (own) => securityPages(site, own, people).newPassword,
          '/account/security/password': (own) => securityPages(site, own, people).password,
        },
        (handler) => (request) =>
          request.visitor.mustChangePassword ? handler(request) : guard(handler)(request),
      ),
      ...ofRecords.flatMap(([path, methods]) => pageRoutes(path, methods, guard)),
    ];
  },
};

const NOTE_LIMIT = 256 * 1024;

/** Makes the pages of records: of statements on their calls' paths below `/account`, others on their own. */
function recordPages(site: Site, flow: Flow, parts: RecordParts): Readonly<Record<string, PageMethods>> {
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
      GET: forRecord(site, parts, (request, opened) => noteForm(site, parts, request, opened)),
      POST: forRecord(site, parts, (request, opened) => writeNote(site, parts, request, opened), {
        call: noteCall(parts.ontology),
      }),
      bodyLimit: NOTE_LIMIT,
    },
    '/account/notes/{record_id}/check': {
      // After a sign-in on the way.
      GET: forRecord(site, parts, (request, opened) => noteForm(site, parts, request, opened)),
      POST: forRecord(site, parts, (request, opened) => checkNote(site, parts, request, opened)),
      bodyLimit: NOTE_LIMIT,
    },
    '/account/exports/{record_id}': {
      GET: forRecord(site, parts, (request, opened) => exportRecord(parts, request, opened)),
    },
    '/account/accesses': {
      GET: ({ visitor, target }) => {
        if (!visitor.user) return signInFirst(site, target.raw);
        const record = namedRecord(readFields(target.query), () => undefined);
        return redirect(`${site.basePath}/account${record === undefined ? '' : `/accesses/${record}`}`);
      },
    },
    '/account/accesses/{record_id}': {
      GET: forRecord(site, parts, (request, opened) => accesses(parts, request, opened), {
        maySee: maySeeAccesses,
      }),
    },
    '/account/closed/{record_id}': {
      GET: forRecord(site, parts, (request, opened) => closedParts(flow, parts, request, opened), {
        maySee: maySeeAccesses,
      }),
      POST: forRecord(site, parts, (request, opened) => changeClosed(site, flow, parts, request, opened), {
        maySee: maySeeAccesses,
      }),
    },
  };
}

/** `/account/exports/{record_id}`: downloads a record in Turtle. */
async function exportRecord(
  parts: RecordParts,
  { inSteps }: PageRequest,
  { user, holder, data }: OpenedRecord,
): Promise<PlainAnswer> {
  const { body } = await parts.longGraphs.write(`user ${user.id}`, 'turtle', () =>
    inSteps(async (pause) => ({ texts: await data.texts(pause) })),
  );
  return {
    kind: 'plain',
    mediaType: 'text/turtle',
    headers: { 'Content-Disposition': `attachment; filename="record-${holder.record}.ttl"` },
    body,
  };
}
