import { mayOpen } from '../../accounts/users.js';
import { withParameters } from '../../oauth/flow/callback.js';
import type { Flow } from '../../oauth/flow/flow.js';
import { storedManifest } from '../../records/app-manifests.js';
import { recordHolder, type People } from '../../records/people.js';
import type { PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { chooseRecord } from './choose-record.js';
import { namedRecord, readFields } from './form.js';
import { redirect } from './page-answer.js';
import type { PageMethods } from './page-request.js';
import { refusalAnswer, type RefusalName } from './refusals.js';
import { signInFirst } from './sign-in-first.js';

/** `/apps/{app_id}/launch`: a person chooses a record, and the app is opened with it. */
export function launchPage(site: Site, { store, audit }: Flow, people: People): PageMethods {
  return {
    GET: async ({ path, target, visitor }) => {
      const fields = readFields(target.query);
      const { user } = visitor;
      const record = namedRecord(fields, (reason) => audit('access.refused', { user: user?.id, reason }));
      if (!user) return signInFirst(site, target.raw);
      const appId = path['app_id'] ?? '';
      const manifest = await storedManifest(store, appId);
      if (manifest?.index === undefined) return refusalAnswer(visitor, 'noApp');
      const refuse = (name: RefusalName, reason: string = name): PlainAnswer => {
        audit('access.refused', { app: appId, user: user.id, record, reason });
        return refusalAnswer(visitor, name);
      };
      if (user.role !== 'clinician' && user.role !== 'person') return refuse(user.role, `role ${user.role}`);
      if (record === undefined) {
        const action = `${site.basePath}/apps/${encodeURIComponent(appId)}/launch`;
        return chooseRecord(people, visitor, { manifest, user, fields, action, kept: {} });
      }
      if (!mayOpen(user, record)) return refuse('record');
      if (!(await recordHolder(store, record))) return refuse('noRecord');
      audit('app.launched', { app: appId, user: user.id, record });
      return redirect(withParameters(manifest.index, { record_id: record, api_base: site.base }));
    },
  };
}
