import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccounts } from '../../access/accounts/accounts.js';
import { loadSecretKey } from '../../access/accounts/secret-key.js';
import {
  runningContainer,
  type Asked,
  type IssuedToken,
  type Tokens,
} from '../../authoring/call-tests/ask.js';
import { TEST_APP } from '../../authoring/call-tests/derive-suite.js';
import type { Suite } from '../../authoring/call-tests/suite.js';
import type { ContainerSettings } from '../../http/serve-settings.js';
import { openDataDirectory } from '../../store/disk/data-directory.js';
import { startContainer } from '../../main.js';
import { appGraph } from '../../records/app-graph.js';
import { openPrimaryStore } from '../../store/primary-store.js';

export interface ScratchContainer extends Asked {
  close(): Promise<void>;
}

/** Starts a container on a free port with only the seed, and gives the suite's app access to its records. */
export async function startScratchContainer(
  suite: Pick<Suite, 'user' | 'records'>,
  settings: Omit<ContainerSettings, 'data' | 'port' | 'host'>,
): Promise<ScratchContainer> {
  const data = await mkdtemp(join(tmpdir(), 'chartgraph-tests-'));
  const remove = (): Promise<void> => rm(data, { recursive: true, force: true });
  try {
    // The user of the suite asks for every record of the seed.
    const own = { data, host: '127.0.0.1', port: 0, clinicians: 'all' } as const;
    const container = await startContainer({ ...settings, ...own });
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

/** Installs the suite's app in a data directory, even while a server runs, and issues a token per record. */
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
    await openPrimaryStore(directory, base).write({ replace: [appGraph(TEST_APP, base)] }, (tx) => {
      secret = accounts.putApp(tx, { id, mode }).secret;
    });
    const tokens = new Map<string, IssuedToken>();
    for (const record of records) {
      const { token, secret: tokenSecret } = await accounts.issueToken({ app: id, user, record });
      const own = { oauth_token: token, oauth_token_secret: tokenSecret };
      tokens.set(record, { consumer_key: id, consumer_secret: secret, ...own });
    }
    return tokens;
  } finally {
    await directory.close();
  }
}
