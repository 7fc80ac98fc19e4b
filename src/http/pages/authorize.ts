import type { AppManifest } from '../../accounts/manifest.js';
import type { AccessRequest, Unopened } from '../../accounts/request-tokens.js';
import { mayOpen, type User } from '../../accounts/users.js';
import { originOrScheme, withParameters } from '../../oauth/flow/callback.js';
import { permissionsOf } from '../../oauth/flow/permissions.js';
import { consentPage, verifierPage } from '../../pages/consent-page.js';
import { messagePage } from '../../pages/message-page.js';
import { storedManifest } from '../../records/app-manifests.js';
import { recordHolder } from '../../records/people.js';
import type { ContainerContext } from '../container-context.js';
import type { Methods, Visit } from '../path-table.js';
import { chooseRecord } from './choose-record.js';
import { leadsTo } from './destination.js';
import { readFields, readPageForm, type Fields } from './form.js';
import { refusals, showRefusal, unopened } from './refusals.js';
import { sendTo, showPage, visitorOf, type Visitor } from './visitor.js';

/** A request for access that the visitor may answer. */
interface Question {
  readonly token: string;
  readonly user: User;
  readonly manifest: AppManifest;
  readonly request: AccessRequest;
}

/** `/oauth/authorize` (RFC 5849 §2.2): a person lets an app into a record, or does not. */
export function authorizePages(container: ContainerContext): Methods {
  const { flow, basePath, ontology, store } = container;
  const { grants, audit } = flow;
  const action = `${basePath}/oauth/authorize`;

  return {
    GET: async (visit) => {
      const visitor = await visitorOf(container, visit);
      const fields = readFields(visit.target.query);
      const question = await open(visit, visitor, fields);
      if (!question) return;
      const { token, user, manifest, request } = question;
      const record = request.record ?? fields.get('record_id') ?? onlyRecord(user);
      if (record === undefined || record === '') {
        const kept = { oauth_token: token };
        return chooseRecord(container, visit, visitor, { manifest, user, fields, action, kept });
      }
      if (!(await isTheirs(visit, visitor, question, record))) return;
      const { wording } = permissionsOf(ontology, manifest);
      // Who allowed exactly this before, and did not end it since, is not asked again.
      if (grants.isConsented({ user: user.id, app: manifest.id, record, wording })) {
        audit('access.allowed-before', { app: manifest.id, user: user.id, record });
        return approve(visit, visitor, question, record);
      }
      await ask(visit, visitor, question, record);
    },
    POST: async (visit) => {
      const visitor = await visitorOf(container, visit);
      const fields = await readPageForm(visit, visitor.around.csrf);
      const question = await open(visit, visitor, fields);
      if (!question) return;
      const { token, user, manifest, request } = question;
      const record = fields.get('record_id') ?? '';
      if (fields.get('decision') === 'deny') {
        await grants.denyRequest(token, visitor.browserBinding);
        audit('access.denied', { app: manifest.id, user: user.id, record: request.record ?? record });
        return showPage(
          visit.context,
          visitor,
          messagePage(visitor.around, refusals.youDenied(manifest.name)),
        );
      }
      if (fields.get('decision') !== 'allow' || (request.record ?? record) !== record) {
        audit('access.refused', { app: manifest.id, user: user.id, reason: 'form' });
        return showRefusal(visit.context, visitor, 'form');
      }
      if (!(await isTheirs(visit, visitor, question, record))) return;
      audit('access.allowed', { app: manifest.id, user: user.id, record });
      await approve(visit, visitor, question, record);
    },
  };

  /** Opens the request for this browser; undefined when a page has been shown instead. */
  async function open(visit: Visit, visitor: Visitor, fields: Fields): Promise<Question | undefined> {
    const { context } = visit;
    const token = fields.get('oauth_token') ?? '';
    const request =
      token === '' ? 'gone' : await grants.openRequest(token, visitor.browserBinding, visitor.user?.id);
    if (typeof request === 'string') return refuseRequest(visit, visitor, request);
    audit('request-token.opened', { app: request.app, user: visitor.user?.id });
    const { user } = visitor;
    if (!user) {
      const record = fields.get('record_id');
      const returnUrl = withParameters(action, {
        oauth_token: token,
        ...(record ? { record_id: record } : {}),
      });
      sendTo(context, withParameters(`${basePath}/login`, { return_url: returnUrl }));
      return undefined;
    }
    const manifest = await storedManifest(store, request.app);
    if (!manifest) return refuseRequest(visit, visitor, 'gone');
    if (user.role !== 'clinician' && user.role !== 'person') {
      audit('access.refused', { app: request.app, user: user.id, reason: `role ${user.role}` });
      showRefusal(context, visitor, user.role);
      return undefined;
    }
    return { token, user, manifest, request };
  }

  function refuseRequest({ context }: Visit, visitor: Visitor, reason: Unopened): undefined {
    audit('request-token.not-opened', { user: visitor.user?.id, reason });
    showRefusal(context, visitor, unopened[reason]);
  }

  /** Whether the user may open an existing record; shows a page when not. */
  async function isTheirs(
    visit: Visit,
    visitor: Visitor,
    question: Question,
    record: string,
  ): Promise<boolean> {
    const { user, manifest } = question;
    // Whether a record exists is nothing for people it was not given to.
    const reason = !mayOpen(user, record)
      ? 'record'
      : !(await recordHolder(store, record))
        ? 'noRecord'
        : undefined;
    if (reason === undefined) return true;
    audit('access.refused', { app: manifest.id, user: user.id, record, reason });
    showRefusal(visit.context, visitor, reason);
    return false;
  }

  async function ask(
    { context }: Visit,
    visitor: Visitor,
    { token, manifest }: Question,
    record: string,
  ): Promise<void> {
    const holder = await recordHolder(store, record);
    if (!holder) return;
    const { oauth_callback: callback } = manifest;
    const until = new Date(Date.now() + flow.tokenLifetime).toISOString().slice(0, 10);
    const { name, description, author } = manifest;
    const question = {
      requestToken: token,
      app: { name, description, author: typeof author === 'string' ? author : '' },
      holder,
      ...permissionsOf(ontology, manifest),
      until,
      returnsTo: callback === undefined ? '' : originOrScheme(callback).replace(/^https?:\/\//, ''),
    };
    showPage(context, visitor, consentPage(visitor.around, question), 200, leadsTo(manifest));
  }

  async function approve(visit: Visit, visitor: Visitor, question: Question, record: string): Promise<void> {
    const { token, user, manifest } = question;
    const { wording } = permissionsOf(ontology, manifest);
    const approval = { user: user.id, record, wording };
    const approved = await grants.approveRequest(token, visitor.browserBinding, approval);
    if (typeof approved === 'string') return refuseRequest(visit, visitor, approved);
    const { verifier } = approved;
    // Only the manifest says where the browser goes; what the request said is not even kept.
    const { oauth_callback: callback } = manifest;
    if (callback === undefined) showPage(visit.context, visitor, verifierPage(manifest.name, verifier));
    else sendTo(visit.context, withParameters(callback, { oauth_token: token, oauth_verifier: verifier }));
  }
}

/** A person with one record need not choose. */
function onlyRecord({ role, records }: User): string | undefined {
  return role === 'person' && records.length === 1 ? records[0] : undefined;
}
