import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { factsOf } from '../ontology/answer-forms.js';
import { formats } from '../rdf/formats.js';
import { Problem } from '../problem.js';
import type { IncomingSignature } from '../oauth/incoming-signature.js';
import type { Verified } from '../oauth/verify.js';
import type { Verify } from './app-parts.js';
import { bodyBytes, isForm, type Bodies } from './body.js';
import { isXml } from './media-type.js';
import { counted } from './processor-time.js';
import type { Credentials, Route } from './request-context.js';
import type { Analyst } from './analysts/analyst.js';
import type { Visitor } from './pages/visitor.js';
import type { RequestTarget } from './target.js';

/** Who makes a request, as far as it proves that. */
export interface Identity {
  readonly verified?: Verified | undefined;
  readonly visitor?: Visitor;
  readonly analyst?: Analyst | undefined;
}

/** Finds out who makes a request. @throws Problem unauthorized for a signature that proves nothing */
export type Authenticate = (context: Context, route: Route, target: RequestTarget) => Promise<Identity>;

/** What proves each kind of credentials. */
export interface Proofs {
  readonly secure: boolean;
  readonly bodies: Bodies;
  readonly verify: Verify;
  readonly verifyRequestToken: Verify;
  /**
   * Brings the data up to date before anything of it is read, where others write it, too; `verify` and
   * `verifyRequestToken` do so themselves where the body is not read.
   */
  readonly current?: (() => Promise<void>) | undefined;
  visitorOf(context: Context): Promise<Visitor>;
  analystOf(context: Context): Promise<Analyst | undefined>;
}

/** Makes the step that proves who makes a request, by the kind of credentials that its route takes. */
export function authentication({
  secure,
  bodies,
  verify,
  verifyRequestToken,
  current,
  visitorOf,
  analystOf,
}: Proofs): Authenticate {
  const signed =
    (prove: Verify): Authenticate =>
    async (context, route, target) => {
      if (isForm(context.req.headers['content-type'])) await current?.();
      const signature = await incomingSignature(context, route, target, secure, bodies);
      // A form is read and sorted here.
      const isRead = signature.body !== 'unread';
      return { verified: await (isRead ? counted(context, () => prove(signature)) : prove(signature)) };
    };
  const table: Readonly<Record<Credentials, Authenticate>> = {
    signature: signed(verify),
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

/** What the container says of itself is answered whatever happens to the store. */
function readsData({ call, access }: Route): boolean {
  return call !== undefined || access !== 'anybody';
}

/**
 * What a signature is checked against. It covers the parameters of a form (RFC 5849 §3.4.1.3.1), so a form is read
 * here; every other body is read after its sender is proved.
 * @throws Problem too-large for a form that is more than the route takes, or has too many parameters
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

/** Parameters of a form are sorted to be proved: more than anybody sends in earnest take too long. */
const MOST_PARAMETERS = 20_000;
const AMPERSAND = 0x26;

/** @throws Problem too-large */
function requireFewParameters(form: Uint8Array): void {
  let count = 1;
  for (let at = form.indexOf(AMPERSAND); at >= 0; at = form.indexOf(AMPERSAND, at + 1)) count++;
  if (count <= MOST_PARAMETERS) return;
  throw new Problem(
    'too-large',
    `A form holds at most ${MOST_PARAMETERS} parameters; send what is no form with its own Content-Type.`,
  );
}

/** Whether a call takes a graph, and reads nothing else from its body. */
function takesDocuments({ call }: Route): boolean {
  return call !== undefined && factsOf(call).takes.includes(formats.rdfxml.mediaType);
}

/** The value of every Authorization field, however many there are: `headers` would show the first alone. */
function authorizationFields({ rawHeaders }: IncomingMessage): string[] {
  const fields: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 13 && name.toLowerCase() === 'authorization') fields.push(rawHeaders[at + 1] ?? '');
  }
  return fields;
}
