import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { ReadTx, WriteTx } from '../disk/data-directory.js';
import { AccountError } from './account-error.js';
import type { User, UserRole } from './users.js';
import { holdToKey, type Vault } from './vault.js';

/** RFC 6238 §5.2: a code of the step before or after is taken too, for clocks that differ. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** RFC 4226 §4: a shared secret of 160 bits is recommended. */
const SECRET_BYTES = 20;

/** What an authenticator app is given; the secret is shown to nobody but the user, and only once. */
export interface Enrolment {
  /** In base32, to be typed. */
  readonly secret: string;
  /** The otpauth: address, to be shown as a QR code. */
  readonly uri: string;
}

/** What a code was, when it was right. */
export type ProvedBy = 'code' | 'recovery-code';

/** Second factors: time-based one-time passwords (RFC 6238) with recovery codes. */
export interface SecondFactors {
  /**
   * Makes a new secret, which is asked for only after it has been confirmed; one that is in force stays so until then.
   * @param issuer what the authenticator app shows beside the user: the name of the container
   * @throws AccountError when there is no such user
   */
  enrol(user: string, issuer: string): Promise<Enrolment>;
  /**
   * Puts the last enrolment into force.
   * @returns recovery codes, the only time that they are seen; undefined when the code is wrong or nothing waits for one
   */
  confirm(user: string, code: string): Promise<readonly string[] | undefined>;
  /** Whether a code is asked for at sign-in. */
  has(user: string): boolean;
  /** Checks a code of the app or a recovery code. Each is right once. @returns undefined when it is wrong */
  verify(user: string, code: string): Promise<ProvedBy | undefined>;
  /** How many recovery codes are left. */
  recoveryCodesLeft(user: string): number;
  /** Ends it, so that the password alone signs in. @returns whether there was one */
  remove(user: string): Promise<boolean>;
}

interface Stored {
  /** Sealed; what signs in. */
  readonly secret?: string;
  /** Sealed; what waits to be confirmed. */
  readonly pending?: string;
  /** The last step whose code was used: neither it nor an older one is right again (RFC 6238 §5.2). */
  readonly lastStep: number;
  /** Keyed digests of the recovery codes that are left. */
  readonly recovery: readonly string[];
}

/**
 * Whether a user must have a second factor before they can do anything else.
 * @param roles those of which it is demanded
 */
export function secondFactorDemanded(user: Pick<User, 'role'>, roles: ReadonlySet<UserRole>): boolean {
  return roles.has(user.role);
}

/** The second factors of a data directory. */
export function secondFactors({ directory, key, clock }: Vault, random = randomBytes): SecondFactors {
  const place = (user: string): string => `users/${user}/second-factor`;
  const stored = (tx: ReadTx, user: string): Stored | undefined =>
    user === '' ? undefined : (tx.get('factors', user) as Stored | undefined);
  const put = (tx: WriteTx, user: string, factor: Stored): void => {
    holdToKey(tx, key);
    tx.put('factors', user, factor);
  };
  const digest = (user: string, code: string): string => key.lookup(`recovery ${user} ${code}`);

  /** The step of a code that is right now and newer than those used before. */
  const stepOf = (
    user: string,
    sealed: string | undefined,
    code: string,
    lastStep: number,
  ): number | undefined => {
    const token = code.replace(/\s/g, '');
    if (sealed === undefined || !/^\d{6}$/.test(token)) return undefined;
    const totp = new TOTP({ secret: Secret.fromBase32(key.unseal(sealed, place(user))) });
    const delta = totp.validate({ token, timestamp: clock(), window: WINDOW });
    const step = delta === null ? -1 : totp.counter({ timestamp: clock() }) + delta;
    return step > lastStep ? step : undefined;
  };

  return {
    enrol: (user, issuer) =>
      directory.transact((tx) => {
        if (tx.get('users', user) === undefined)
          throw new AccountError(`There is no user ${JSON.stringify(user)}.`);
        const secret = new Secret({ buffer: new Uint8Array(random(SECRET_BYTES)).buffer });
        const before = stored(tx, user) ?? { lastStep: -1, recovery: [] };
        put(tx, user, { ...before, pending: key.seal(secret.base32, place(user)) });
        return { secret: secret.base32, uri: new TOTP({ issuer, label: user, secret }).toString() };
      }),
    confirm: (user, code) =>
      directory.transact((tx) => {
        const { pending } = stored(tx, user) ?? {};
        const step = stepOf(user, pending, code, -1);
        if (pending === undefined || step === undefined) return undefined;
        const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(random));
        const recovery = codes.map((each) => digest(user, plain(each)));
        put(tx, user, { secret: pending, lastStep: step, recovery });
        return codes;
      }),
    has: (user) => directory.read((tx) => stored(tx, user)?.secret !== undefined),
    verify: (user, code) =>
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
    recoveryCodesLeft: (user) => directory.read((tx) => stored(tx, user)?.recovery.length ?? 0),
    remove: (user) =>
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

/** A recovery code as it is compared: however it was typed. */
function plain(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase().slice(0, 64);
}
