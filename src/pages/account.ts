import type { AppManifest } from '../access/accounts/manifest.js';
import { isAlive, type AccessToken } from '../access/accounts/tokens.js';
import type { User } from '../access/accounts/users.js';
import { accountPage as drawnAccount, homePage } from './account-page.js';
import { appsPage } from './apps-page.js';
import { opensMany } from '../http/authorize.js';
import type { Flow } from '../access/oauth/flow.js';
import type { Site } from '../http/app-parts.js';
import { dayOf } from '../http/html/readable.js';
import { listRecords } from '../http/sign-in/choose-record.js';
import { readFields, type PageMethods, signedInForm, signInFirst } from '../http/sign-in/page-request.js';
import { pageAnswer, redirect } from '../http/sign-in/page-answer.js';
import { unservedTest } from '../records/example-apps.js';
import type { Reading, RecordedReads } from '../http/recorded-reads.js';

const MAX_ACCESSES = 200;

/** `/account/apps`: lists apps with access and ends it; an admin sees those of all users. */
export function accountPages(site: Site, flow: Flow, people: RecordedReads): PageMethods {
  const here = `${site.basePath}/account/apps`;
  return {
    GET: async (request) => {
      const { user, page } = request.visitor;
      if (!user) return signInFirst(site, here);
      const accesses = await givenAccesses(flow, people, request, user);
      const revoked = readFields(request.target.query).get('ended') === '1';
      return pageAnswer(page, appsPage(page, { accesses, ofAll: user.role === 'admin', revoked }));
    },
    POST: signedInForm(site, here, async (_, user, fields) => {
      const [app = '', owner = '', record = ''] = ['app_id', 'user_id', 'record_id'].map((name) =>
        fields.get(name),
      );
      // Only an admin may end the access of others, whatever the form says.
      const whose = user.role === 'admin' ? owner : user.id;
      const ended = await flow.grants.revokeAccess({ app, user: whose, record: record || undefined });
      if (ended > 0) flow.audit('access.revoked', { app, user: whose, record, reason: `by ${user.id}` });
      return redirect(`${here}?ended=1`, 303);
    }),
  };
}

async function givenAccesses(
  { accounts, manifestOf }: Flow,
  people: RecordedReads,
  reading: Reading,
  user: User,
) {
  const now = Date.now();
  const shown = new Map<
    string,
    Omit<AccessToken, 'issuedBy'> & {
      readonly issuedBy: string | undefined;
      readonly isForMany: boolean;
    }
  >();
  for (const token of await accounts.tokensOf(user.role === 'admin' ? undefined : user.id)) {
    if (token.user === undefined || !isAlive(token, now)) continue;
    const key = `${token.app} ${token.user} ${token.record ?? ''}`;
    const before = shown.get(key);
    const { issued = token.issued, expires = 0, isForMany = false } = before ?? {};
    // Several tokens of one app count as one access, from the first issue to the last expiry.
    shown.set(key, {
      ...{ ...token, issued, expires: Math.max(expires, token.expires) },
      // An app that its user let in stays so, even if an administrator issued another token.
      issuedBy: before && before.issuedBy === undefined ? undefined : token.issuedBy,
      isForMany: isForMany || opensMany(token),
    });
  }
  const newest = [...shown.values()].reverse().slice(0, MAX_ACCESSES);
  return Promise.all(
    newest.map(async ({ app, user: owner = '', record, issued, expires, isForMany, issuedBy }) => ({
      isForMany,
      app,
      appName: (await manifestOf(app))?.name ?? app,
      user: owner,
      userName: await people.userName(reading, owner),
      issuer:
        issuedBy === undefined
          ? undefined
          : user.role !== 'admin' || issuedBy === ''
            ? 'an administrator'
            : `${(await people.userThen(reading, issuedBy, issued)).name} (${issuedBy})`,
      holder:
        record === undefined
          ? undefined
          : (people.mayOpen(user, record) && (await people.holder(reading, record))) || {
              record,
              name: '',
              birthday: '',
              gender: '',
            },
      since: dayOf(issued),
      until: dayOf(expires),
    })),
  );
}

/** `/`: presents the container, and the apps to start. */
export function startPage({ description }: Site, flow: Flow): PageMethods {
  return {
    GET: async ({ visitor: { user, page } }) =>
      pageAnswer(
        page,
        homePage(page, { description, apps: user && opensRecords(user) ? await startableApps(flow) : [] }),
      ),
  };
}

const opensRecords = ({ role }: User): boolean => role === 'clinician' || role === 'person';

/** Returns the apps that a person can open. */
export async function startableApps(flow: Flow): Promise<AppManifest[]> {
  const { accounts, manifestOf } = flow;
  const ids = accounts.listApps().filter(({ mode }) => mode !== 'background');
  const manifests = await Promise.all(ids.map(({ id }) => manifestOf(id)));
  const found = manifests.filter((manifest) => manifest !== undefined);
  const isUnserved = unservedTest(flow);
  return found.filter((manifest) => !isUnserved(manifest));
}

/** `/account`: the user's records (a search for clinicians) and apps. */
export function accountPage(site: Site, flow: Flow, people: RecordedReads): PageMethods {
  const here = `${site.basePath}/account`;
  return {
    GET: async (request) => {
      const { user, page } = request.visitor;
      if (!user) return signInFirst(site, request.target.raw);
      const fields = readFields(request.target.query);
      const leadsTo = (record: string): string => `${here}/records/${record}`;
      const records = opensRecords(user)
        ? { action: here, kept: {}, leadsTo, ...(await listRecords(people, request, { user, fields })) }
        : undefined;
      const apps = opensRecords(user) ? await startableApps(flow) : [];
      const isLimited = flow.accounts.openRecords(user.id) !== undefined;
      return pageAnswer(
        page,
        drawnAccount(page, { role: user.role, records, apps, hasAnalysts: site.hasAnalysts, isLimited }),
      );
    },
  };
}
