import { isOwnedByApp, isPatientData } from '../oauth/listed-calls.js';
import { SignatureRefusal, unauthorized } from '../oauth/signature-refusal.js';
import type { Principal } from '../oauth/principal.js';
import type { Ontology } from '../ontology/model.js';
import { Problem } from '../problem.js';
import { bearerRefused, type Analyst } from './analysts/analyst.js';
import type { CallsOfApp } from './app-requirements.js';
import type { RawParameters } from './road.js';
import type { Access, Route } from './request-context.js';

/** What the rules of access depend on beside the request. */
export interface AccessRules {
  /** The base URL without a trailing slash: the realm of every challenge. */
  readonly base: string;
  readonly containerAccess: 'open' | 'signed';
  readonly ontology: Pick<Ontology, 'classes'>;
  /** What the manifest of an app says that it needs. */
  readonly callsOfApp: CallsOfApp;
  /** Whether an app is one that works without people. */
  isBackground(app: string): boolean;
}

interface Asked {
  readonly access: AccessRules;
  readonly route: Route;
  readonly parameters: RawParameters;
  readonly principal: Principal | undefined;
  readonly analyst: Analyst | undefined;
}

const unsigned = ({ access: { base } }: Asked): Problem =>
  new Problem(
    'unauthorized',
    'This call must be signed with OAuth 1.0a; sign it with your app and access token.',
    { headers: { 'WWW-Authenticate': `OAuth realm="${base}"` } },
  );

const refused = (why: string): Problem => new Problem('forbidden', why);

/** Specification section 5: what each scope asks of the credentials. Pages decide for themselves whom they show what. */
const rules: Readonly<Record<Access, (asked: Asked) => void>> = {
  anybody: () => undefined,
  signer: ({ principal, access: { base } }) => {
    // Not signed at all is answered as wrongly signed is.
    if (!principal) throw unauthorized(new SignatureRefusal('malformed'), base);
  },
  app: ({ principal, parameters, access: { isBackground, base } }) => {
    if (!principal) throw unauthorized(new SignatureRefusal('malformed'), base);
    if (principal.token || principal.app !== parameters['app_id'] || !isBackground(principal.app))
      throw refused('Exports are for the background app of this path, signing without a token.');
  },
  analyst: ({ analyst, access: { base } }) => {
    if (!analyst) throw bearerRefused(base);
    if (analyst.user.role !== 'analyst') throw refused('Queries are for users whose role is analyst.');
  },
  'analyst or admin': ({ analyst, access: { base } }) => {
    if (!analyst) throw bearerRefused(base);
    if (!['analyst', 'admin'].includes(analyst.user.role)) {
      throw refused('Running queries are shown to analysts and administrators.');
    }
  },
  container: (asked) => {
    if (asked.access.containerAccess === 'signed' && !asked.principal) throw unsigned(asked);
  },
  record: (asked) => {
    const { principal, parameters, route } = asked;
    if (!principal) throw unsigned(asked);
    if (!principal.token) throw refused('This call needs an access token for the record, not the app alone.');
    if (principal.token.record === undefined || principal.token.record !== parameters['record_id']) {
      throw refused('The access token is for another record.');
    }
    // Specification 4.2: an app may read another app's scratchpad, but writes only its own.
    if (route.method !== 'GET') requireOwnApp(asked);
  },
  user: (asked) => {
    const { principal, parameters } = asked;
    if (!principal) throw unsigned(asked);
    if (!principal.token) throw refused('This call needs an access token of the user, not the app alone.');
    if (principal.token.user !== parameters['user_id']) throw refused('The access token is of another user.');
    requireOwnApp(asked);
  },
};

function requireOwnApp({ parameters, principal }: Asked): void {
  if ('smart_app_id' in parameters && parameters['smart_app_id'] !== principal?.app) {
    throw refused('The access token belongs to another app.');
  }
}

/**
 * Lets a request pass when its credentials cover the route, by the table above.
 * @param parameters of the path, decoded but not checked
 * @throws Problem unauthorized (nobody proved) or forbidden (proved, but not theirs)
 */
export function authorize(
  access: AccessRules,
  route: Route,
  parameters: RawParameters,
  principal: Principal | undefined,
  analyst?: Analyst,
): void {
  const asked = { access, route, parameters, principal, analyst };
  rules[route.access](asked);
  requireListed(asked);
}

/**
 * A token is no wider than what its app says it needs: of patient data an app gets the classes, and may use the methods,
 * that its manifest lists under `requires`, and listed when somebody gave it the token. A manifest without `requires`
 * narrows nothing; what an app keeps for itself is its own in any case; and what anybody may call unsigned is not closed to who signs.
 * @throws Problem forbidden
 */
function requireListed(asked: Asked): void {
  const { route, principal, parameters } = asked;
  const { ontology, containerAccess, callsOfApp } = asked.access;
  const { call } = route;
  if (!call || !principal) return;
  const allowed = callsOfApp(principal.app, principal.token?.allowed);
  if (!allowed || allowed.has(call) || !isPatientData(ontology, call)) return;
  if (call.scope === 'container' && containerAccess === 'open') return;
  if (isOwnedByApp(call) && parameters['smart_app_id'] === principal.app) return;
  const name = ontology.classes.get(call.target)?.label ?? call.target;
  const listed = callsOfApp(principal.app);
  throw refused(
    listed && !listed.has(call)
      ? `The app’s manifest does not list ${call.method} of ${name} under requires; list what the app needs.`
      : `When this token was given, the app’s manifest did not list ${call.method} of ${name} under requires; have the person allow the app anew.`,
  );
}
