import { AccountError } from '../../accounts/account-error.js';
import type { Accounts } from '../../accounts/accounts.js';
import { shownDeadLetter, type Subscription } from '../../accounts/subscriptions.js';
import type { ServiceKey } from '../../ontology/answer-forms.js';
import { SignatureRefusal, unauthorized } from '../../oauth/signature-refusal.js';
import type { Principal } from '../../oauth/principal.js';
import { Problem } from '../../problem.js';
import { recordPart } from '../../records/record-partition.js';
import { recordIri } from '../../records/resource-paths.js';
import type { PlainAnswer } from '../answer.js';
import { appOrigins } from '../app-origins.js';
import { askedRecord, requireHistory, type ChangesParts } from '../handlers/changes-of-record.js';
import { jsonAnswer as json, readJsonBody, refusedProperty as refused } from '../json-body.js';
import { forCalls, type CallRequest, type Handler } from '../request-context.js';
import { isLocal, receiverUrl } from './receiver-address.js';
import { replayed } from './delivery-schedule.js';

export type SubscriptionParts = Omit<ChangesParts, 'accounts'> & { readonly accounts: Accounts };

type Token = NonNullable<Principal['token']>;
/** A request about subscriptions of an app to a record. */
interface Asked {
  readonly app: string;
  readonly token: Token;
  readonly record: string;
}

type SubscriptionKey = Extract<ServiceKey, `subscription ${string}`>;

/**
 * By which apps subscribe to the changes of a record, see their subscriptions, have changes told again, and end
 * subscriptions.
 */
export function subscriptionHandlers(parts: SubscriptionParts): Readonly<Record<SubscriptionKey, Handler>> {
  const { accounts, primary, base } = parts;
  const origins = appOrigins(primary);
  const answering = (answer: (asked: Asked, request: CallRequest) => PlainAnswer | Promise<PlainAnswer>) =>
    forCalls((request) => answer(asked(parts, request), request));
  const shown = (subscription: Subscription) => show(subscription, base, accounts);
  const own = ({ app, record }: Asked, { path }: CallRequest): Subscription => {
    const found = accounts.subscription(path['subscription_id'] ?? '');
    if (found?.app !== app || found.record !== record) throw notThere();
    return found;
  };
  return {
    'subscription GET': answering((of, request) =>
      request.route.call.cardinality === 'single'
        ? json(shown(own(of, request)))
        : json({ subscriptions: accounts.listSubscriptions(of).map(shown) }),
    ),
    'subscription POST': answering(async ({ app, token, record }, request) => {
      const { url: text, since } = readJsonBody(request, ['url', 'since']);
      const url = typeof text === 'string' ? receiverUrl(text, isLocal(new URL(base))) : undefined;
      if (!url)
        throw refused(
          'url',
          'url is the https address that is told of changes, without a user or a fragment.',
        );
      if (!origins.isOf(app, url.origin))
        throw refused(
          'url',
          'url must have the origin of index or oauth_callback in the manifest of the app; a background app, whose manifest has neither, asks for exports.',
        );
      const position =
        since === undefined ? primary.revision(recordPart(record)) : readSince(parts, record, since);
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
    'subscription PUT': answering(async (of, request) => {
      const { id } = own(of, request);
      const since = readSince(parts, of.record, readJsonBody(request, ['since'])['since']);
      const { token } = of;
      const changed = await accounts.changeSubscription(id, (now) => ({
        ...replayed(now, since),
        token: token.id,
        user: token.user,
      }));
      if (!changed) throw notThere();
      return json(shown(changed));
    }),
    'subscription DELETE': answering(async (of, request) => {
      await accounts.changeSubscription(own(of, request).id, () => undefined);
      return json({ removed: true });
    }),
  };
}

/** @throws Problem unauthorized, not-found */
function asked(parts: SubscriptionParts, request: CallRequest): Asked {
  const { app, token } = request.verified?.principal ?? {};
  if (app === undefined || !token) throw unauthorized(new SignatureRefusal('malformed'), parts.base);
  return { app, token, record: askedRecord(parts, request).record };
}

const notThere = (): Problem => new Problem('not-found', 'This app has no such subscription to the record.');

/** A revision that the history reaches back to. @throws Problem unprocessable, no-history */
function readSince({ primary }: SubscriptionParts, record: string, since: unknown): number {
  if (typeof since !== 'number' || !Number.isSafeInteger(since) || since < 0)
    throw refused('since', 'since is the number of the change after which changes are told.');
  primary.directory.read((tx) => requireHistory(tx, since, record));
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
    dead_letters: deadLetters.map(shownDeadLetter),
  };
}
