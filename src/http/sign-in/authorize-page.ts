import { sha256 } from '../../store/disk/bytes.js';
import { digestOfAllowance } from '../../access/accounts/allowances.js';
import type { AppManifest } from '../../access/accounts/manifest.js';
import type { AccessRequest, Unopened } from '../../access/accounts/request-tokens.js';
import type { User } from '../../access/accounts/users.js';
import { originOrScheme, withParameters, type Flow } from '../../access/oauth/flow.js';
import { permissionsOf, allowedBy } from '../../access/oauth/listed-calls.js';
import { consentPage, verifierPage } from '../html/consent-page.js';
import { messagePage } from '../html/layout.js';
import type { Ontology } from '../../model/ontology/model.js';
import { dayOf } from '../html/readable.js';
import { textAnswer, type PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import type { Reading, RecordedReads } from '../recorded-reads.js';
import { chooseRecord } from './choose-record.js';
import { leadsTo } from './destination.js';
import { namedRecord, readFields, readPageForm, type Fields } from './page-request.js';
import { pageAnswer, redirect } from './page-answer.js';
import type { PageMethods } from './page-request.js';
import { refusalAnswer, youDenied } from './refusals.js';
import { refuseForeign, refuseRole } from './refuse-access.js';
import { signInFirst } from './page-request.js';
import type { Visitor } from './visitor.js';

interface PendingAuthorization {
  readonly token: string;
  readonly user: User;
  readonly manifest: AppManifest;
  readonly request: AccessRequest;
  readonly visitor: Visitor;
}

type Or<T> = { readonly found: T } | { readonly page: PlainAnswer };

/** `/oauth/authorize` (RFC 5849 §2.2): a person allows or denies an app access to a record. */
export function authorizePages(
  site: Site,
  flow: Flow,
  people: RecordedReads,
  ontology: Ontology,
): PageMethods {
  const { grants, audit } = flow;
  const action = `${site.basePath}/oauth/authorize`;

  return {
    GET: async (visit) => {
      const { visitor, target } = visit;
      // Opening a request binds it to the browser, and may let the app in: HEAD does neither (RFC 9110 §9.2.1).
      if (visit.context.method === 'HEAD') return textAnswer('', 'text/html; charset=utf-8');
      const fields = readFields(target.query);
      const named = readRecord(visitor, fields);
      const opened = await open(visitor, fields);
      if ('page' in opened) return opened.page;
      const { token, user, manifest, request } = opened.found;
      const record = request.record ?? named ?? onlyRecord(user);
      if (record === undefined) {
        const kept = { oauth_token: token };
        return chooseRecord(people, visit, { manifest, user, fields, action, kept });
      }
      const refused = await refuseForeign(flow, opened.found.visitor, opened.found, record);
      if (refused) return refused;
      const { wording } = permissionsOf(ontology, manifest);
      // Does not ask again if the person allowed exactly this before, and the access has not ended.
      const allowed = digestOfAllowance(allowedBy(manifest));
      if (grants.isConsented({ user: user.id, app: manifest.id, record, wording, allowed })) {
        audit('access.allowed-before', { app: manifest.id, user: user.id, record });
        return approve(opened.found, record);
      }
      return ask(visit, opened.found, record);
    },
    POST: async (request) => {
      const { visitor } = request;
      const fields = readPageForm(request);
      const record = readRecord(visitor, fields) ?? '';
      const opened = await open(visitor, fields);
      if ('page' in opened) return opened.page;
      const { token, user, manifest, request: asked } = opened.found;
      if (fields.get('decision') === 'deny') {
        // In another tab, the person may have allowed it, and the app may hold a token.
        const ended = await grants.denyRequest(token, visitor.browserBinding);
        if (typeof ended === 'string') return notOpened(visitor, ended);
        audit('access.denied', { app: manifest.id, user: user.id, record: asked.record ?? record });
        return denied(opened.found);
      }
      if (fields.get('decision') !== 'allow' || (asked.record ?? record) !== record) {
        audit('access.refused', { app: manifest.id, user: user.id, reason: 'form' });
        return refusalAnswer(visitor, 'form');
      }
      const refused = await refuseForeign(flow, opened.found.visitor, opened.found, record);
      if (refused) return refused;
      if (fields.get('wording') !== shownOf(manifest)) return ask(request, opened.found, record, true);
      audit('access.allowed', { app: manifest.id, user: user.id, record });
      return approve(opened.found, record);
    },
  };

  /** Returns a digest of everything that the person decides on. */
  function shownOf(manifest: AppManifest): string {
    const { name, description, author = '', oauth_callback: callback = '' } = manifest;
    const { wording } = permissionsOf(ontology, manifest);
    const shown = [wording, digestOfAllowance(allowedBy(manifest)), name, description, author, callback];
    return sha256(JSON.stringify(shown));
  }

  function readRecord({ user }: Visitor, fields: Fields): string | undefined {
    return namedRecord(fields, (reason) => audit('access.refused', { user: user?.id, reason }));
  }

  function denied({ token, manifest, visitor }: PendingAuthorization): PlainAnswer {
    const { oauth_callback: callback } = manifest;
    return callback === undefined
      ? pageAnswer(visitor.page, messagePage(visitor.page, youDenied(manifest.name)))
      : redirect(withParameters(callback, { oauth_token: token, oauth_problem: 'permission_denied' }), 303);
  }

  async function open(visitor: Visitor, fields: Fields): Promise<Or<PendingAuthorization>> {
    const { user } = visitor;
    const token = fields.get('oauth_token') ?? '';
    const request = token === '' ? 'gone' : await grants.openRequest(token, visitor.browserBinding, user?.id);
    if (typeof request === 'string') return { page: notOpened(visitor, request) };
    audit('request-token.opened', { app: request.app, user: user?.id });
    if (!user) {
      const record = fields.get('record_id');
      const returnUrl = withParameters(action, {
        oauth_token: token,
        ...(record ? { record_id: record } : {}),
      });
      return { page: signInFirst(site, returnUrl) };
    }
    const manifest = await flow.manifestOf(request.app);
    if (!manifest) return { page: notOpened(visitor, 'gone') };
    const refused = refuseRole(flow, visitor, user, request.app);
    if (refused) return { page: refused };
    return { found: { token, user, manifest, request, visitor } };
  }

  function notOpened(visitor: Visitor, reason: Unopened): PlainAnswer {
    audit('request-token.not-opened', { user: visitor.user?.id, reason });
    return refusalAnswer(visitor, reason);
  }

  async function ask(
    reading: Reading,
    { token, manifest, visitor }: PendingAuthorization,
    record: string,
    hasChanged = false,
  ): Promise<PlainAnswer> {
    const holder = await people.holder(reading, record);
    if (!holder) return refusalAnswer(visitor, 'noRecord');
    const { name, description, author, oauth_callback: callback } = manifest;
    const consent = {
      action,
      kept: { oauth_token: token },
      app: { name, description, author: typeof author === 'string' ? author : '' },
      holder,
      ...permissionsOf(ontology, manifest),
      wording: shownOf(manifest),
      hasChanged,
      until: dayOf(Date.now() + flow.settings.tokenLifetime),
      returnsTo: callback === undefined ? '' : originOrScheme(callback).replace(/^https?:\/\//, ''),
    };
    return pageAnswer(visitor.page, consentPage(visitor.page, consent), { leadsTo: leadsTo(manifest) });
  }

  async function approve(
    { token, user, manifest, visitor }: PendingAuthorization,
    record: string,
  ): Promise<PlainAnswer> {
    const { wording } = permissionsOf(ontology, manifest);
    const approved = await grants.approveRequest(token, visitor.browserBinding, {
      user: user.id,
      record,
      wording,
      allowed: allowedBy(manifest),
    });
    if (typeof approved === 'string') return notOpened(visitor, approved);
    const { verifier } = approved;
    // Only the manifest determines where the browser goes; the request's callback is not even stored.
    const { oauth_callback: callback } = manifest;
    return callback === undefined
      ? pageAnswer(visitor.page, verifierPage(manifest.name, verifier))
      : redirect(withParameters(callback, { oauth_token: token, oauth_verifier: verifier }));
  }
}

function onlyRecord({ role, records }: User): string | undefined {
  return role === 'person' && records.length === 1 ? records[0] : undefined;
}
