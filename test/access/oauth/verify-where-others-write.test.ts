import { expect, test } from 'vitest';
import type { IncomingSignature } from '../../../src/access/oauth/signed-request.js';
import type { NonceMemory } from '../../../src/access/oauth/verify.js';
import type { SignatureRefusal } from '../../../src/access/oauth/signature-refusal.js';
import { accounts, app, arrive, BASE, createVerifier, memory, NOW, tokens } from './known.js';

type Tokens = Partial<Record<keyof typeof tokens, (typeof tokens)['good']>>;

/**
 * A gateway whose copy of the accounts may lag behind: it has `here` until the store is asked, and `there` from then on.
 * @param catchesUp whether it has `there` as soon as somebody has looked
 */
function gateway(here: Tokens, there: Tokens = here, catchesUp = false) {
  const store = memory();
  const asked: string[] = [];
  let known = here;
  let lastCommit = 1;
  const catchUp = (): void => {
    if (known === there) return;
    known = there;
    lastCommit++;
  };
  const ask = (what: string): void => {
    asked.push(what);
    catchUp();
  };
  const verify = createVerifier({
    accounts: {
      credentials: (consumerKey, token) => {
        const found = known[token as keyof typeof tokens];
        if (catchesUp) catchUp();
        return { ...accounts.credentials(consumerKey, undefined), token: found };
      },
    },
    nonces: {
      notBefore: 0,
      remember: ((key: string, expiresAt: number, mayLag?: boolean) => {
        const lags = known !== there;
        ask('nonce');
        return lags && mayLag === true ? undefined : store.remember(key, expiresAt);
      }) as NonceMemory['remember'],
    },
    directory: {
      current: () => Promise.resolve(ask('what is new')),
      get lastCommit() {
        return lastCommit;
      },
    },
    baseUrl: BASE,
    clock: () => NOW,
  });
  return { verify, asked, used: store.used };
}

const refused = (reason: string) => ({ cause: expect.objectContaining({ reason }) as SignatureRefusal });

/** RFC 5849 §3.4.4: PLAINTEXT has no need of timestamp and nonce. */
function plain(): IncomingSignature {
  const request = arrive({ signatureMethod: 'PLAINTEXT' });
  const fields = request.authorization.map((field) =>
    field.replace(/oauth_(?:timestamp|nonce)="[^"]*",? ?/gu, ''),
  );
  return { ...request, authorization: fields };
}

test('who is known here is asked about once, with the nonce', async () => {
  const { verify, asked } = gateway(tokens);
  await expect(verify(arrive())).resolves.toMatchObject({ app: app.id, token: { id: tokens.good.id } });
  expect(asked).toEqual(['nonce']);
});

test('a token that another gateway has revoked proves nothing', async () => {
  const { verify, asked, used } = gateway(tokens, { good: tokens.revoked });
  await expect(verify(arrive())).rejects.toMatchObject(refused('token'));
  expect(asked).toEqual(['nonce']);
  expect(used.size).toBe(0);
});

test('a token that was revoked elsewhere proves nothing where the copy has caught up between its proof and the question', async () => {
  const { verify, asked } = gateway(tokens, { good: tokens.revoked }, true);
  await expect(verify(arrive())).rejects.toMatchObject(refused('token'));
  // The store and the copy stood at the same commit by then.
  expect(asked).toEqual(['nonce']);
});

test('a token that another gateway has revoked tells nothing of the time and the nonce that it comes with', async () => {
  const late = gateway(tokens, { good: tokens.revoked });
  const signed = arrive({ timestamp: NOW / 1000 - 10_000 });
  await expect(late.verify(signed)).rejects.toMatchObject(refused('token'));
  expect(late.asked).toEqual(['what is new']);
  const known = gateway(tokens);
  await expect(known.verify(signed)).rejects.toMatchObject(refused('timestamp_refused'));
});

test('a change elsewhere that is about somebody else is asked about twice, and the nonce taken once', async () => {
  const { verify, asked, used } = gateway(tokens, { ...tokens });
  await expect(verify(arrive())).resolves.toMatchObject({ token: { id: tokens.good.id } });
  expect(asked).toEqual(['nonce', 'nonce']);
  expect(used.size).toBe(1);
});

test('who has read a form has asked before', async () => {
  const { verify, asked } = gateway(tokens);
  const form = { method: 'POST', body: 'a=b', contentType: 'application/x-www-form-urlencoded' };
  await expect(verify(arrive(form))).resolves.toMatchObject({ token: { id: tokens.good.id } });
  await expect(verify(arrive({ ...form, tokenSecret: 'wrong' }))).rejects.toMatchObject(refused('signature'));
  expect(asked).toEqual(['nonce']);
});

test('a secret that another gateway has changed proves nothing', async () => {
  const { verify } = gateway(tokens, { good: { ...tokens.good, secret: 'another' } });
  await expect(verify(arrive())).rejects.toMatchObject(refused('signature'));
});

test('a token that another gateway has issued proves who signs, once', async () => {
  const { verify, asked, used } = gateway({}, tokens);
  const request = arrive();
  await expect(verify(request)).resolves.toMatchObject({ token: { id: tokens.good.id } });
  expect(asked).toEqual(['what is new', 'nonce']);
  expect(used.size).toBe(1);
  await expect(verify(request)).rejects.toMatchObject(refused('nonce_used'));
});

test('what is known nowhere is refused when the store was asked, and takes no nonce', async () => {
  const { verify, asked, used } = gateway(tokens);
  for (const [change, reason] of [
    [{ tokenSecret: 'wrong' }, 'signature'],
    [{ token: 'none' }, 'token'],
    [{ consumerKey: 'none' }, 'consumer'],
  ] as const)
    await expect(verify(arrive(change))).rejects.toMatchObject(refused(reason));
  expect(asked).toEqual(['what is new', 'what is new', 'what is new']);
  expect(used.size).toBe(0);
});

test('what has no nonce is proved by what is stored now', async () => {
  const revoked = gateway(tokens, { good: tokens.revoked });
  await expect(revoked.verify(plain())).rejects.toMatchObject(refused('token'));
  const issued = gateway({}, tokens);
  await expect(issued.verify(plain())).resolves.toMatchObject({ token: { id: tokens.good.id } });
  for (const { asked } of [revoked, issued]) expect(asked).toEqual(['what is new']);
});

test('who does not try to sign sees what is stored now as well', async () => {
  const { verify, asked } = gateway({}, tokens);
  await expect(verify({ ...arrive(), authorization: [] })).resolves.toBeUndefined();
  expect(asked).toEqual(['what is new']);
});
