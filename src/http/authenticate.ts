import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { factsOf } from '../model/ontology/answer-forms.js';
import { formats } from '../rdf/formats.js';
import { Problem } from '../model/problem.js';
import type { IncomingSignature } from '../access/oauth/signed-request.js';
import type { Principal, Verified } from '../access/oauth/verify.js';
import type { CallModel } from '../model/ontology/model.js';
import type { Verify } from './app-parts.js';
import { bodyBytes, isForm, type Bodies } from './admission/bodies.js';
import { isXml } from './media-type.js';
import { counted } from './admission/sender-budgets.js';
import { traceOf, type Credentials, type Route } from './request-context.js';
import type { Accounts } from '../access/accounts/accounts.js';
import { allowsType } from '../access/accounts/scopes.js';
import { bearerIn, bearerRefused, type Analyst } from './analyst.js';
import type { Visitor } from './sign-in/visitor.js';
import type { RequestTarget } from './target.js';

export interface Identity {
  readonly verified?: Verified | undefined;
  readonly visitor?: Visitor;
  readonly analyst?: Analyst | undefined;
}

/** Authenticates a request. @throws Problem unauthorized for a bad signature */
export type Authenticate = (context: Context, route: Route, target: RequestTarget) => Promise<Identity>;

export interface Proofs {
  readonly base: string;
  readonly accounts: Pick<Accounts, 'bearer'>;
  readonly secure: boolean;
  readonly bodies: Bodies;
  readonly verify: Verify;
  readonly verifyRequestToken: Verify;
  /** Brings the data up to date when others write it. `verify` does so itself for unread bodies. */
  readonly current?: (() => Promise<void>) | undefined;
  /** Returns the types of FHIR resources as which what a call answers goes out. */
  readonly typesOf?: ((call: CallModel) => Promise<readonly string[]>) | undefined;
  visitorOf(context: Context): Promise<Visitor>;
  analystOf(context: Context): Promise<Analyst | undefined>;
}

/** Makes the authentication step, by the credentials of a route. */
export function authentication(proofs: Proofs): Authenticate {
  const { secure, bodies, verify, verifyRequestToken, current, visitorOf, analystOf } = proofs;
  const signed =
    (prove: Verify): Authenticate =>
    async (context, route, target) => {
      if (isForm(context.req.headers['content-type'])) await current?.();
      const signature = await incomingSignature(context, route, target, secure, bodies);
      // The parameters of a form are sorted here, which takes time.
      const isRead = signature.body !== 'unread';
      return { verified: await (isRead ? counted(context, () => prove(signature)) : prove(signature)) };
    };
  const table: Readonly<Record<Credentials, Authenticate>> = {
    signature: signed(verify),
    'signature or bearer': async (context, route, target) => {
      const fields = authorizationFields(context.req);
      if (!fields.some((field) => /^Bearer(?: |$)/iu.test(field)))
        return table.signature(context, route, target);
      await current?.();
      const verified = ofBearer(proofs, fields);
      traceOf(context).principal = verified.principal;
      if (route.call) await requireScope(proofs, route.call, verified.principal.token);
      return { verified };
    },
    'request token': signed(verifyRequestToken),
    session: async (context) => {
      await current?.();
      return { visitor: await visitorOf(context) };
    },
    analyst: async (context) => {
      await current?.();
      return { analyst: await analystOf(context) };
    },
    none: async (_context, route) => {
      if (readsData(route)) await current?.();
      return {};
    },
  };
  return (context, route, target) => table[route.credentials](context, route, target);
}

/**
 * Scopes speak of FHIR: those for single types cover a call if they cover all types as which its answer goes out.
 * @throws Problem forbidden
 */
async function requireScope({ typesOf }: Proofs, call: CallModel, token: Principal['token']) {
  const covers = (type: string): boolean => allowsType(token ?? {}, type);
  if (covers('*')) return;
  const types = (await typesOf?.(call)) ?? [];
  if (types.length > 0 && types.every(covers)) return;
  const [wanted = '*'] = types;
  throw new Problem(
    'forbidden',
    `This call needs scopes for ${types.join(' and ') || 'all types'}, such as patient/${wanted}.rs.`,
  );
}

/** Proves a bearer token of an app, which stands in the only Authorization field. @throws Problem unauthorized */
function ofBearer({ accounts, base }: Proofs, fields: readonly string[]): Verified {
  const [field = ''] = fields;
  const sent = fields.length === 1 ? bearerIn(field) : undefined;
  const token = sent === undefined ? undefined : accounts.bearer(sent);
  if (!token) throw bearerRefused(base, 'invalid_token');
  const { id, app, user, record, allowed, scope, grant } = token;
  return {
    principal: { app, token: { id, user, record, allowed, scope, grant } },
    parameters: { protocol: new Map(), covered: [], path: '', document: undefined, realm: undefined },
    requireBody: () => undefined,
  };
}

/** Descriptions of the container itself do not need the store. */
function readsData({ call, access }: Route): boolean {
  return call !== undefined || access !== 'anybody';
}

/**
 * Collects what a signature is checked against. It covers the parameters of a form (RFC 5849 §3.4.1.3.1), so forms are
 * read here, other bodies after verification.
 * @throws Problem too-large
 */
export async function incomingSignature(
  context: Context,
  route: Route,
  target: RequestTarget,
  secure: boolean,
  bodies: Bodies,
): Promise<IncomingSignature> {
  const isRead = isForm(context.req.headers['content-type']);
  const body = isRead ? bodyBytes(await bodies.read(context, route.bodyLimit), route.bodyLimit) : 'unread';
  const isDocument = body !== 'unread' && takesDocuments(route) && isXml(body);
  if (body !== 'unread' && !isDocument) requireFewParameters(body);
  const { method = '', headers } = context.req;
  return {
    method,
    rawTarget: target.raw,
    authorization: authorizationFields(context.req),
    contentType: headers['content-type'],
    body,
    host: headers.host,
    isDocument,
    secure,
  };
}

/** Verification sorts the parameters of a form; more than these take too long. */
const MAX_PARAMETERS = 20_000;
const AMPERSAND = 0x26;

function requireFewParameters(form: Uint8Array): void {
  let count = 1;
  for (let at = form.indexOf(AMPERSAND); at >= 0; at = form.indexOf(AMPERSAND, at + 1)) count++;
  if (count <= MAX_PARAMETERS) return;
  throw new Problem(
    'too-large',
    `A form holds at most ${MAX_PARAMETERS} parameters; send what is no form with its own Content-Type.`,
  );
}

function takesDocuments({ call }: Route): boolean {
  return call !== undefined && factsOf(call).takes.includes(formats.rdfxml.mediaType);
}

/** Returns all Authorization fields: `headers` would only show the first. */
function authorizationFields({ rawHeaders }: IncomingMessage): string[] {
  const fields: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 13 && name.toLowerCase() === 'authorization') fields.push(rawHeaders[at + 1] ?? '');
  }
  return fields;
}
