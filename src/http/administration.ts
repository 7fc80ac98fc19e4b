import { statfs } from 'node:fs/promises';
import { accountName } from '../access/log/account-name.js';
import type { RecordedEntry } from '../access/log/access-entry.js';
import { attemptKey, gathered, type GatheredEntry } from '../access/log/gathered-entries.js';
import type { AccessFilter } from '../access/log/read-entries.js';
import { sharedAnchor } from '../access/log/shared-anchor.js';
import type { Verification } from '../access/log/verify-chain.js';
import type { AppRegistration } from '../access/accounts/apps.js';
import type { AppManifest } from '../access/accounts/manifest.js';
import {
  addUser,
  changeUser,
  installApp,
  issueAppToken,
  removeApp,
  removeUser,
  type AppTokenRequest,
  type NewUser,
  type UserChange,
} from '../records/registry.js';
import { memoryShare } from '../store/capacity.js';
import { storeSize } from '../store/disk/store-file.js';
import type { AppParts } from './app-parts.js';

/** The latest entries among which the last use of tokens is looked for. */
const LOOKED_AT_FOR_USE = 5000;
const USES = new Set(['read', 'write', 'remove', 'query']);

/** Entries of an operator among which the last backup is looked for. */
const LOOKED_AT = 20_000;

export type Administration = ReturnType<typeof administration>;

/** What administrators may do in pages, by the functions that commands call. It reads nothing of records. */
export function administration({ data: { primary }, flow, accessLog, settings }: AppParts) {
  const registry = { primary, directory: flow.directory, base: flow.base, accounts: flow.accounts };
  return {
    addUser: (user: NewUser) => addUser(registry, user),
    changeUser: (id: string, change: UserChange) => changeUser(registry, id, change),
    /** Ends what a user opened in an emergency, and nothing else. @returns whether it was going on */
    endEmergency: (user: string, record: string): Promise<boolean> =>
      flow.directory.transact((tx) => flow.accounts.endEmergencies(tx, user, [record]) > 0),
    removeUser: (id: string) => removeUser(registry, id),
    installApp: (manifest: AppManifest, keys: Pick<AppRegistration, 'publicKey'>) =>
      installApp(registry, manifest, keys),
    removeApp: (id: string) => removeApp(registry, id),
    issueAppToken: (request: AppTokenRequest) => issueAppToken(registry, request),
    /** Reads the access log, newest first; refused requests of a sender and day share a row. */
    entries: (
      { limit, ...filter }: AccessFilter,
      isWanted: (entry: RecordedEntry) => boolean = () => true,
    ): Promise<GatheredEntry[]> =>
      gathered(only(accessLog.read({ ...filter, newestFirst: true }), isWanted), attemptKey, limit),
    /** Returns when tokens were last used, by id, in milliseconds since 1970, and from when on uses would be found. */
    lastUses: async (): Promise<{ readonly uses: ReadonlyMap<string, number>; readonly from: number }> => {
      const uses = new Map<string, number>();
      let from = 0;
      for await (const entry of accessLog.read({ newestFirst: true, limit: LOOKED_AT_FOR_USE })) {
        const { action, tokenId } = entry;
        from = Date.parse(entry.time);
        if (tokenId !== undefined && USES.has(action) && !uses.has(tokenId)) uses.set(tokenId, from);
      }
      return { uses, from };
    },
    verifyLog: async (): Promise<Verification> => {
      const { store } = settings;
      const kept = store === undefined ? undefined : await sharedAnchor(store, accessLog.checkpoint().chain);
      return accessLog.verifyInSteps(kept);
    },
    /** Bytes of the store, of its disk, and of memory: what is used or free, and of how much. */
    machine: async () => {
      const { bavail, blocks, bsize } = await statfs(settings.data);
      return {
        store: storeSize(settings.data),
        disk: { free: bavail * bsize, size: blocks * bsize },
        memory: { used: process.memoryUsage.rss(), size: 4 * memoryShare() },
        memoryForData: settings.memoryBytes ?? memoryShare(),
      };
    },
    /**
     * Returns the entries of the last backup that was made, and of a later one that was not, by an operator who can read
     * the data directory, if they are not long ago.
     */
    lastBackups: async (): Promise<{ made?: RecordedEntry; unmade?: RecordedEntry }> => {
      let made: RecordedEntry | undefined;
      let unmade: RecordedEntry | undefined;
      for (const user of new Set([accountName(), 'root'])) {
        for await (const entry of accessLog.read({ user, newestFirst: true, limit: LOOKED_AT })) {
          if (entry.action !== 'backup') continue;
          if (entry.outcome === 'done') {
            if (made === undefined || made.time < entry.time) made = entry;
            break;
          }
          if (unmade === undefined || unmade.time < entry.time) unmade = entry;
        }
      }
      const isLater = made === undefined || (unmade !== undefined && made.time < unmade.time);
      return { ...(made && { made }), ...(unmade && isLater && { unmade }) };
    },
  };
}

async function* only<T>(all: AsyncIterable<T>, isWanted: (each: T) => boolean): AsyncGenerator<T> {
  for await (const each of all) if (isWanted(each)) yield each;
}
