import { allowanceOf, type Allowance } from '../access/accounts/allowances.js';
import { hasContext } from '../access/accounts/scopes.js';
import { Memo } from '../store/disk/memo.js';
import {
  allowedBy,
  classAllowing,
  isOwnedByApp,
  isPatientData,
  listedCalls,
} from '../access/oauth/listed-calls.js';
import { SignatureRefusal, unauthorized } from '../access/oauth/signature-refusal.js';
import type { Principal } from '../access/oauth/verify.js';
import type { CallModel, Ontology } from '../model/ontology/model.js';
import { Problem } from '../model/problem.js';
import { appManifestIri, manifestIn } from '../records/app-graph.js';
import { recordIri } from '../records/resource-paths.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { bearerRefused, type Analyst } from './analyst.js';
import type { Access, RawParameters, Route } from './request-context.js';
import type { AllSettings } from './serve-settings.js';

export interface AccessRules {
  readonly base: string;
  readonly settings: Pick<AllSettings, 'containerAccess'>;
  readonly ontology: Pick<Ontology, 'classes'>;
  readonly callsOfApp: CallsOfApp;
  isBackground(app: string): boolean;
  mayOpen(user: string, record: string): boolean;
}

interface AccessCheck {
  readonly access: AccessRules;
  readonly route: Route;
  readonly parameters: RawParameters;
  readonly principal: Principal | undefined;
  readonly analyst: Analyst | undefined;
}

const unsigned = ({ access: { base }, route }: AccessCheck): Problem =>
  new Problem(
    'unauthorized',
    route.credentials === 'signature or bearer'
      ? 'This call needs a bearer token of an app, or a signature by OAuth 1.0a.'
      : 'This call must be signed with OAuth 1.0a; sign it with your app and access token.',
    { headers: { 'WWW-Authenticate': `OAuth realm="${base}"` } },
  );

const ANALYSES_ALONE = 'This token is for analyses alone; /analyses/ lists them.';

const refused = (why: string): Problem => new Problem('forbidden', why);

/** Specification section 5: the credentials that each scope needs. Pages decide for themselves. */
const rules: Readonly<Record<Access, (check: AccessCheck) => void>> = {
  anybody: () => undefined,
  signer: (check) => {
    const { principal, route, access } = check;
    if (principal) return;
    if (route.credentials === 'signature or bearer') throw unsigned(check);
    // Unsigned gets the same 401 as a bad signature.
    throw unauthorized(new SignatureRefusal('malformed'), access.base);
  },
  app: ({ principal, parameters, access: { isBackground, base } }) => {
    if (!principal) throw unauthorized(new SignatureRefusal('malformed'), base);
    if (principal.token || principal.app !== parameters['app_id'] || !isBackground(principal.app))
      throw refused('Exports are for the background app of this path, signing without a token.');
  },
  analyses: ({ analyst, access: { base } }) => {
    if (!analyst) throw bearerRefused(base);
    if (analyst.user.role !== 'analyst') throw refused('Queries are for users whose role is analyst.');
  },
  analyst: (check) => {
    rules.analyses(check);
    if (check.analyst?.isAggregate === true) throw refused(ANALYSES_ALONE);
  },
  'analyst or admin': ({ analyst, access: { base } }) => {
    if (!analyst) throw bearerRefused(base);
    if (analyst.isAggregate === true) throw refused(ANALYSES_ALONE);
    if (!['analyst', 'admin'].includes(analyst.user.role)) {
      throw refused('Running queries are shown to analysts and administrators.');
    }
  },
  container: (check) => {
    if (check.access.settings.containerAccess === 'signed' && !check.principal) throw unsigned(check);
  },
  record: (check) => {
    const { principal, parameters, route, access } = check;
    if (!principal) throw unsigned(check);
    const { token } = principal;
    if (!token) throw refused('This call needs an access token for the record, not the app alone.');
    if (!opensRecord(check, token)) throw refused('The access token is for another record.');
    // Tokens outlive the care relation, and an emergency.
    if (token.user !== undefined && !access.mayOpen(token.user, parameters['record_id'] ?? ''))
      throw refused(
        'The user of this access token may not open the record any more; ask somebody who may to let the app in.',
      );
    // Specification 4.2: an app may read another app's scratchpad, but writes only its own.
    if (route.method !== 'GET') requireOwnApp(check);
  },
  user: (check) => {
    const { principal, parameters } = check;
    if (!principal) throw unsigned(check);
    if (!principal.token) throw refused('This call needs an access token of the user, not the app alone.');
    if (principal.token.user !== parameters['user_id']) throw refused('The access token is of another user.');
    requireOwnApp(check);
  },
};

