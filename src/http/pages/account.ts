import { isAlive, type AccessToken } from '../../accounts/tokens.js';
import { appsPage, type GivenAccess } from '../../pages/apps-page.js';
import { homePage } from '../../pages/home-page.js';
import { storedManifest } from '../../records/app-manifests.js';
import { recordHolder, userName } from '../../records/people.js';
import type { ContainerContext } from '../container-context.js';
import type { Methods } from '../path-table.js';
import { readFields, readPageForm } from './form.js';
import { sendTo, showPage, visitorOf, type Visitor } from './visitor.js';

/** How many accesses the page shows; the command line lists them all. */
const MOST = 200;

/** `/account/apps`: the apps that have access, and ending it. An admin sees those of all users. */
export function accountPages(container: ContainerContext): Methods {
  const { flow, basePath } = container;
  const here = `${basePath}/account/apps`;
  return {
    GET: async (visit) => {
      const visitor = await visitorOf(container, visit);
      if (!visitor.user)
        return sendTo(visit.context, `${basePath}/login?return_url=${encodeURIComponent(here)}`);
      const ofAll = visitor.user.role === 'admin';
      const accesses = await givenAccesses(container, visitor);
      const revoked = readFields(visit.target.query).get('ended') === '1';
      showPage(visit.context, visitor, appsPage(visitor.around, { accesses, ofAll, revoked }));
    },
    POST: async (visit) => {
      const visitor = await visitorOf(container, visit);
      const fields = await readPageForm(visit, visitor.around.csrf);
      const { user } = visitor;
      if (!user)
        return sendTo(visit.context, `${basePath}/login?return_url=${encodeURIComponent(here)}`, 303);
      const [app, owner, record] = ['app_id', 'user_id', 'record_id'].map((name) => fields.get(name) ?? '');
      // Whoever is no admin ends their own accesses only, whatever the form says.
      const whose = user.role === 'admin' ? (owner ?? '') : user.id;
      const ended = await flow.grants.revokeAccess({
        app: app ?? '',
        user: whose,
        record: record || undefined,
      });
      if (ended > 0) flow.audit('access.revoked', { app, user: whose, record, reason: `by ${user.id}` });
      sendTo(visit.context, `${here}?ended=1`, 303);
    },
  };
}

async function givenAccesses({ flow, store }: ContainerContext, { user }: Visitor): Promise<GivenAccess[]> {
  const now = Date.now();
  const shown = new Map<string, AccessToken>();
  for (const token of flow.accounts.listTokens()) {
    const isShown = token.user !== undefined && (user?.role === 'admin' || token.user === user?.id);
    if (!isShown || !isAlive(token, now)) continue;
    const key = `${token.app} ${token.user} ${token.record ?? ''}`;
    const { issued = token.issued } = shown.get(key) ?? {};
    // Several tokens for the same are one access to people: since the first, until the last of them ends.
    shown.set(key, { ...token, issued });
  }
  const newest = [...shown.values()].reverse().slice(0, MOST);
  return Promise.all(
    newest.map(async ({ app, user: owner = '', record, issued, expires }) => ({
      app,
      appName: (await storedManifest(store, app))?.name ?? app,
      user: owner,
      userName: await userName(store, owner),
      holder:
        record === undefined
          ? undefined
          : ((await recordHolder(store, record)) ?? { record, name: '', birthday: '', gender: '' }),
      since: day(issued),
      until: day(expires),
    })),
  );
}

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** `/`: what this container is, and the apps that whoever is signed in can start. */
export function startPage(container: ContainerContext): Methods {
  const { flow, store, description } = container;
  return {
    GET: async (visit) => {
      const visitor = await visitorOf(container, visit);
      const ids = visitor.user ? flow.accounts.listApps().filter(({ mode }) => mode !== 'background') : [];
      const manifests = await Promise.all(ids.map(({ id }) => storedManifest(store, id)));
      const apps = manifests.filter((manifest) => manifest !== undefined);
      showPage(visit.context, visitor, homePage(visitor.around, { description, apps }));
    },
  };
}
