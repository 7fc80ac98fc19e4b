import type { AppManifest } from '../../accounts/manifest.js';
import { isAlive, type AccessToken } from '../../accounts/tokens.js';
import type { User } from '../../accounts/users.js';
import { accountPage as drawnAccount } from '../../pages/account-page.js';
import { appsPage, type GivenAccess } from '../../pages/apps-page.js';
import { homePage } from '../../pages/home-page.js';
import { storedManifest } from '../../records/app-manifests.js';
import { recordHolder, userName, type People } from '../../records/people.js';
import type { Flow } from '../../oauth/flow/flow.js';
import type { Site } from '../app-parts.js';
import { dayOf } from '../../records/shown/readable.js';
import { listRecords } from './choose-record.js';
import { readFields } from './form.js';
import { pageAnswer, redirect } from './page-answer.js';
import type { PageMethods } from './page-request.js';
import { noteAccess } from './record/open-record.js';
import { seenHolder } from './record/record-frame.js';
import { signedInForm, signInFirst } from './sign-in-first.js';

/** How many accesses the page shows; the command line lists them all. */
const MOST = 200;

/** `/account/apps`: the apps that have access, and ending it. An admin sees those of all users. */
export function accountPages(site: Site, flow: Flow): PageMethods {
  const here = `${site.basePath}/account/apps`;
  return {
    GET: async ({ visitor, target }) => {
      const { user, page } = visitor;
      if (!user) return signInFirst(site, here);
      const accesses = await givenAccesses(flow, user);
      const revoked = readFields(target.query).get('ended') === '1';
      return pageAnswer(page, appsPage(page, { accesses, ofAll: user.role === 'admin', revoked }));
    },
    POST: signedInForm(site, here, async (_, user, fields) => {
      const [app = '', owner = '', record = ''] = ['app_id', 'user_id', 'record_id'].map((name) =>
        fields.get(name),
      );
      // Whoever is no admin ends their own accesses only, whatever the form says.
      const whose = user.role === 'admin' ? owner : user.id;
      const ended = await flow.grants.revokeAccess({ app, user: whose, record: record || undefined });
      if (ended > 0) flow.audit('access.revoked', { app, user: whose, record, reason: `by ${user.id}` });
      return redirect(`${here}?ended=1`, 303);
    }),
  };
}

async function givenAccesses({ accounts, store }: Flow, user: User): Promise<GivenAccess[]> {
  const now = Date.now();
  const shown = new Map<string, AccessToken>();
  for (const token of await accounts.tokensOf(user.role === 'admin' ? undefined : user.id)) {
    if (token.user === undefined || !isAlive(token, now)) continue;
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
          : seenHolder(
              user,
              (await recordHolder(store, record)) ?? { record, name: '', birthday: '', gender: '' },
            ),
      since: dayOf(issued),
      until: dayOf(expires),
    })),
  );
}

/** `/`: what this container is, and the apps that whoever is signed in can start. */
export function startPage({ description }: Site, flow: Flow): PageMethods {
  return {
    GET: async ({ visitor: { user, page } }) =>
      pageAnswer(page, homePage(page, { description, apps: user ? await startableApps(flow) : [] })),
  };
}

/** The apps that a person can start. */
export async function startableApps({ accounts, store }: Flow): Promise<AppManifest[]> {
  const ids = accounts.listApps().filter(({ mode }) => mode !== 'background');
  const manifests = await Promise.all(ids.map(({ id }) => storedManifest(store, id)));
  return manifests.filter((manifest) => manifest !== undefined);
}

/** `/account`: the records of whoever is signed in, or the search of somebody who may open every one; and their apps. */
export function accountPage(site: Site, flow: Flow, people: People): PageMethods {
  const here = `${site.basePath}/account`;
  const search = people.ontology.callByName.get('search_records');
  return {
    GET: async (request) => {
      const { user, page } = request.visitor;
      if (!user) return signInFirst(site, request.target.raw);
      const opensRecords = user.role === 'clinician' || user.role === 'person';
      if (opensRecords) noteAccess(request, search);
      const fields = readFields(request.target.query);
      const leadsTo = (record: string): string => `${here}/records/${record}`;
      const records = opensRecords
        ? { action: here, kept: {}, leadsTo, ...(await listRecords(people, { user, fields })) }
        : undefined;
      const apps = opensRecords ? await startableApps(flow) : [];
      return pageAnswer(
        page,
        drawnAccount(page, { role: user.role, records, apps, hasAnalysts: site.hasAnalysts }),
      );
    },
  };
}
