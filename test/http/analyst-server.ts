import { once } from 'node:events';
import { openAccounts, keyOf, type Accounts } from '../../src/access/accounts/accounts.js';
import type { UserRole } from '../../src/access/accounts/users.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { start } from '../cli/run.js';
import { chosenKind, startLevelEngines, type LevelEngines } from './level-engines.js';
import { cheapHash } from '../setup/cheap-hash.js';
import { seededCopy } from '../setup/seeded-copy.js';

/** A server of the built program on the seed, with its process of analysts, and its data directory as commands open it. */
export interface AnalystServer {
  readonly url: string;
  readonly data: string;
  readonly pid: number;
  /** All that it has logged so far. */
  log(): string;
  readonly primary: PrimaryStore;
  readonly accounts: Accounts;
  readonly directory: DataDirectory;
  /** Adds a user with a password. */
  user(id: string, role: UserRole, password?: string): Promise<void>;
  /** A bearer token; its level is filled when this resolves. */
  token(user: string, level?: 'deidentified' | 'identified'): Promise<string>;
  ask(token: string | undefined, query: string, accept?: string): Promise<Response>;
  stop(): Promise<void>;
}

export async function startAnalystServer(...options: string[]): Promise<AnalystServer> {
  return startOnEngines(chosenKind && (await startLevelEngines(chosenKind)), ...options);
}

/** The same, with the engines of others that it is given, and stops. */
export async function startOnEngines(
  engines: LevelEngines | undefined,
  ...options: string[]
): Promise<AnalystServer> {
  const data = await seededCopy();
  const args = ['--data', data, '--port', '0', '--workers', '1', '--no-examples'];
  const child = start(['serve', ...args, ...(engines?.options ?? []), ...options]);
  let logged = '';
  child.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const exited = once(child, 'exit');
  const [said] = (await Promise.race([once(child.stdout ?? child, 'data'), exited])) as [Buffer];
  const url = /ready at (\S+)/u.exec(String(said))?.[1];
  if (url === undefined) throw new Error(`the server said ${String(said)} ${logged}`);
  const directory = await openDataDirectory(data);
  const accounts = openAccounts(directory, keyOf(directory));
  const ask: AnalystServer['ask'] = (token, query, accept = 'text/csv') =>
    fetch(`${url}/sparql`, {
      method: 'POST',
      headers: { Accept: accept, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      body: new URLSearchParams({ query }),
    });
  return {
    url,
    data,
    pid: child.pid ?? 0,
    directory,
    accounts,
    log: () => logged,
    primary: openPrimaryStore(directory, url),
    user: async (id, role, password) => {
      const hash = password === undefined ? {} : { passwordHash: cheapHash(password) };
      await directory.transact((tx) => accounts.putUser(tx, { id, role, records: [], ...hash }));
    },
    token: async (user, level = 'deidentified') => {
      const isIdentified = level === 'identified';
      const { token } = await accounts.issueAnalystToken({
        user,
        purpose: `a test of ${level}`,
        isIdentified,
        lifetime: 60 * 60 * 1000,
      });
      for (;;) {
        const response = await ask(token, 'SELECT ?s { ?s ?p ?o } LIMIT 1');
        await response.text();
        if (response.status !== 503) return token;
        // As the answer asks: it is the only event there is.
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    },
    ask,
    stop: async () => {
      await directory.close();
      child.kill();
      await exited;
      await engines?.stop();
    },
  };
}
