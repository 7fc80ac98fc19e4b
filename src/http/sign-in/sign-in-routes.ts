import { randomUUID } from 'node:crypto';
import { type Flow, withParameters } from '../../access/oauth/flow.js';
import type { Ontology } from '../../model/ontology/model.js';
import type { PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import type { RecordedReads } from '../recorded-reads.js';
import type { Route } from '../request-context.js';
import { authorizePages } from './authorize-page.js';
import { chooseRecord } from './choose-record.js';
import { LAUNCH } from './destination.js';
import { CALLBACK, organisationPages, type Organisation } from './organisation.js';
import { redirect } from './page-answer.js';
import {
  enrolmentFirst,
  namedRecord,
  newPasswordFirst,
  readFields,
  signInFirst,
  type PageMethods,
} from './page-request.js';
import { flowRoutes } from './page-routes.js';
import { refusalAnswer, type RefusalName } from './refusals.js';
import { secondFactorPages } from './second-factor-steps.js';
import { signIn, signOut } from './sign-in.js';

/** Makes the pages where people sign in, give apps access, and open an app with a record. */
export function signInRoutes(
  site: Site,
  flow: Flow,
  people: RecordedReads,
  ontology: Ontology,
  organisation: Organisation | undefined,
): readonly Route[] {
  return [
    // Available even before a password is changed, or a second factor set up, that must be.
    ...flowRoutes(
      flow,
      {
        '/login': (own) => signIn(site, own).password,
        '/login/code': (own) => signIn(site, own).code,
        '/logout': (own) => signOut(site, own, organisation?.provider),
        ...(organisation && {
          '/login/organisation': (own: Flow) => organisationPages(site, own, organisation).begin,
          [CALLBACK]: (own: Flow) => organisationPages(site, own, organisation).callback,
        }),
      },
      (handler) => handler,
    ),
    ...flowRoutes(
      flow,
      { '/account/security/second-factor': (own) => secondFactorPages(site, own) },
      newPasswordFirst(site),
    ),
    ...flowRoutes(
      flow,
      {
        '/oauth/authorize': (own) => authorizePages(site, own, people, ontology),
        [LAUNCH.text]: (own) => launchPage(site, own, people),
      },
      enrolmentFirst(site),
    ),
  ];
}

/** Seconds in which an app that was started may ask for access. */
const LAUNCH_LIFETIME = 600;

function launchPage(site: Site, flow: Flow, people: RecordedReads): PageMethods {
  const { accounts, manifestOf, hasRecord, audit, settings } = flow;
  return {
    GET: async (request) => {
      const { path, target, visitor } = request;
      const fields = readFields(target.query);
      const { user } = visitor;
      const record = namedRecord(fields, (reason) => audit('access.refused', { user: user?.id, reason }));
      if (!user) return signInFirst(site, target.raw);
      const appId = path['app_id'] ?? '';
      const manifest = await manifestOf(appId);
      if (manifest?.index === undefined) return refusalAnswer(visitor, 'noApp');
      const refuse = (name: RefusalName, reason: string = name): PlainAnswer => {
        audit('access.refused', { app: appId, user: user.id, record, reason });
        return refusalAnswer(visitor, name);
      };
      if (user.role !== 'clinician' && user.role !== 'person') return refuse(user.role, `role ${user.role}`);
      if (record === undefined) {
        const action = `${site.basePath}/apps/${encodeURIComponent(appId)}/launch`;
        return chooseRecord(people, request, { manifest, user, fields, action, kept: {} });
      }
      if (!accounts.mayOpen(user.id, record)) return refuse('record');
      if (!(await hasRecord(record))) return refuse('noRecord');
      audit('app.launched', { app: appId, user: user.id, record });
      const { smart_launch_url: start } = manifest;
      if (settings.smart && start !== undefined) {
        const launch = randomUUID();
        const exp = Math.floor(Date.now() / 1000) + LAUNCH_LIFETIME;
        const row = { clientId: appId, accountId: user.id, record, exp };
        await accounts.smart.put('Launch', launch, row, LAUNCH_LIFETIME);
        return redirect(withParameters(start, { iss: `${site.base}/fhir`, launch }));
      }
      return redirect(withParameters(manifest.index, { record_id: record, api_base: site.base }));
    },
  };
}
