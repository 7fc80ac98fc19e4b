import type { Principal } from '../oauth/verify.js';
import type { CallModel } from '../ontology/model.js';
import { Problem } from '../problem.js';

/** What an access rule looks at: the call, its decoded path parameters, and who signed. */
interface Access {
  readonly call: CallModel;
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly principal: Principal | undefined;
  readonly realm: string;
  readonly containerAccess: 'open' | 'signed';
}

const unsigned = (access: Access): Problem =>
  new Problem(
    'unauthorized',
    'This call must be signed with OAuth 1.0a; sign it with your app and access token.',
    {
      headers: { 'WWW-Authenticate': `OAuth realm="${access.realm}"` },
    },
  );

const refused = (why: string): Problem => new Problem('forbidden', why);

/** Specification section 5: what each scope asks of the credentials. */
const rules: Record<CallModel['scope'], (access: Access) => void> = {
  container: (access) => {
    if (access.containerAccess === 'signed' && !access.principal) throw unsigned(access);
  },
  record: (access) => {
    const { principal, parameters, call } = access;
    if (!principal) throw unsigned(access);
    if (!principal.token) throw refused('This call needs an access token for the record, not the app alone.');
    if (principal.token.record === undefined || principal.token.record !== parameters['record_id']) {
      throw refused('The access token is for another record.');
    }
    // Specification 4.2: an app may read another app's scratchpad, but writes only its own.
    if (call.method !== 'GET') ownApp(access);
  },
  user: (access) => {
    const { principal, parameters } = access;
    if (!principal) throw unsigned(access);
    if (!principal.token) throw refused('This call needs an access token of the user, not the app alone.');
    if (principal.token.user !== parameters['user_id']) throw refused('The access token is of another user.');
    ownApp(access);
  },
};

function ownApp({ parameters, principal }: Access): void {
  if ('smart_app_id' in parameters && parameters['smart_app_id'] !== principal?.app) {
    throw refused('The access token belongs to another app.');
  }
}

/**
 * Lets a request pass when its credentials cover the call, by the table above.
 * @throws Problem unauthorized (nobody proved) or forbidden (proved, but not theirs)
 */
export function authorize(access: Access): void {
  rules[access.call.scope](access);
}
