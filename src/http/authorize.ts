import { SignatureRefusal, unauthorized } from '../oauth/signature-refusal.js';
import type { Principal } from '../oauth/verify.js';
import { Problem } from '../problem.js';
import type { RawParameters } from './road.js';
import type { Access, Route } from './request-context.js';

/** What the rules of access depend on beside the request. */
export interface AccessRules {
  /** The base URL without a trailing slash: the realm of every challenge. */
  readonly base: string;
  readonly containerAccess: 'open' | 'signed';
}

interface Asked extends AccessRules {
  readonly route: Route;
  readonly parameters: RawParameters;
  readonly principal: Principal | undefined;
}

const unsigned = ({ base }: Asked): Problem =>
  new Problem(
    'unauthorized',
    'This call must be signed with OAuth 1.0a; sign it with your app and access token.',
    { headers: { 'WWW-Authenticate': `OAuth realm="${base}"` } },
  );

const refused = (why: string): Problem => new Problem('forbidden', why);

/** Specification section 5: what each scope asks of the credentials. Pages decide for themselves whom they show what. */
const rules: Readonly<Record<Access, (asked: Asked) => void>> = {
  anybody: () => undefined,
  signer: ({ principal, base }) => {
    // Not signed at all is answered as wrongly signed is.
    if (!principal) throw unauthorized(new SignatureRefusal('malformed'), base);
  },
  container: (asked) => {
    if (asked.containerAccess === 'signed' && !asked.principal) throw unsigned(asked);
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
): void {
  rules[route.access]({ ...access, route, parameters, principal });
}
