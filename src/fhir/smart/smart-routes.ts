import { addTime, senderBudgets, senderOf } from '../../http/admission/sender-budgets.js';
import {
  flowOf,
  traceOf,
  type Handler,
  type RequestContext,
  type Route,
} from '../../http/request-context.js';
import type { Flow } from '../../access/oauth/flow.js';
import { messagePage } from '../../http/html/layout.js';
import { cacheControl, textAnswer, type PlainAnswer } from '../../http/answer.js';
import { pageAnswer, redirect } from '../../http/sign-in/page-answer.js';
import { SMART_AUTHORIZE } from '../../http/sign-in/destination.js';
import {
  enrolmentFirst,
  signInFirst,
  type PageMethods,
  type PageRequest,
} from '../../http/sign-in/page-request.js';
import { flowRoutes } from '../../http/sign-in/page-routes.js';
import { Problem } from '../../model/problem.js';
import { patientIdOf } from '../out/origin-names.js';
import { FHIR, type FhirParts } from '../rest/fhir-parts.js';
import { passThrough } from './smart-bridge.js';
import { refuseRole } from '../../http/sign-in/refuse-access.js';
import { smartConsent } from './smart-consent.js';
import { FHIR_JSON } from '../rest/operation-outcome.js';
import {
  fhirUserOf,
  INTERACTION,
  openProvider,
  plainScopes,
  responseModes,
  SMART,
} from './smart-provider.js';

const WELL_KNOWN = '/.well-known/smart-configuration';
/** Clients look below the FHIR API; the other is for people and programs that know the container alone. */
const CONFIGURATIONS = [`${FHIR}${WELL_KNOWN}`, WELL_KNOWN] as const;
const DISCOVERY = `${SMART}/.well-known/openid-configuration`;
const TOKEN = `${SMART}/token`;
const REVOKE = `${SMART}/revoke`;
/** Forms that ask for tokens hold codes, scopes and assertions. */
const FORM_LIMIT = 32 * 1024;

/** What a refused request costs its sender, in microseconds: as much as is free, and a refusal. */
const REFUSED = { user: 11_000, system: 0 };

/** The longest query by which an app asks, in characters. It is stored until the person decides. */
const QUERY_LIMIT = 4096;
/** How often an app may ask somebody: fifty times at once, then every two seconds. */
const ASKING = { perSecond: 50, cost: { user: 110_000, system: 0 } };
/** Seconds within which somebody has signed in anew, where an app says no other time. */
const ANEW = 60;

/** Paths that scripts of any origin may request: what they send proves who they are, cookies do not count. */
export const openPaths: ReadonlySet<string> = new Set([
  ...CONFIGURATIONS,
  DISCOVERY,
  TOKEN,
  REVOKE,
  `${SMART}/jwks`,
]);

const capabilities = [
  'launch-ehr',
  'launch-standalone',
  'client-public',
  'client-confidential-symmetric',
  'client-confidential-asymmetric',
  'sso-openid-connect',
  'context-ehr-patient',
  'context-standalone-patient',
  'permission-offline',
  'permission-online',
  'permission-patient',
  'permission-user',
  'permission-v1',
  'permission-v2',
];

