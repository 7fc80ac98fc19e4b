import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import { AccountError } from './account-ids.js';
import { holdToKey, type Vault } from './secret-key.js';

/** RFC 6238 §5.2: accepts the code of the step before or after, for clocks that differ. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;

/** Data for an authenticator app; the secret is shown once, and only to the user. */
export interface Enrolment {
  readonly secret: string;
  /** The otpauth: URI, to be shown as a QR code. */
  readonly uri: string;
}

export type ProvedBy = 'code' | 'recovery-code';

/** Time-based one-time passwords (RFC 6238) with recovery codes. */
export type SecondFactors = ReturnType<typeof secondFactors>;

interface Stored {
  /** Sealed; the secret in force. */
  readonly secret?: string;
  /** Sealed; a new secret that is not confirmed yet. */
  readonly pending?: string;
  /** The last step whose code was used; that code and older ones no longer work (RFC 6238 §5.2). */
  readonly lastStep: number;
  readonly recovery: readonly string[];
}

export function secondFactors({ directory, key, clock }: Vault, random = randomBytes) {
  const sealIdentity = (user: string): string => `users/${user}/second-factor`;
  const stored = (tx: ReadTx, user: string): Stored | undefined =>
    user === '' ? undefined : (tx.get('factors', user) as Stored | undefined);
  const put = (tx: WriteTx, user: string, factor: Stored): void => {
    holdToKey(tx, key);
    tx.put('factors', user, factor);
  };
  const digest = (user: string, code: string): string => key.lookup(`recovery ${user} ${code}`);

  const stepOf = (
    user: string,
    sealed: string | undefined,
    code: string,
    lastStep: number,
  ): number | undefined => {
    const token = code.replace(/\s/g, '');
    if (sealed === undefined || !/^\d{6}$/.test(token)) return undefined;
    const totp = new TOTP({ secret: Secret.fromBase32(key.unseal(sealed, sealIdentity(user))) });
    const delta = totp.validate({ token, timestamp: clock(), window: WINDOW });
    const step = delta === null ? -1 : totp.counter({ timestamp: clock() }) + delta;
    return step > lastStep ? step : undefined;
  };

  return {
    /**
     * Makes a new secret. The old one stays in force until the new one is confirmed.
     * @param issuer the container's name, shown by the authenticator app
     * @throws AccountError when there is no such user
     */
    enrol: (user: string, issuer: string) =>
      directory.transact((tx) => {
        if (tx.get('users', user) === undefined)
          throw new AccountError(`There is no user ${JSON.stringify(user)}.`);
        const secret = new Secret({ buffer: new Uint8Array(random(SECRET_BYTES)).buffer });
        const before = stored(tx, user) ?? { lastStep: -1, recovery: [] };
        put(tx, user, { ...before, pending: key.seal(secret.base32, sealIdentity(user)) });
        return { secret: secret.base32, uri: new TOTP({ issuer, label: user, secret }).toString() };
      }),
    /**
     * Confirms the last enrolment.
     * @returns the recovery codes, which are shown only here; undefined for a wrong code or without an enrolment
     */
    confirm: (user: string, code: string) =>
      directory.transact((tx) => {
        const { pending } = stored(tx, user) ?? {};
        const step = stepOf(user, pending, code, -1);
        if (pending === undefined || step === undefined) return undefined;
        const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(random));
        const recovery = codes.map((each) => digest(user, plain(each)));
        put(tx, user, { secret: pending, lastStep: step, recovery });
        return codes;
      }),
    has: (user: string) => directory.read((tx) => stored(tx, user)?.secret !== undefined),
    /** Checks an authenticator code or a recovery code. Each works once. @returns undefined for a wrong code */
    verify: (user: string, code: string) =>
      directory.transact((tx) => {
        const factor = stored(tx, user);
        if (factor?.secret === undefined) return undefined;
        const step = stepOf(user, factor.secret, code, factor.lastStep);
        if (step !== undefined) {
          put(tx, user, { ...factor, lastStep: step });
          return 'code';
        }
        const used = digest(user, plain(code));
        if (!factor.recovery.includes(used)) return undefined;
        put(tx, user, { ...factor, recovery: factor.recovery.filter((each) => each !== used) });
        return 'recovery-code';
      }),
    recoveryCodesLeft: (user: string) => directory.read((tx) => stored(tx, user)?.recovery.length ?? 0),
    /** Removes the second factor, so that the password alone signs in. @returns whether there was one */
    remove: (user: string) =>
      directory.transact((tx) => {
        const had = stored(tx, user) !== undefined;
        if (had) tx.remove('factors', user);
        return had;
      }),
  };
}

/** 80 random bits in base32, as `abcd-efgh-…`. */
function newRecoveryCode(random: typeof randomBytes): string {
  const { base32 } = new Secret({ buffer: new Uint8Array(random(10)).buffer });
  return (base32.toLowerCase().match(/.{4}/g) ?? []).join('-');
}

function plain(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase().slice(0, 64);
}
