import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { commandMadeDirectory } from './command-entries.js';
import { lineOf, UsageError } from './command-errors.js';
import { complain, ignoreBrokenPipe, print } from './output.js';
import { packageVersion, shipped } from './package.js';
import {
  addSettings,
  containerAccessOf,
  mayServeExamples,
  readSettings,
  requireSecret,
  type Settings,
} from './read-settings.js';
import type { EngineSettings } from '../http/serve-settings.js';
import { isConfidential } from '../http/setting-kinds.js';
import { AccountError } from '../access/accounts/account-ids.js';
import { readMapping } from '../access/sign-on/claim-mapping.js';
import type { SignOnSettings } from '../access/sign-on/identity-provider.js';
import { parseJson, readText } from './argument-values.js';
import type { Accounts } from '../access/accounts/accounts.js';

/** Milliseconds to wait for a container to stop: the documentation promises 5 s. */
const STOP_TIMEOUT_MS = 4800;

/** Each worker has its own working set, so more need an explicit `--workers`. */
const MAX_WORKERS = 4;

/** `chartgraph serve`: runs the container until SIGTERM or SIGINT. */
export function define(command: Command): void {
  addSettings(command);
  command.action(async () => {
    const read = readSettings(command.optsWithGlobals(), undefined, true);
    const { analystMemoryBytes: memoryBytes, analystTimeout: timeout } = read;
    const containerAccess = containerAccessOf(read);
    checkAuditReceiver(read);
    const isWithExamples = mayServeExamples(read);
    const signOn = signOnOf(read);
    const stopped = stopSignal();
    ignoreBrokenPipe();
    endAtOnceWhenBroken();
    const { containerLog } = await import('../services/metrics/container-log.js');
    const log = containerLog(read.logLevel);
    const version = packageVersion();
    const isTerminal = process.stdout.isTTY;
    if (isTerminal) await print(`Chartgraph ${version} is starting with the data in ${read.data}.`);
    const { startContainer } = await import('../main.js');
    const { readSeedApps } = await import('../records/seed.js');
    const container = await startContainer({
      ...read,
      containerAccess,
      signOn,
      analysts: read.analysts ? { memoryBytes, limits: { timeout }, engine: engineOf(read) } : undefined,
      // Only the shipped seed is known to contain no real people.
      examples: isWithExamples
        ? {
            program: shipped('examples', 'server.mjs'),
            seed: shipped('seed'),
            isAsked: read.examples === true,
          }
        : undefined,
      unservedApps: isWithExamples ? [] : await readSeedApps(shipped('seed')),
      version,
      log,
      workers: read.workers ?? Math.min(MAX_WORKERS, availableParallelism()),
      madeDirectory: commandMadeDirectory,
    });
    await print(`Chartgraph ready at ${container.url}`);
    if (isTerminal) await print(nextSteps(container, read));
    else log.info({ version, data: read.data, url: container.url }, 'the container is ready');
    try {
      await Promise.race([stopped, container.damage]);
    } finally {
      await container.close();
    }
    if (isTerminal) await print('Chartgraph has stopped.');
    else log.info('the container has stopped');
  });
}

/** Returns the other server for analysts, if any. @throws UsageError if it is half described, or others could read along */
function engineOf(read: Settings): EngineSettings | undefined {
  const { analystEngine: query, analystEngineUpdate: update } = read;
  if (query === undefined && update === undefined) return undefined;
  if (query === undefined || update === undefined)
    throw new UsageError('Give --analyst-engine and --analyst-engine-update together.');
  const [isTemplate, isOther] = [query, update].map((url) => url.includes('{level}'));
  if (isTemplate !== isOther)
    throw new UsageError(
      'Write {level} into both --analyst-engine and --analyst-engine-update, or into none.',
    );
  if (isTemplate && ![query, update].every((url) => isConfidential(url.replaceAll('{level}', 'level'))))
    throw new UsageError(
      'What shows who people are goes to other machines by https only: leave {level} out, or use https.',
    );
  const { analystEngineCredentials: credentials, analystEngineGraph: place } = read;
  requireSecret(credentials, [query, update], 'CHARTGRAPH_ANALYST_ENGINE_CREDENTIALS');
  return { query, update, credentials, place };
}

/** @throws UsageError if others could read what goes to the receiver of audit events */
function checkAuditReceiver({ auditTo: to }: Settings): void {
  if (to === undefined || isConfidential(to)) return;
  throw new UsageError('The access log goes to other machines by https only: give --audit-to an https URL.');
}

/** Returns the identity provider, if any. @throws UsageError if it is half described, or nobody could sign in */
function signOnOf(read: Settings): SignOnSettings | undefined {
  const {
    oidcIssuer: issuer,
    oidcClientId: clientId,
    oidcClientSecret: clientSecret,
    oidcMapping: file,
  } = read;
  const given = [issuer, clientId, clientSecret, file].filter((each) => each !== undefined);
  if (given.length === 0 && !read.passwords)
    throw new UsageError('With --passwords off nobody could sign in: give --oidc-issuer, too.');
  if (given.length === 0) return undefined;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || file === undefined)
    throw new UsageError(
      'Give --oidc-issuer, --oidc-client-id and --oidc-mapping together, and the secret in CHARTGRAPH_OIDC_CLIENT_SECRET.',
    );
  try {
    const mapping = readMapping(parseJson(readText(file), file, UsageError));
    return { issuer, clientId, clientSecret, mapping };
  } catch (error) {
    throw error instanceof AccountError ? new UsageError(`${file}: ${error.message}`) : error;
  }
}

/** Says what to do with a container that has just started. */
function nextSteps(
  { url, accounts }: { url: string; accounts: Accounts },
  { data, passwords }: Settings,
): string {
  // npm sets it, also for npx; then the program is not on the path.
  const program = process.env['npm_command'] === undefined ? 'chartgraph' : 'npx chartgraph';
  const command = (words: string): string =>
    `${program} ${words}${data === resolve('data') ? '' : ` --data ${data}`}`;
  const users = accounts.listUsers();
  const { id } = users.find(({ role }) => role === 'clinician') ?? users[0] ?? {};
  return [
    id === undefined
      ? `  Add the first user:  ${command('user add ID --given-name NAME --family-name NAME --role admin')}`
      : passwords
        ? `  Sign in:  open ${url} as ${id}; in a second shell, ${command(`user password ${id}`)} sets the password`
        : `  Sign in:  open ${url}`,
    `  Documentation:  ${url}/docs`,
    '  Stop:  Ctrl-C',
  ].join('\n');
}

/** Resolves at the first SIGTERM or SIGINT; a second one, or STOP_TIMEOUT_MS, ends the process. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      setTimeout(() => {
        complain('stopped without waiting for what was still running.');
        process.exit(1);
      }, STOP_TIMEOUT_MS).unref();
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
    whenAbandoned(stop);
  });
}

/** Skips exit handlers after an uncaught error: LMDB's may wait forever for a thread with the write lock. */
function endAtOnceWhenBroken(): void {
  process.prependListener('uncaughtException', (error) => {
    complain(lineOf(error));
    process.kill(process.pid, 'SIGKILL');
  });
}

/** npm and its shell end at SIGTERM without passing it on, so a container stops when its parent is gone. */
function whenAbandoned(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] !== 'start') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 500);
  watch.unref();
}
