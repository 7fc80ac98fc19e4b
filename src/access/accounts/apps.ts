import { createPublicKey, randomBytes } from 'node:crypto';
import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import { removeAllowances } from './allowances.js';
import { AccountError, isAppId } from './account-ids.js';
import { holdToKey, type Vault } from './secret-key.js';

/** Apps with a page (`ui`, or `frame_ui` inside the container's page) and apps without people (`background`). */
export const appModes = ['ui', 'frame_ui', 'background'] as const;
export type AppMode = (typeof appModes)[number];

export interface App {
  readonly id: string;
  readonly mode: AppMode;
  readonly publicKey?: string;
}

export interface AppCredentials extends App {
  readonly secret: string;
}

/** An omitted secret or public key keeps its value; a new app gets a random secret. */
export interface AppRegistration {
  readonly id: string;
  readonly mode: AppMode;
  readonly secret?: string;
  readonly publicKey?: string;
}

interface StoredApp {
  readonly mode: AppMode;
  readonly secret: string;
  readonly publicKey?: string;
}

const LEAST_RSA_BITS = 2048;
const sealIdentity = (id: string): string => `apps/${id}/secret`;
const shown = (id: string, { mode, publicKey }: StoredApp): App =>
  publicKey === undefined ? { id, mode } : { id, mode, publicKey };

/**
 * @param endAccess removes, in the same transaction, all of an app's tokens and requests, only its tokens without a
 * user, or only its requests
 */
export function appAccounts(
  vault: Vault,
  endAccess: (tx: WriteTx, app: string, which: 'all' | 'without a user' | 'by requests') => void,
) {
  const { key, directory } = vault;
  const stored = (tx: ReadTx, id: string): StoredApp | undefined =>
    isAppId(id) ? (tx.get('apps', id) as StoredApp | undefined) : undefined;
  return {
    /**
     * Installs or updates an app.
     * @returns its consumer secret
     * @throws AccountError when the id, mode, secret or public key is invalid
     */
    putApp(tx: WriteTx, app: AppRegistration): AppCredentials {
      check(app);
      holdToKey(tx, key);
      const before = stored(tx, app.id);
      const secret = app.secret ?? (before ? key.unseal(before.secret, sealIdentity(app.id)) : newSecret());
      const publicKey = app.publicKey === undefined ? before?.publicKey : readPublicKey(app.publicKey);
      const value: StoredApp = {
        mode: app.mode,
        secret: key.seal(secret, sealIdentity(app.id)),
        ...(publicKey === undefined ? {} : { publicKey }),
      };
      tx.put('apps', app.id, value);
      // Only background apps have tokens without a user, and they have no requests.
      if (before?.mode === 'background' && app.mode !== 'background') endAccess(tx, app.id, 'without a user');
      if (app.mode === 'background') endAccess(tx, app.id, 'by requests');
      return { ...shown(app.id, value), secret };
    },
    removeApp(tx: WriteTx, id: string): boolean {
      if (!stored(tx, id)) return false;
      tx.remove('apps', id);
      endAccess(tx, id, 'all');
      removeAllowances(tx, id);
      return true;
    },
    app: (id: string) =>
      directory.read((tx) => {
        const found = stored(tx, id);
        return found && shown(id, found);
      }),
    listApps: () =>
      directory.read((tx) =>
        [...tx.range('apps')].map((row) => shown(String(row.key), row.value as StoredApp)),
      ),
    appCredentials(tx: ReadTx, id: string): AppCredentials | undefined {
      const found = stored(tx, id);
      return found && { ...shown(id, found), secret: key.unseal(found.secret, sealIdentity(id)) };
    },
  };
}

/** 192 random bits, in characters that need no encoding in a URL. */
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
    // Given a private key, this keeps only its public half.
    const found = createPublicKey(pem);
    const bits = found.asymmetricKeyDetails?.modulusLength ?? 0;
    if (found.asymmetricKeyType === 'rsa' && bits >= LEAST_RSA_BITS) {
      return found.export({ type: 'spki', format: 'pem' }).toString();
    }
  } catch {
    // The error below says more than the one from node:crypto.
  }
  throw new AccountError(`The public key of an app is an RSA key of ${LEAST_RSA_BITS} bits or more, in PEM.`);
}
