import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PlainBrowser, type PlainPage } from '../oauth/plain-browser.js';

/** What the hospital says of somebody who works there. */
export interface Account {
  readonly preferred_username?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
  readonly acr?: string;
  readonly amr?: readonly string[];
  /** What the userinfo endpoint says besides. */
  readonly besides?: object;
}

/** An OpenID Connect provider of its own, at which whoever comes is signed in as `who`. */
export interface Hospital {
  readonly issuer: string;
  readonly accounts: Map<string, Account>;
  /** How many codes the container has brought. */
  exchanged: number;
  /** The id of the account that the next browser signs in to. */
  who: string;
  /** Names the container whose people it signs in. */
  serve(container: string): void;
  /** Follows a browser through the provider. @returns where it is sent back to */
  pass(there: string): Promise<string>;
  stop(): Promise<void>;
  /** Listens again where it did. */
  comeBack(): Promise<void>;
}

export const CLIENT = { id: 'chartgraph', secret: 'a secret that only the two know' };

type Request = IncomingMessage;

interface OidcProvider {
  callback(): (request: Request, response: ServerResponse) => void;
  interactionFinished(request: Request, response: ServerResponse, result: object): Promise<void>;
  Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
}

const SCOPE = 'openid profile email groups';

export async function startHospital(): Promise<Hospital> {
  const accounts = new Map<string, Account>();
  let answer = (_: Request, response: ServerResponse): void => void response.writeHead(503).end();
  const listener = (request: Request, response: ServerResponse): void => answer(request, response);
  let server = await listening(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://localhost:${port}`;

  function listening(at: number): Promise<Server> {
    return new Promise((resolve) => {
      const made = createServer(listener).listen(at, 'localhost', () => resolve(made));
    });
  }

  const hospital: Hospital = {
    issuer,
    accounts,
    exchanged: 0,
    who: '',
    serve(container) {
      const provider = makeProvider(issuer, container, accounts);
      const callback = provider.callback();
      answer = (request, response) => {
        if (request.url === '/token') hospital.exchanged++;
        if (!request.url?.startsWith('/interaction/')) return callback(request, response);
        const { acr, amr } = accounts.get(hospital.who) ?? {};
        const login = { accountId: hospital.who, acr, amr };
        provider.interactionFinished(request, response, { login }).catch(() => response.end());
      };
    },
    async pass(there) {
      const browser = new PlainBrowser(issuer);
      let next = there;
      while (next.startsWith(issuer) || next.startsWith('/')) {
        const page: PlainPage = await browser.open(next);
        const to = page.headers.get('Location');
        if (to === null) throw new Error(`the provider sends nobody on: ${page.status} ${page.html}`);
        next = to;
      }
      return next;
    },
    stop: () => ended(server),
    async comeBack() {
      server = await listening(port);
    },
  };
  const { default: Provider } = (await import('oidc-provider' as string)) as {
    default: new (issuer: string, configuration: object) => OidcProvider;
  };
  const makeProvider = (own: string, container: string, people: Hospital['accounts']): OidcProvider => {
    const made: OidcProvider = new Provider(own, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${container}/login/organisation/callback`],
          post_logout_redirect_uris: [`${container}/login?signed_out=1`],
        },
      ],
      scopes: SCOPE.split(' '),
      // Names and groups are at the userinfo endpoint alone.
      claims: {
        openid: ['sub', 'acr', 'amr', 'auth_time'],
        profile: ['preferred_username', 'given_name', 'family_name'],
        email: ['email', 'email_verified'],
        groups: ['groups'],
      },
      cookies: { keys: ['of a test'] },
      jwks: undefined,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: (use: string) => {
          const { besides, ...account } = people.get(accountId) ?? {};
          return { sub: accountId, ...account, ...(use === 'userinfo' && besides) };
        },
      }),
      loadExistingGrant: async (context: {
        oidc: { client: { clientId: string }; session: { accountId: string } };
      }) => {
        const { client, session } = context.oidc;
        const grant = new made.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope(SCOPE);
        await grant.save();
        return grant;
      },
    });
    return made;
  };
  return hospital;
}

function ended(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
