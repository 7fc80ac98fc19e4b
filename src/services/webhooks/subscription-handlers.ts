import { AccountError } from '../../access/accounts/account-ids.js';
import type { Accounts } from '../../access/accounts/accounts.js';
import { shownDeadLetter, type Subscription } from '../../access/accounts/subscriptions.js';
import type { ServiceKey } from '../../model/ontology/answer-forms.js';
import { SignatureRefusal, unauthorized } from '../../access/oauth/signature-refusal.js';
import type { Principal } from '../../access/oauth/verify.js';
import { Problem } from '../../model/problem.js';
import { recordPart } from '../../records/record-partition.js';
import { recordIri } from '../../records/resource-paths.js';
import type { PlainAnswer } from '../../http/answer.js';
import { appOrigins } from '../../http/cors.js';
import { askedRecord, requireHistory } from '../../http/handlers/changes-of-record.js';
import { jsonAnswer as json, readJsonBody, refusedProperty as refused } from '../../http/json-body.js';
import { forCalls, type CallRequest, type Handler } from '../../http/request-context.js';
import { isLocal, receiverUrl } from './receiver-address.js';
import { replayed } from './due-deliveries.js';
import type { CallParts } from '../../http/handlers/reads.js';

type Token = NonNullable<Principal['token']>;
interface Subscriber {
  readonly app: string;
  readonly token: Token;
  readonly record: string;
}

type SubscriptionKey = Extract<ServiceKey, `subscription ${string}`>;

/** Lets apps subscribe to a record's changes, and list, replay and end subscriptions. */
export function subscriptionHandlers(parts: CallParts): Readonly<Record<SubscriptionKey, Handler>> {
  const { accounts, primary, base } = parts;
  const origins = appOrigins(primary);
  const answering = (
    answer: (subscriber: Subscriber, request: CallRequest) => PlainAnswer | Promise<PlainAnswer>,
  ) => forCalls((request) => answer(subscriber(parts, request), request));
  const shown = (subscription: Subscription) => show(subscription, base, accounts);
  const own = ({ app, record }: Subscriber, { path }: CallRequest): Subscription => {
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
      if (!url) throw refused('url', 'url must be an https address without a user or a fragment.');
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

function subscriber(parts: CallParts, request: CallRequest): Subscriber {
  const { app, token } = request.verified?.principal ?? {};
  if (app === undefined || !token) throw unauthorized(new SignatureRefusal('malformed'), parts.base);
  return { app, token, record: askedRecord(parts, request).record };
}

const notThere = (): Problem => new Problem('not-found', 'This app has no such subscription to the record.');

function readSince({ primary }: CallParts, record: string, since: unknown): number {
  if (typeof since !== 'number' || !Number.isSafeInteger(since) || since < 0)
    throw refused('since', 'since must be the number of a change; later ones are delivered.');
  primary.directory.read((tx) => requireHistory(tx, since, record));
  return since;
}

const addressOf = ({ record, id }: Subscription, base: string): string =>
  `${recordIri(base, record)}/subscriptions/${id}`;

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
