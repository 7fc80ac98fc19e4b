import { AccountError } from '../../access/accounts/account-ids.js';
import { endSessions } from '../../access/accounts/sessions.js';
import type { Identity } from '../../access/accounts/users.js';
import type { Flow } from '../../access/oauth/flow.js';
import { hasSecondFactor, roleIn, userIdIn, type Claims } from '../../access/sign-on/claim-mapping.js';
import {
  ProviderAway,
  SignOnRefused,
  type IdentityProvider,
  type SignOnSettings,
} from '../../access/sign-on/identity-provider.js';
import type { Administration } from '../administration.js';
import { textAnswer, type PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { localPath } from './destination.js';
import { redirect } from './page-answer.js';
import { readFields, type PageMethods, type PageRequest } from './page-request.js';
import { signInSteps, tooMany, tryOf } from './sign-in.js';

/** Where the identity provider sends browsers back to. */
export const CALLBACK = '/login/organisation/callback';

export interface Organisation {
  readonly settings: SignOnSettings;
  readonly provider: IdentityProvider;
  readonly administration: Pick<Administration, 'addUser' | 'changeUser'>;
}

const LATE = 'This sign-in took longer than ten minutes, or began in another browser. Sign in again.';

/** Why somebody whom the provider knows is not let in: a word for the log, and a sentence for them. */
class NotLetIn extends Error {
  constructor(
    readonly reason: string,
    message: string,
    readonly user?: string,
  ) {
    super(message);
  }
}

/** `/login/organisation` sends a browser to the identity provider, which sends it back to the callback. */
export function organisationPages(
  site: Site,
  flow: Flow,
  { settings: { issuer, mapping }, provider, administration }: Organisation,
): Readonly<Record<'begin' | 'callback', PageMethods>> {
  const { accounts, grants, audit } = flow;
  const { shownAt, askForCode, entered } = signInSteps(site, flow);

  const failed = ({ visitor }: PageRequest, returnUrl: string, error: unknown): Promise<PlainAnswer> => {
    if (error instanceof ProviderAway) {
      const problem = `The sign-in of ${mapping.name} does not answer. Try again in a few minutes.`;
      return shownAt(visitor, returnUrl, { status: 503, problem, headers: { 'Retry-After': '60' } });
    }
    const refused = (reason: string, problem: string, user?: string): Promise<PlainAnswer> => {
      audit('sign-in.refused', { user, reason });
      return shownAt(visitor, returnUrl, { status: 403, problem });
    };
    if (error instanceof NotLetIn) return refused(error.reason, error.message, error.user);
    if (error instanceof SignOnRefused)
      return refused('identity provider', `Signing in with ${mapping.name} did not work. Try again.`);
    if (error instanceof AccountError) return refused('account', error.message);
    throw error;
  };

  const addedUser = async (claims: Claims, identity: Identity, role: ReturnType<typeof roleIn>) => {
    const id = userIdIn(mapping, claims);
    const namesake = id === undefined ? undefined : accounts.user(id)?.id;
    // Does not say whether there is a user of that name.
    const notLinked = new NotLetIn(
      namesake === undefined ? 'no user' : 'not linked',
      `No user here is linked to you. The operator of this container links you to one, with the command chartgraph user link ID --issuer ${issuer} --subject ${quoted(claims.sub)}`,
      namesake,
    );
    if (!mapping.newUsers || role === undefined) throw notLinked;
    const { given_name: givenName, family_name: familyName } = claims;
    if (id === undefined || typeof givenName !== 'string' || typeof familyName !== 'string')
      throw new NotLetIn(
        'claims',
        `${capital(mapping.name)} does not say what a new user needs: a user name, a given name and a family name.`,
      );
    if (namesake !== undefined) throw notLinked;
    await administration.addUser({ id, givenName, familyName, role, records: [], identity });
    audit('user add', { user: id, reason: 'first sign-in' });
    return id;
  };

  /** Returns the user whom claims are about, in the role that they give. @throws NotLetIn */
  const userOf = async (claims: Claims): Promise<string> => {
    const identity = { issuer, subject: claims.sub };
    const role = roleIn(mapping, claims);
    const known = accounts.userWith(identity);
    if (role === undefined) {
      if (known)
        await flow.directory.transact((tx) => {
          endSessions(tx, known.id);
          accounts.revokeTokensOf(tx, known.id);
        });
      throw new NotLetIn('no role', `${capital(mapping.name)} gives you no role here.`, known?.id);
    }
    if (!known) return addedUser(claims, identity, role);
    if (known.role !== role) {
      await administration.changeUser(known.id, { role });
      audit('user change', { user: known.id, reason: `role ${role}` });
    }
    return known.id;
  };

  const admitted = async (query: string, state: string, sessionId: string) => {
    const { claims, idToken } = await provider.finish(query, grants.signOnChecks(state, sessionId));
    const user = await userOf(claims);
    const mark = grants.passwordMark(user);
    const { auth_time: seconds } = claims;
    // Its clock may be ahead.
    const proved = typeof seconds === 'number' ? Math.min(seconds * 1000, Date.now()) : 0;
    const factor = hasSecondFactor(mapping, claims);
    return { user, mark, signOn: { issuer, idToken, proved, hasSecondFactor: factor } };
  };

  return {
    begin: {
      GET: async (request) => {
        const { visitor, target } = request;
        const fields = readFields(target.query);
        const returnUrl = localPath(fields.get('return_url'), site.base);
        const isAgain = fields.get('again') === '1';
        if (visitor.user && !isAgain) return redirect(returnUrl);
        const state = grants.issueState({ returnUrl }, visitor.sessionId);
        try {
          const checks = grants.signOnChecks(state, visitor.sessionId);
          return redirect(await provider.begin(checks, isAgain));
        } catch (error) {
          return failed(request, returnUrl, error);
        }
      },
    },
    callback: {
      GET: async (request) => {
        const { context, visitor, target } = request;
        // A code works once, so only what opens the page may use it.
        if (context.method === 'HEAD') return textAnswer('', 'text/html; charset=utf-8');
        const state = readFields(target.query).get('state') ?? '';
        const begun = grants.readState(state, visitor.sessionId);
        // Nobody is known yet, and anybody can ask for it: not in the access log.
        if (!begun) return shownAt(visitor, localPath(undefined, site.base), { status: 403, problem: LATE });
        const { returnUrl } = begun;
        const counted = tryOf(context, site);
        const wait = await tooMany(flow, counted);
        if (wait) return shownAt(visitor, returnUrl, wait);
        try {
          const proved = await admitted(target.query, state, visitor.sessionId);
          await grants.limits.succeeded(...counted);
          const { user, mark, signOn } = proved;
          if (signOn.hasSecondFactor) return await entered(request, proved, returnUrl);
          if (grants.secondFactors.has(user)) {
            const proof = grants.issueProof(user, visitor.sessionId, mark, signOn);
            return await askForCode(visitor, { proof, returnUrl });
          }
          const role = accounts.user(user)?.role;
          if (role && flow.settings.secondFactorRoles.includes(role))
            throw new NotLetIn(
              'second factor',
              `Your role needs a second factor: sign in with ${mapping.name} by one.`,
              user,
            );
          return await entered(request, proved, returnUrl);
        } catch (error) {
          // Else a hospital behind one address would wait after its provider is back.
          if (error instanceof ProviderAway) await grants.limits.succeeded(...counted);
          return failed(request, returnUrl, error);
        }
      },
    },
  };
}

/** Writes a word of a command, which a shell must not read otherwise. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
