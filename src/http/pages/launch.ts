import { isRecordId } from '../../accounts/account-ids.js';
import { mayOpen } from '../../accounts/users.js';
import { withParameters } from '../../oauth/flow/callback.js';
import { storedManifest } from '../../records/app-manifests.js';
import { recordHolder } from '../../records/people.js';
import type { ContainerContext } from '../container-context.js';
import type { Methods } from '../path-table.js';
import { chooseRecord } from './choose-record.js';
import { readFields } from './form.js';
import { showRefusal, type RefusalName } from './refusals.js';
import { sendTo, visitorOf } from './visitor.js';

/** `/apps/{app_id}/launch`: a person chooses a record, and the app is opened with it. */
export function launchPage(container: ContainerContext): Methods {
  const { flow, base, basePath, store } = container;
  return {
    GET: async (visit) => {
      const { context, path, target } = visit;
      const visitor = await visitorOf(container, visit);
      const fields = readFields(target.query);
      const { user } = visitor;
      if (!user) {
        const here = target.raw.slice(0, 2000);
        return sendTo(context, withParameters(`${basePath}/login`, { return_url: here }));
      }
      const appId = path[0] ?? '';
      const manifest = await storedManifest(store, appId);
      if (manifest?.index === undefined) return showRefusal(context, visitor, 'noApp');
      const refuse = (name: RefusalName, reason: string = name): void => {
        // Only what is an id is written down.
        const asked = fields.get('record_id') ?? '';
        const named = isRecordId(asked) ? { record: asked } : {};
        flow.audit('access.refused', { app: appId, user: user.id, ...named, reason });
        showRefusal(context, visitor, name);
      };
      if (user.role !== 'clinician' && user.role !== 'person') return refuse(user.role, `role ${user.role}`);
      const record = fields.get('record_id') ?? '';
      if (record === '') {
        const action = `${basePath}/apps/${encodeURIComponent(appId)}/launch`;
        return chooseRecord(container, visit, visitor, { manifest, user, fields, action, kept: {} });
      }
      if (!mayOpen(user, record)) return refuse('record');
      if (!(await recordHolder(store, record))) return refuse('noRecord');
      flow.audit('app.launched', { app: appId, user: user.id, record });
      sendTo(context, withParameters(manifest.index, { record_id: record, api_base: base }));
    },
  };
}
