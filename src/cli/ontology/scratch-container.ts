import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccounts } from '../../accounts/accounts.js';
import { loadSecretKey } from '../../accounts/key.js';
import type { AppManifest } from '../../accounts/manifest.js';
import { runningContainer, type Asked, type IssuedToken, type Tokens } from '../../call-tests/ask.js';
import { TEST_APP } from '../../call-tests/derive-suite.js';
import type { Suite } from '../../call-tests/suite.js';
import type { ContainerSettings } from '../../container-settings.js';
import { openDataDirectory } from '../../disk/data-directory.js';
import { startContainer } from '../../main.js';
import { appGraph } from '../../records/app-graph.js';
import { openPrimaryStore } from '../../store/primary-store.js';

/** A container for one run of a suite, with data of its own. */
export interface ScratchContainer extends Asked {
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

/**
 * Starts a container on a free port of this machine, over the seed and nothing else, and lets the app of the suite
 * into its records.
 */
export async function startScratchContainer(
  suite: Pick<Suite, 'user' | 'records'>,
  settings: Omit<ContainerSettings, 'data' | 'port' | 'host'>,
): Promise<ScratchContainer> {
  const data = await mkdtemp(join(tmpdir(), 'chartgraph-tests-'));
  const remove = (): Promise<void> => rm(data, { recursive: true, force: true });
  try {
    const container = await startContainer({ ...settings, data, host: '127.0.0.1', port: 0 });
    const tokens = await issueTokens({ data }, container.url, suite);
    return {
      ...runningContainer(container.url, tokens),
      close: async () => {
        await container.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Installs the app of suites in a data directory, where a server may run on it, and issues a token for each record. */
export async function issueTokens(
  { data, store }: { readonly data: string; readonly store?: string | undefined },
  base: string,
  { user, records }: Pick<Suite, 'user' | 'records'>,
): Promise<Tokens> {
  const directory = await openDataDirectory(data, { store });
  try {
    const accounts = openAccounts(directory, await loadSecretKey(data, process.env));
    const { id, mode } = TEST_APP;
    let secret = '';
    const manifest: AppManifest = TEST_APP;
    await openPrimaryStore(directory, base).write({ replace: [appGraph(manifest, base)] }, (tx) => {
      secret = accounts.putApp(tx, { id, mode }).secret;
    });
    const issue = async (record: string): Promise<IssuedToken> => {
      const issued = await accounts.issueToken({ app: id, user, record });
      return {
        consumer_key: id,
        consumer_secret: secret,
        oauth_token: issued.token,
        oauth_token_secret: issued.secret,
      };
    };
    const tokens = new Map<string, IssuedToken>();
    for (const record of records) tokens.set(record, await issue(record));
    return tokens;
  } finally {
    await directory.close();
  }
}
