import { AccountError } from '../../accounts/account-error.js';
import type { Accounts } from '../../accounts/accounts.js';
import type { Subscription } from '../../accounts/subscriptions.js';
import { SignatureRefusal, unauthorized } from '../../oauth/signature-refusal.js';
import type { Principal } from '../../oauth/verify.js';
import { Problem } from '../../problem.js';
import { recordPart } from '../../records/record-partition.js';
import { recordIri } from '../../records/resource-paths.js';
import type { PlainAnswer } from '../answer.js';
import { appOrigins } from '../app-origins.js';
import {
  askedRecord,
  requireHistory,
  requireKnown,
  type ChangesParts,
} from '../handlers/changes-of-record.js';
import { jsonAnswer as json, readJsonBody, refusedProperty as refused } from '../json-body.js';
import type { Handler, RequestContext, Route } from '../request-context.js';
import { isLocal, receiverUrl } from './receiver-address.js';
import { replayed } from './delivery-schedule.js';

export type SubscriptionParts = Omit<ChangesParts, 'accounts'> & { readonly accounts: Accounts };

const PATH = '/records/{record_id}/subscriptions';
const ONE = `${PATH}/{subscription_id}`;
/** An address and a number. */
const BODY_LIMIT = 4096;

type Token = NonNullable<Principal['token']>;
/** A request about subscriptions of an app to a record. */
interface Asked {
  readonly app: string;
  readonly token: Token;
  readonly record: string;
}

/**
 * The routes by which apps subscribe to the changes of a record, see their subscriptions, have changes told again, and
 * end subscriptions. They are about apps and not about what a record says, so they are no calls of the ontology.
 */
export function subscriptionRoutes(parts: SubscriptionParts): readonly Route[] {
  const { accounts, primary, base } = parts;
  const origins = appOrigins(primary);
  const route = (
    method: Route['method'],
    path: string,
    answer: (asked: Asked, request: RequestContext) => PlainAnswer | Promise<PlainAnswer>,
  ): Route => {
    const handler: Handler = (request) => answer(asked(parts, request), request);
    return { method, path, credentials: 'signature', access: 'record', bodyLimit: BODY_LIMIT, handler };
  };
  const shown = (subscription: Subscription) => show(subscription, base, accounts);
  const own = ({ app, record }: Asked, { path }: RequestContext): Subscription => {
    const found = accounts.subscription(path['subscription_id'] ?? '');
    if (found?.app !== app || found.record !== record) throw notThere();
    return found;
  };
  return [
    route('GET', PATH, ({ record, app }) =>
      json({ subscriptions: accounts.listSubscriptions({ record, app }).map(shown) }),
    ),
    route('POST', PATH, async ({ app, token, record }, request) => {
      const { url: text, since } = readJsonBody(request, BODY_LIMIT, ['url', 'since']);
      const url = typeof text === 'string' ? receiverUrl(text, isLocal(new URL(base))) : undefined;
      if (!url)
        throw refused(
          'url',
          'url is the https address that is told of changes, without a user or a fragment.',
        );
      if (!origins.isOf(app, url.origin))
        throw refused('url', 'url has the origin of index or oauth_callback in the manifest of the app.');
      const position = since === undefined ? primary.revision(recordPart(record)) : readSince(parts, since);
      try {
        const { subscription, secret } = await accounts.subscribe({
          ...{ app, token: token.id, user: token.user, record, position },
          url: url.href,
        });
        const Location = addressOf(subscription, base);
        const body = { ...shown(subscription), ...(secret === undefined ? {} : { secret }) };
        return { ...json(body), status: secret === undefined ? 200 : 201, headers: { Location } };
      } catch (error) {
        if (error instanceof AccountError) throw new Problem('conflict', error.message);
        throw error;
      }
    }),
    route('GET', ONE, (of, request) => json(shown(own(of, request)))),
    route('PUT', ONE, async (of, request) => {
      const { id } = own(of, request);
      const since = readSince(parts, readJsonBody(request, BODY_LIMIT, ['since'])['since']);
      const { token } = of;
      const changed = await accounts.changeSubscription(id, (now) => ({
        ...replayed(now, since),
        token: token.id,
        user: token.user,
      }));
      if (!changed) throw notThere();
      return json(shown(changed));
    }),
    route('DELETE', ONE, async (of, request) => {
      await accounts.changeSubscription(own(of, request).id, () => undefined);
      return json({ removed: true });
    }),
  ];
}

/** @throws Problem unauthorized, not-found */
function asked(parts: SubscriptionParts, request: RequestContext): Asked {
  const { app, token } = request.verified?.principal ?? {};
  if (app === undefined || !token) throw unauthorized(new SignatureRefusal('malformed'), parts.base);
  return { app, token, record: askedRecord(parts, request).record };
}

const notThere = (): Problem => new Problem('not-found', 'This app has no such subscription to the record.');

/** A revision that the history reaches back to. @throws Problem unprocessable, no-history */
function readSince({ primary }: SubscriptionParts, since: unknown): number {
  if (typeof since !== 'number' || !Number.isSafeInteger(since) || since < 0)
    throw refused('since', 'since is the number of the change after which changes are told.');
  primary.directory.read((tx) => {
    requireHistory(tx, since);
    requireKnown(tx, since);
  });
  return since;
}

const addressOf = ({ record, id }: Subscription, base: string): string =>
  `${recordIri(base, record)}/subscriptions/${id}`;

/** A subscription as its app sees it: never with its secret. */
function show(subscription: Subscription, base: string, accounts: Pick<Accounts, 'tokenById'>) {
  const { id, url, created, position, failures, notBefore, reason, deadLetters, token } = subscription;
  const time = (at: number): string => new Date(at).toISOString();
  const expires = accounts.tokenById(token)?.expires;
  return {
    id,
    address: addressOf(subscription, base),
    url,
    created: time(created),
    ...(expires === undefined ? {} : { expires: time(expires) }),
    since: position,
    failures,
    ...(failures === 0 ? {} : { next_attempt: time(notBefore) }),
    ...(reason === undefined ? {} : { reason }),
    dead_letters: deadLetters.map(({ since, revision, at, reason: why }) => ({
      since,
      revision,
      time: time(at),
      reason: why,
    })),
  };
}
