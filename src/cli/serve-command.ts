import { availableParallelism } from 'node:os';
import { Option, type Command } from 'commander';
import type { AnalystSettings, Examples } from '../container-settings.js';
import { commandMadeDirectory } from './command-entries.js';
import { lineOf } from './command-errors.js';
import { complain, ignoreBrokenPipe, print } from './output.js';
import { packageVersion, shipped } from './package.js';
import { containerAccessOf, mayServeExamples, readSettings, type Settings } from './settings.js';

/** A container that has not stopped after this many milliseconds is left behind: interface.md promises 5 s. */
const STOP_WITHIN = 4800;

/** Each worker has a working set of its own, so more cores are not taken unasked. */
const MOST_WORKERS = 4;

function defaultWorkers(): number {
  return Math.min(MOST_WORKERS, availableParallelism());
}

/** `chartgraph serve`: runs the container until SIGTERM or SIGINT. */
export function define(command: Command): void {
  command
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: 7000)')
    .option('--seed <dir>', 'what an empty data directory is filled with (default: the shipped seed)')
    .option('--no-seed', 'start an empty data directory empty')
    .option('--ontology <dir>', 'the ontology to serve instead of the shipped one')
    .option('--queries <dir>', 'the queries to answer with instead of the shipped ones')
    .option(
      '--workers <number>',
      `processes that answer requests, each with a working set of its own (default: one a core, at most ${MOST_WORKERS})`,
    )
    .addOption(
      new Option(
        '--container-access <who>',
        'who may make calls outside records (default: open, where only this machine can ask)',
      ).choices(['open', 'signed']),
    )
    .option('--name <text>', 'name of the container in its manifest')
    .option('--description <text>', 'description of the container in its manifest')
    .option('--admin <mail>', 'mail address of whoever runs the container, for its manifest')
    .option('--token-lifetime <days>', 'how long the access tokens of apps live (default: 30)')
    .option(
      '--memory <MB>',
      "what the data in memory may take, of all processes together (default: a quarter of the machine's)",
    )
    .addOption(
      new Option('--analysts <on|off>', 'whether analysts can ask queries at /sparql (default: on)').choices([
        'on',
        'off',
      ]),
    )
    .option('--examples', 'refuse to start where the example apps cannot be served (default: do without)')
    .option('--no-examples', 'do not serve the example apps beside the demo data')
    .option(
      '--analyst-memory <MB>',
      "what each level of the data of analysts may take (default: a quarter of the machine's)",
    )
    .option('--analyst-timeout <seconds>', 'how long a query of an analyst may run (default: 30)')
    .option('--cache-size <MB>', 'what each process keeps of answers, 0 for nothing (default: 64)')
    .option(
      '--cors-origin <origin>',
      'origin whose scripts may read answers; give it again for another (default: none)',
      (origin: string, others: string[] = []) => [...others, origin],
    )
    .option(
      '--access-log-days <days>',
      'how long entries of the access log are kept (default: 2192, 6 years)',
    )
    .option(
      '--history <days|all|off>',
      'how long what records said before is kept: in days, for ever, or not at all (default: 365)',
    )
    .option('--log-level <level>', 'trace, debug, info, warn, error, fatal or silent (default: info)')
    .option('--metrics <host:port>', 'serve numbers for Prometheus there, at /metrics (default: nowhere)')
    .option(
      '--trust-proxy <cidr...>',
      'addresses or networks of proxies whose X-Forwarded-For is believed (default: none)',
    )
    .option(
      '--webhook-network <cidr...>',
      'addresses or networks that webhooks may go to beside the internet (default: none)',
    )
    .option(
      '--second-factor <roles>',
      'roles whose users must have a second factor to sign in, separated by commas (default: none)',
    )
    .option(
      '--connections <number>',
      'connections that one address, proxies apart, may have open at a time (default: 1000)',
    )
    .option(
      '--sender-budget <ms>',
      'milliseconds in a second that each process gives to the long bodies and refused requests of one sender (default: 5)',
    )
    .option('--post-quota <MB>', 'what one app may post to one record in a day (default: 64)')
    .option('--text-limit <KB>', 'what a scratchpad or preferences may hold, at most 1024 (default: 1024)')
    .option('--oauth-debug', 'explain signatures to signers at /oauth/debug')
    .action(async () => {
      const read = readSettings(command.optsWithGlobals());
      const {
        baseUrl,
        workers = defaultWorkers(),
        metrics,
        memoryBytes,
        analysts,
        examples: _,
        ...settings
      } = read;
      const containerAccess = containerAccessOf(read);
      const isWithExamples = mayServeExamples(read);
      const stopped = stopSignal();
      ignoreBrokenPipe();
      endAtOnceWhenBroken();
      const { startContainer } = await import('../main.js');
      const container = await startContainer({
        ...settings,
        containerAccess,
        ...(metrics && { metrics }),
        ...(memoryBytes !== undefined && { memoryBytes }),
        ...(analysts && { analysts: analystSettings(read) }),
        ...(isWithExamples && { examples: exampleSettings(read) }),
        version: packageVersion(),
        ...(baseUrl === undefined ? {} : { baseUrl }),
        workers,
        madeDirectory: commandMadeDirectory,
      });
      await print(`Chartgraph ready at ${container.url}`);
      await stopped;
      await container.close();
    });
}

function analystSettings({ analystMemoryBytes, analystTimeout }: Settings): AnalystSettings {
  const memory = analystMemoryBytes === undefined ? {} : { memoryBytes: analystMemoryBytes };
  return { ...memory, limits: { timeout: analystTimeout } };
}

/** Only the shipped seed is known to hold nobody real. */
function exampleSettings({ examples }: Settings): Examples {
  return { program: shipped('examples', 'server.mjs'), seed: shipped('seed'), isAsked: examples === true };
}

/**
 * Resolves at the first SIGTERM or SIGINT, also while the container is still starting; a second one kills. From then
 * on the process has STOP_WITHIN to end by itself.
 */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      setTimeout(() => {
        complain('stopped without waiting for what was still running.');
        process.exit(1);
      }, STOP_WITHIN).unref();
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
    whenAbandoned(stop);
  });
}

/**
 * An error that nobody caught ends this process with no exit handlers: LMDB's may wait for ever for a thread that holds
 * the lock of all writers. The store is as after any other kill.
 */
function endAtOnceWhenBroken(): void {
  process.prependListener('uncaughtException', (error) => {
    complain(lineOf(error));
    process.kill(process.pid, 'SIGKILL');
  });
}

/**
 * `npm start` puts a shell between itself and the container. A SIGTERM ends the two and never reaches the third, which
 * would keep the port; so a container that npm started also stops when its parent is gone.
 */
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
