import { setTimeout } from 'node:timers/promises';
import type { InteractionResults, Provider } from 'oidc-provider';
import { digestOfAllowance } from '../../access/accounts/allowances.js';
import type { AppManifest } from '../../access/accounts/manifest.js';
import { allowsType, contextOf } from '../../access/accounts/scopes.js';
import type { User } from '../../access/accounts/users.js';
import { originOrScheme, type Flow } from '../../access/oauth/flow.js';
import { allowedBy, permissionsOf } from '../../access/oauth/listed-calls.js';
import type { PlainAnswer } from '../../http/answer.js';
import { consentPage } from '../../http/html/consent-page.js';
import { dayOf } from '../../http/html/readable.js';
import { chooseRecord } from '../../http/sign-in/choose-record.js';
import { pageAnswer, redirect } from '../../http/sign-in/page-answer.js';
import {
  namedRecord,
  readFields,
  readPageForm,
  signInFirst,
  type Fields,
  type PageMethods,
  type PageRequest,
} from '../../http/sign-in/page-request.js';
import { refusalAnswer } from '../../http/sign-in/refusals.js';
import { refuseForeign, refuseRole } from '../../http/sign-in/refuse-access.js';
import type { CallModel } from '../../model/ontology/model.js';
import { sha256 } from '../../store/disk/bytes.js';
import { FHIR, type FhirParts } from '../rest/fhir-parts.js';
import {
  grantable,
  INTERACTION,
  INTERACTION_LIFETIME,
  ONLINE_LIFETIME,
  plainScopes,
  SHORT_LIFETIME,
  SMART,
} from './smart-provider.js';

export type OpenProvider = () => Promise<Provider>;

/** What an app asks, and of whom. */
interface Question {
  readonly uid: string;
  readonly user: User;
  readonly manifest: AppManifest;
  readonly scopes: readonly string[];
  readonly returnsTo: string;
  /** The record from which the person started the app. */
  readonly launched: string | undefined;
}