/** SMART App Launch 2: where apps send people to allow them in, and ask for tokens. */
export function smartRoutes(parts: FhirParts): readonly Route[] {
  const { flow, site, data, people, log } = parts.app;
  let opened: ReturnType<typeof openProvider> | undefined;
  const provider = (): ReturnType<typeof openProvider> => {
    opened ??= openProvider(flow, log);
    opened.catch(() => (opened = undefined));
    return opened;
  };
  // Loading takes a second: not while the first person waits.
  provider().catch(() => undefined);
  const pass = async (request: RequestContext, query?: string) => {
    await flow.directory.current?.();
    const passed = await passThrough(await provider(), site, request, query);
    if ((passed.answer.status ?? 200) >= 400) addTime(request.context, REFUSED);
    return passed;
  };
  const route = (method: Route['method'], path: string, handler: Handler): Route => ({
    ...{ method, path, handler, credentials: 'none', access: 'anybody' },
    bodyLimit: FORM_LIMIT,
  });

  /** Sends a browser on, or says what is wrong where the app cannot be told. */
  const through = async (request: PageRequest, query?: string): Promise<PlainAnswer> => {
    if (request.context.method === 'HEAD') return textAnswer('', 'text/html; charset=utf-8');
    const { answer, body } = await pass(request, query);
    const to = answer.headers?.['location'];
    if (to !== undefined) return redirect(to, 303);
    return wrong(
      request,
      String(body['error_description'] ?? body['error'] ?? 'it wants an answer that is not sent here'),
    );
  };
  const wrong = ({ visitor: { page } }: PageRequest, reason: string): PlainAnswer => {
    const sentences = [`No access was given: ${reason}.`, 'Go back to the app and begin again.'];
    const message = messagePage(page, { title: 'The app asked in a wrong way', sentences });
    return pageAnswer(page, message, { status: 400 });
  };
  const asking = senderBudgets(ASKING);
  const authorize = (own: Flow): PageMethods => ({
    GET: async (request) => {
      const { visitor, target, context } = request;
      if (target.query.length > QUERY_LIMIT)
        return wrong(request, `what it asks is longer than ${QUERY_LIMIT} characters`);
      if (!visitor.user) return signInFirst(site, target.raw);
      const query = new URLSearchParams(target.query);
      const refused = refuseRole(own, visitor, visitor.user, query.get('client_id') ?? undefined);
      if (refused) return refused;
      const sender = senderOf(context);
      await asking.admit(context, sender);
      addTime(context, ASKING.cost);
      asking.accepted(context, sender);
      return through(request, decidedAnew(query, visitor.proved).toString());
    },
  });

  const token: Handler = async (request) => {
    const { audit } = flowOf(flow, request.context);
    const { answer, oidc, body } = await pass(request);
    const issued = flow.accounts.token(String(body['access_token'] ?? ''));
    if (!issued) {
      const reason = String(body['error'] ?? '');
      traceOf(request.context).refusal = reason;
      if (oidc?.client) audit('access-token.refused', { app: oidc.client.clientId, reason });
      return answer;
    }
    const { app, user, record, id } = issued;
    audit('access-token.issued', { app, user, record, token_id: id });
    const more = record === undefined ? {} : { patient: patientIdOf(data.primary, record) };
    return { ...answer, body: JSON.stringify({ ...body, ...more }) };
  };
  const plainly: Handler = async (request) => (await pass(request)).answer;
  const revoke: Handler = async (request) => {
    const { answer, oidc } = await pass(request);
    const { AccessToken, RefreshToken, ClientCredentials } = oidc?.entities ?? {};
    const ended = AccessToken ?? RefreshToken ?? ClientCredentials;
    if (ended && answer.status === 200)
      flowOf(flow, request.context).audit('access.revoked', {
        ...{ app: ended.clientId, user: AccessToken?.accountId ?? RefreshToken?.accountId },
        reason: 'by the app',
      });
    return answer;
  };
  const discovery: Handler = async (request) => {
    const { answer, body } = await pass(request);
    return { ...answer, body: JSON.stringify({ ...body, response_modes_supported: responseModes }) };
  };
  /** What apps look up first; the provider says where things are. */
  const configuration: Handler = async (request) => {
    const target = { ...request.target, path: DISCOVERY };
    const { body } = await pass({ ...request, target });
    const said = Object.entries(body).filter(([name]) =>
      /^(?:issuer|jwks_uri|grant_types_supported|response_types_supported|code_challenge_methods_supported)$|^token_endpoint|^(?:authorization|introspection|revocation)_endpoint$/u.test(
        name,
      ),
    );
    const scopes = ['patient', 'user', 'system'].map((context) => `${context}/*.rs`);
    return {
      kind: 'plain',
      mediaType: 'application/json',
      cacheControl: cacheControl.shared,
      body: JSON.stringify({
        ...Object.fromEntries(said),
        scopes_supported: [...plainScopes, ...scopes],
        capabilities,
      }),
    };
  };

  /** The user in whose name a token is, as apps ask by `fhirUser`. */
  const user =
    (type: string): Handler =>
    async (request) => {
      const { id = '' } = request.path;
      const { user: asker = '', scope } = request.verified?.principal.token ?? {};
      if (scope !== undefined && !scope.split(' ').includes('fhirUser'))
        throw new Problem(
          'forbidden',
          'This token does not say who its user is; ask for the scope fhirUser.',
        );
      const own = flow.accounts.user(asker);
      if (!own || fhirUserOf(site.base, own) !== `${parts.base}/${type}/${id}`)
        throw new Problem('not-found', 'There is no such resource; a token shows its own user.');
      const name = [{ text: await people.userName(request, own.id) }];
      return { kind: 'plain', mediaType: FHIR_JSON, body: JSON.stringify({ resourceType: type, id, name }) };
    };

  return [
    ...['Practitioner', 'Person'].map((type): Route => ({
      ...route('GET', `${FHIR}/${type}/{id}`, user(type)),
      ...{ credentials: 'signature or bearer', access: 'signer' },
    })),
    ...CONFIGURATIONS.map((path) => route('GET', path, configuration)),
    route('GET', DISCOVERY, discovery),
    route('GET', `${SMART}/jwks`, plainly),
    route('POST', TOKEN, token),
    route('POST', REVOKE, revoke),
    route('POST', `${SMART}/introspect`, plainly),
    ...flowRoutes(
      flow,
      {
        [SMART_AUTHORIZE]: authorize,
        [`${SMART_AUTHORIZE}/{uid}`]: () => ({ GET: (request) => through(request) }),
        [`${SMART}${INTERACTION}/{uid}`]: (own) => smartConsent(parts, parts.made, provider, own),
      },
      enrolmentFirst(site),
    ),
  ];
}

/**
 * Has the person asked each time; without this, the provider leaves out offline_access. It refuses `login`, which stays
 * where the person proved who they are before what the app wants. @param proved milliseconds since 1970
 */
function decidedAnew(asked: URLSearchParams, proved: number): URLSearchParams {
  const prompt = asked.get('prompt') ?? '';
  if (prompt === 'none') return asked;
  const age = (Date.now() - proved) / 1000;
  const longest = asked.get('max_age');
  const isOld =
    (prompt.split(' ').includes('login') && age > ANEW) ||
    (longest !== null && age > (Number(longest) || ANEW));
  const query = new URLSearchParams(asked);
  query.set('prompt', isOld ? 'login consent' : 'consent');
  // The provider takes 0 for `login`.
  if (!isOld && Number(longest ?? 1) === 0) query.set('max_age', String(ANEW));
  return query;
}
