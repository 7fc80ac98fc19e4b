import { isAlive, type AccessToken } from '../../accounts/tokens.js';
import { appsPage, type GivenAccess } from '../../pages/apps-page.js';
import { homePage } from '../../pages/home-page.js';
import { storedManifest } from '../../records/app-manifests.js';
import { recordHolder, userName } from '../../records/people.js';
import type { Flow } from '../../oauth/flow/flow.js';
import type { Site } from '../app-parts.js';
import { readFields, readPageForm } from './form.js';
import { pageAnswer, redirect } from './page-answer.js';
import type { PageMethods } from './page-request.js';
import type { Visitor } from './visitor.js';

/** How many accesses the page shows; the command line lists them all. */
const MOST = 200;

/** `/account/apps`: the apps that have access, and ending it. An admin sees those of all users. */
export function accountPages({ basePath }: Site, flow: Flow): PageMethods {
  const here = `${basePath}/account/apps`;
  const signIn = `${basePath}/login?return_url=${encodeURIComponent(here)}`;
  return {
    GET: async ({ visitor, target }) => {
      const { user, page } = visitor;
      if (!user) return redirect(signIn);
      const accesses = await givenAccesses(flow, visitor);
      const revoked = readFields(target.query).get('ended') === '1';
      return pageAnswer(page, appsPage(page, { accesses, ofAll: user.role === 'admin', revoked }));
    },
    POST: async (request) => {
      const fields = readPageForm(request);
      const { user } = request.visitor;
      if (!user) return redirect(signIn, 303);
      const [app = '', owner = '', record = ''] = ['app_id', 'user_id', 'record_id'].map((name) =>
        fields.get(name),
      );
      // Whoever is no admin ends their own accesses only, whatever the form says.
      const whose = user.role === 'admin' ? owner : user.id;
      const ended = await flow.grants.revokeAccess({ app, user: whose, record: record || undefined });
      if (ended > 0) flow.audit('access.revoked', { app, user: whose, record, reason: `by ${user.id}` });
      return redirect(`${here}?ended=1`, 303);
    },
  };
}

async function givenAccesses({ accounts, store }: Flow, { user }: Visitor): Promise<GivenAccess[]> {
  const now = Date.now();
  const shown = new Map<string, AccessToken>();
  for (const token of accounts.listTokens()) {
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
export function startPage({ description }: Site, { accounts, store }: Flow): PageMethods {
  return {
    GET: async ({ visitor: { user, page } }) => {
      const ids = user ? accounts.listApps().filter(({ mode }) => mode !== 'background') : [];
      const manifests = await Promise.all(ids.map(({ id }) => storedManifest(store, id)));
      const apps = manifests.filter((manifest) => manifest !== undefined);
      return pageAnswer(page, homePage(page, { description, apps }));
    },
  };
}