type BoundToken = NonNullable<Principal['token']>;

/** Whether a token of SMART App Launch opens all records of its user, or, that of a service, all there are. */
export function opensMany(token: BoundToken): boolean {
  const { record, user, grant } = token;
  if (record !== undefined) return false;
  return user === undefined ? hasContext(token, 'system') : grant !== undefined && hasContext(token, 'user');
}

function opensRecord({ access, principal, parameters }: AccessCheck, token: BoundToken): boolean {
  const { record_id: record } = parameters;
  if (record === undefined || !opensMany(token)) return token.record !== undefined && token.record === record;
  if (token.user === undefined) return access.isBackground(principal?.app ?? '');
  return access.mayOpen(token.user, record);
}

function requireOwnApp({ parameters, principal }: AccessCheck): void {
  if ('smart_app_id' in parameters && parameters['smart_app_id'] !== principal?.app) {
    throw refused('The access token belongs to another app.');
  }
}

/**
 * Checks that the credentials of a request cover its route.
 * @param parameters of the path, unchecked
 * @throws Problem unauthorized without valid credentials, forbidden without the right
 */
export function authorize(
  access: AccessRules,
  route: Route,
  parameters: RawParameters,
  principal: Principal | undefined,
  analyst?: Analyst,
): void {
  const check = { access, route, parameters, principal, analyst };
  rules[route.access](check);
  requireListed(check);
}

/**
 * A token grants no more than its app's manifest requires. For patient data, the app gets the classes and methods
 * listed under `requires`, both now and when the token was issued. A manifest without `requires` restricts nothing. An
 * app's own data, and calls open to everybody, are never restricted.
 */
function requireListed(check: AccessCheck): void {
  const { route, principal, parameters } = check;
  const { ontology, settings, callsOfApp } = check.access;
  const { call } = route;
  if (!call || !principal) return;
  const allowed = callsOfApp(principal.app, principal.token?.allowed);
  if (!allowed || allowed.has(call) || !isPatientData(ontology, call)) return;
  if (call.scope === 'container' && settings.containerAccess === 'open') return;
  if (isOwnedByApp(call) && parameters['smart_app_id'] === principal.app) return;
  const target = classAllowing(ontology, call);
  const name = ontology.classes.get(target)?.label ?? target;
  const listed = callsOfApp(principal.app);
  throw refused(
    listed && !listed.has(call)
      ? `The app’s manifest does not list ${call.method} of ${name} under requires; list what the app needs.`
      : `When this token was given, the app’s manifest did not list ${call.method} of ${name} under requires; have the person allow the app anew.`,
  );
}

/** The calls allowed by the manifest and, with the digest `allowed`, by that of its token's time; undefined: all. */
export type CallsOfApp = (app: string, allowed?: string) => ReadonlySet<CallModel> | undefined;

const MAX_APPS = 1024;

/** Reads each manifest once, and again after a commit by any process. */
export function callsOfApps(ontology: Ontology, primary: PrimaryStore): CallsOfApp {
  const known = new Memo<{ readonly calls: ReturnType<CallsOfApp> }>(primary.directory, MAX_APPS);
  const listedIn = (app: string): Allowance =>
    allowedBy(manifestIn(primary.graph(appManifestIri(primary.base, app)) ?? []));
  const read: CallsOfApp = (app, allowed) => {
    if (allowed === undefined) return listedCalls(ontology, listedIn(app));
    const listed = calls(app);
    const given = listedCalls(
      ontology,
      primary.directory.read((tx) => allowanceOf(tx, app, allowed)),
    );
    return listed && given ? new Set([...listed].filter((call) => given.has(call))) : (listed ?? given);
  };
  // No id contains a space.
  const calls: CallsOfApp = (app, allowed) =>
    known.get(`${app} ${allowed ?? ''}`, () => ({ calls: read(app, allowed) })).calls;
  return calls;
}

export type RequireRecord = (path: Readonly<Record<string, string>>) => void;

const MAX_RECORDS = 10_000;

const EXISTS = {};

/** Makes a check that a path's record exists: an empty list would suggest that it does. @throws Problem not-found */
export function recordRequirement(primary: PrimaryStore): RequireRecord {
  const known = new Memo<object>(primary.directory, MAX_RECORDS);
  const readExistence = (record: string): object | undefined =>
    primary.has(recordIri(primary.base, record)) ? EXISTS : undefined;
  return ({ record_id: record }) => {
    if (record !== undefined && !known.get(record, () => readExistence(record)))
      throw new Problem('not-found', 'There is no such record.');
  };
}
