import { createPublicKey, randomBytes } from 'node:crypto';
import type { ReadTx, WriteTx } from '../disk/data-directory.js';
import { removeAllowances } from './allowances.js';
import { AccountError } from './account-error.js';
import { isAppId } from './account-ids.js';
import { holdToKey, type Vault } from './vault.js';

/** What an app is: for people (`ui`, `frame_ui` inside the container's page) or without any (`background`). */
export const appModes = ['ui', 'frame_ui', 'background'] as const;
export type AppMode = (typeof appModes)[number];

/** An app as anybody may see it. */
export interface App {
  readonly id: string;
  readonly mode: AppMode;
  /** RSA public key for RSA-SHA1 and RSA-SHA256, as PEM. */
  readonly publicKey?: string;
}

/** An app with its consumer secret. */
export interface AppCredentials extends App {
  readonly secret: string;
}

/** What an app is installed with; a secret or public key left out stays as it was, a first secret is made up. */
export interface AppRegistration {
  readonly id: string;
  readonly mode: AppMode;
  readonly secret?: string;
  readonly publicKey?: string;
}

/** The secrets of installed apps; their manifests are in the graph. */
export interface AppAccounts {
  /**
   * Installs an app or changes it.
   * @returns its consumer secret
   * @throws AccountError when the id, the mode, the secret or the public key cannot be one
   */
  putApp(tx: WriteTx, app: AppRegistration): AppCredentials;
  /** Removes an app with all its tokens. @returns whether it was there */
  removeApp(tx: WriteTx, id: string): boolean;
  app(id: string): App | undefined;
  /** All apps in the order of their ids. */
  listApps(): App[];
  /** An app with its secret, read in a transaction that the caller has. */
  appCredentials(tx: ReadTx, id: string): AppCredentials | undefined;
}

interface StoredApp {
  readonly mode: AppMode;
  readonly secret: string;
  readonly publicKey?: string;
}

const LEAST_RSA_BITS = 2048;
const place = (id: string): string => `apps/${id}/secret`;
const shown = (id: string, { mode, publicKey }: StoredApp): App =>
  publicKey === undefined ? { id, mode } : { id, mode, publicKey };

/**
 * @param endAccess what takes tokens and requests of an app away in the same transaction: all of them, tokens without a user,
 * or requests, which apps that work without people have none of
 */
export function appAccounts(
  vault: Vault,
  endAccess: (tx: WriteTx, app: string, which: 'all' | 'without a user' | 'by requests') => void,
): AppAccounts {
  const { key, directory } = vault;
  const stored = (tx: ReadTx, id: string): StoredApp | undefined =>
    isAppId(id) ? (tx.get('apps', id) as StoredApp | undefined) : undefined;
  return {
    putApp(tx, app) {
      check(app);
      holdToKey(tx, key);
      const before = stored(tx, app.id);
      const secret = app.secret ?? (before ? key.unseal(before.secret, place(app.id)) : newSecret());
      const publicKey = app.publicKey === undefined ? before?.publicKey : readPublicKey(app.publicKey);
      const value: StoredApp = {
        mode: app.mode,
        secret: key.seal(secret, place(app.id)),
        ...(publicKey === undefined ? {} : { publicKey }),
      };
      tx.put('apps', app.id, value);
      // Those are for apps that work without people.
      if (before?.mode === 'background' && app.mode !== 'background') endAccess(tx, app.id, 'without a user');
      if (app.mode === 'background') endAccess(tx, app.id, 'by requests');
      return { ...shown(app.id, value), secret };
    },
    removeApp(tx, id) {
      if (!stored(tx, id)) return false;
      tx.remove('apps', id);
      endAccess(tx, id, 'all');
      removeAllowances(tx, id);
      return true;
    },
    app: (id) =>
      directory.read((tx) => {
        const found = stored(tx, id);
        return found && shown(id, found);
      }),
    listApps: () =>
      directory.read((tx) =>
        [...tx.range('apps')].map((row) => shown(String(row.key), row.value as StoredApp)),
      ),
    appCredentials(tx, id) {
      const found = stored(tx, id);
      return found && { ...shown(id, found), secret: key.unseal(found.secret, place(id)) };
    },
  };
}

/** A new secret or token: 192 random bits in characters that need no encoding in a URL. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

function check({ id, mode, secret }: AppRegistration): void {
  if (!isAppId(id)) throw new AccountError(`${JSON.stringify(id)} cannot be the id of an app.`);
  if (!appModes.includes(mode))
    throw new AccountError(`The mode of an app is one of ${appModes.join(', ')}.`);
  if (secret !== undefined && !/^[\x21-\x7e]{1,512}$/.test(secret)) {
    throw new AccountError('A consumer secret has 1 to 512 visible ASCII characters and no space.');
  }
}

function readPublicKey(pem: string): string {
  try {
    // A private key would be read too, as the public half of it; that half alone is kept.
    const found = createPublicKey(pem);
    const bits = found.asymmetricKeyDetails?.modulusLength ?? 0;
    if (found.asymmetricKeyType === 'rsa' && bits >= LEAST_RSA_BITS) {
      return found.export({ type: 'spki', format: 'pem' }).toString();
    }
  } catch {
    // What node:crypto says about it helps nobody more than the sentence below.
  }
  throw new AccountError(`The public key of an app is an RSA key of ${LEAST_RSA_BITS} bits or more, in PEM.`);
}