/** `/oauth2/interaction/{uid}`: a person chooses a record, and allows or denies an app access, by SMART App Launch. */
export function smartConsent(
  { app }: FhirParts,
  made: FhirParts['made'],
  provider: OpenProvider,
  flow: Flow,
): PageMethods {
  const { site, people, program } = app;
  const { ontology } = program;
  const { accounts, audit, manifestOf } = flow;

  return {
    GET: async (request) => {
      if (request.context.method === 'HEAD') return redirect(`${site.basePath}/`);
      const asked = await question(request);
      if ('kind' in asked) return asked;
      const { user, manifest, launched, scopes, uid } = asked;
      const fields = readFields(request.target.query);
      const record = launched ?? recordIn(fields, user) ?? onlyRecord(user);
      if (!opensSomething(scopes)) return finish(request, { error: 'invalid_scope' });
      if (!needsRecord(asked)) return ask(request, asked, undefined);
      if (record !== undefined)
        return (await refuseForeign(flow, request.visitor, asked, record)) ?? ask(request, asked, record);
      const action = `${site.basePath}${SMART}${INTERACTION}/${uid}`;
      return chooseRecord(people, request, { manifest, user, fields, action, kept: {} });
    },
    POST: async (request) => {
      const fields = readPageForm(request);
      const asked = await question(request);
      if ('kind' in asked) return asked;
      const { user, manifest, launched } = asked;
      const record = recordIn(fields, user);
      const facts = { app: manifest.id, user: user.id, record };
      if (fields.get('decision') === 'deny') {
        if (!(await isFirst(asked))) return again(request, asked, ({ error }) => error !== undefined);
        audit('access.denied', facts);
        return finish(request, { error: 'access_denied', error_description: 'the person said no' });
      }
      const isOther = (record !== undefined) !== needsRecord(asked) || (launched ?? record) !== record;
      if (fields.get('decision') !== 'allow' || isOther) {
        audit('access.refused', { ...facts, reason: 'form' });
        return refusalAnswer(request.visitor, 'form');
      }
      const refused =
        record === undefined ? undefined : await refuseForeign(flow, request.visitor, asked, record);
      if (refused) return refused;
      if (fields.get('wording') !== (await wordsOf(asked)).shown) return ask(request, asked, record, true);
      if (!(await isFirst(asked)))
        return again(request, asked, ({ consent, login }) => {
          const grant = accounts.smart.grant(consent?.grantId ?? '');
          return login?.accountId === user.id && grant !== undefined && grant.record === record;
        });
      audit('access.allowed', facts);
      return allow(request, asked, record);
    },
  };

  /** Each request for access is decided once, however many forms are sent at once. */
  function isFirst({ uid }: Question): Promise<boolean> {
    return accounts.smart.put('ReplayDetection', `decision ${uid}`, {}, INTERACTION_LIFETIME);
  }

  /** Who clicks twice lands where the first click leads, once it has been dealt with. */
  async function again(
    { context, visitor }: PageRequest,
    { uid }: Question,
    isSame: (decided: InteractionResults) => boolean,
  ): Promise<PlainAnswer> {
    const opened = await provider();
    for (let tries = 0; tries < DECIDING; tries++, await setTimeout(100)) {
      const details = await opened.interactionDetails(context.req, context.res).catch(() => undefined);
      if (details?.uid !== uid) break;
      if (details.result)
        return isSame(details.result) ? redirect(details.returnTo, 303) : refusalAnswer(visitor, 'gone');
    }
    return refusalAnswer(visitor, 'gone');
  }

  function recordIn(fields: Fields, { id: user }: User): string | undefined {
    return namedRecord(fields, (reason) => audit('access.refused', { user, reason }));
  }

  /** Reads what the app asks. The cookie of the provider binds it to the browser. */
  async function question({ visitor, path, context, target }: PageRequest): Promise<Question | PlainAnswer> {
    const { user } = visitor;
    if (!user) return signInFirst(site, target.raw);
    const opened = await provider();
    const details = await opened.interactionDetails(context.req, context.res).catch(() => undefined);
    if (!details || details.uid !== path['uid']) return refusalAnswer(visitor, 'gone');
    const { client_id: id, scope, redirect_uri: back, launch } = details.params as Record<string, string>;
    const manifest = await manifestOf(id ?? '');
    if (!manifest) return refusalAnswer(visitor, 'gone');
    const refused = refuseRole(flow, visitor, user, id);
    if (refused) return refused;
    const started = launch === undefined ? undefined : accounts.smart.find('Launch', launch);
    const { clientId, accountId, record, exp } = started ?? {};
    const isStarted = clientId === id && accountId === user.id && Number(exp) * 1000 > Date.now();
    if (launch !== undefined && !isStarted) {
      audit('access.refused', { app: id, user: user.id, reason: 'launch' });
      return refusalAnswer(visitor, 'gone');
    }
    return {
      ...{ uid: details.uid, user, manifest, launched: record as string | undefined },
      scopes: grantable(scope ?? '', false),
      returnsTo: originOrScheme(back ?? ''),
    };
  }

  /** Says what the scopes open, in the ontology's words, and a digest of all that the person decides on. */
  async function wordsOf({ manifest, scopes, returnsTo }: Question) {
    const scope = scopes.join(' ');
    const types = new Map((await made.makable()).calls.map((each) => [each.name, each.types]));
    const covers = (call: CallModel): boolean =>
      call.method === 'GET' &&
      ['*', ...(types.get(call.name) ?? [])].some((type) => allowsType({ scope }, type));
    const { reads, readsAll, wording } = permissionsOf(ontology, manifest, covers);
    const who = scopes.some((each) => each === 'openid' || each === 'fhirUser')
      ? ['Learn your user name and your role']
      : [];
    const { name, description, author } = manifest;
    const shown = [
      wording,
      digestOfAllowance(allowedBy(manifest)),
      name,
      description,
      author,
      returnsTo,
      scopes,
    ];
    return { reads, readsAll, writes: who, shown: sha256(JSON.stringify(shown)) };
  }

  async function ask(
    request: PageRequest,
    asked: Question,
    record: string | undefined,
    hasChanged = false,
  ): Promise<PlainAnswer> {
    const { visitor } = request;
    const { manifest, returnsTo, uid, scopes } = asked;
    const holder = record === undefined ? undefined : await people.holder(request, record);
    if (record !== undefined && !holder) return refusalAnswer(visitor, 'noRecord');
    const { name, description, author } = manifest;
    const { shown, ...words } = await wordsOf(asked);
    const page = consentPage(visitor.page, {
      ...words,
      action: `${site.basePath}${SMART}${INTERACTION}/${uid}`,
      kept: {},
      app: { name, description, author: typeof author === 'string' ? author : '' },
      ...{ holder, wording: shown, hasChanged },
      until: dayOf(Date.now() + lifetimeOf(scopes)),
      returnsTo: returnsTo.replace(/^https?:\/\//, ''),
    });
    return pageAnswer(visitor.page, page, { leadsTo: [returnsTo] });
  }

  /** How long an app keeps its access, in milliseconds. */
  function lifetimeOf(scopes: readonly string[]): number {
    if (scopes.includes('offline_access')) return flow.settings.tokenLifetime;
    return isOnline(scopes) ? ONLINE_LIFETIME : SHORT_LIFETIME;
  }

  async function allow(
    request: PageRequest,
    asked: Question,
    record: string | undefined,
  ): Promise<PlainAnswer> {
    const { user, manifest, scopes } = asked;
    const { Grant } = await provider();
    const expiresIn = Math.ceil(lifetimeOf(scopes) / 1000) + CODE_TIME;
    const grant = new Grant({ accountId: user.id, clientId: manifest.id, expiresIn } as object as never);
    grant.addOIDCScope(plainScopes.filter((each) => scopes.includes(each)).join(' '));
    grant.addResourceScope(site.base + FHIR, scopes.join(' '));
    const grantId = await grant.save();
    const browserBinding = isOnline(scopes) ? request.visitor.browserBinding : undefined;
    await accounts.smart.bind(grantId, { record, browserBinding }, manifest.id, allowedBy(manifest));
    const ts = Math.floor(request.visitor.proved / 1000);
    const login = { accountId: user.id, remember: false, ts };
    return finish(request, { login, consent: { grantId } });
  }

  async function finish({ context }: PageRequest, result: object): Promise<PlainAnswer> {
    const opened = await provider();
    return redirect(await opened.interactionResult(context.req, context.res, result as never), 303);
  }
}

/** How often somebody who clicked twice looks what became of the first click, in tenths of a second. */
const DECIDING = 30;

/** Seconds between a decision and the first token. */
const CODE_TIME = 60;

/** Whether the app is let in for as long as the person is signed in. */
const isOnline = (scopes: readonly string[]): boolean =>
  scopes.includes('online_access') && !scopes.includes('offline_access');

const opensSomething = (scopes: readonly string[]): boolean =>
  scopes.some((each) => contextOf(each) !== undefined || each === 'openid' || each === 'fhirUser');

/** Whether what is asked is about one patient. */
function needsRecord({ scopes, launched }: Question): boolean {
  return (
    launched !== undefined ||
    scopes.some((each) => each === 'launch/patient' || contextOf(each) === 'patient')
  );
}

function onlyRecord({ role, records }: User): string | undefined {
  return role === 'person' && records.length === 1 ? records[0] : undefined;
}
