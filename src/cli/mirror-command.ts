import { parseUrl } from '../rdf/parse-url.js';
import { Option, type Command } from 'commander';
import { levels, type LevelName } from '../analysts/levels.js';
import { mirror } from '../analysts/mirror/mirror.js';
import { mirrorSource } from '../analysts/mirror/mirror-source.js';
import { ServerAway, sparqlServer } from '../analysts/mirror/sparql-server.js';
import { loadOntology } from '../model/ontology/directory.js';
import { isWritableIri } from '../rdf/ntriples.js';
import { CommandError, UsageError } from './command-errors.js';
import { withData } from './open-data.js';
import { complain, print, startProgress } from './output.js';
import { packageVersion } from './package.js';
import { isConfidential } from '../http/setting-kinds.js';
import { readSettings, requireSecret } from './read-settings.js';

const named = { query: '--to', update: '--update', credentials: 'CHARTGRAPH_MIRROR_CREDENTIALS' };

interface MirrorFlags {
  readonly to?: string;
  readonly update?: string;
  readonly level: LevelName;
  readonly graph?: string;
  readonly purpose?: string;
  readonly once?: boolean;
}

/** `chartgraph mirror`: feeds another SPARQL server with the analysts' data, and follows the change log. */
export function define(command: Command): void {
  command
    .option('--to <url>', 'where the other server takes SPARQL queries')
    .option('--update <url>', 'where it takes SPARQL updates')
    .addOption(
      new Option('--level <level>', 'what is seen of people').choices([...levels]).default(levels[0]),
    )
    .option(
      '--graph <iri>',
      'put into this graph what others have in their default graph, for servers without one of its own',
    )
    .option('--purpose <text>', 'why, for the access log; --level identified asks for it')
    .option('--ontology <dir>', 'the ontology of the data instead of the shipped one')
    .option('--once', 'end when the other server is up to date')
    .addHelpText(
      'after',
      '\nCHARTGRAPH_MIRROR_CREDENTIALS is how it proves who it is: user:password, or a bearer token.',
    )
    .action(async (flags: MirrorFlags) => {
      const settings = readSettings(command.optsWithGlobals());
      const { level, graph: place, once = false } = flags;
      const address = { query: urlOf('--to', flags.to), update: urlOf('--update', flags.update) };
      if (level === 'identified') requireGrounds(flags, Object.values(address));
      requireSecret(settings.mirrorCredentials, Object.values(address), named.credentials);
      if (place !== undefined && !(isWritableIri(place) && parseUrl(place)))
        throw new UsageError('--graph must be an absolute IRI, such as urn:example:patients.');
      const { ontology, digest } = await loadOntology(settings.ontology);
      const signal = stopSignal();
      const server = sparqlServer({ ...address, credentials: settings.mirrorCredentials, signal, named });
      await withData(settings, async ({ directory, primary }) => {
        const version = packageVersion();
        const source = mirrorSource({ directory, primary, ontology, digest, version, level });
        const bar = await startProgress('graphs');
        try {
          await mirror({
            source,
            server,
            level,
            place,
            once,
            signal,
            onFill: (done) => bar.at(done),
            onAway: (sentence, seconds) => complain(`${sentence}; asking again in ${seconds} s.`),
            onCurrent: (revision) => {
              bar.stop();
              void print(`The mirror shows revision ${revision}${once ? '.' : ', and follows.'}`);
            },
          });
        } catch (error) {
          // A signal is the normal end of following.
          if (signal.aborted && !once) return;
          if (signal.aborted) throw new CommandError('The mirror was ended before it was up to date.');
          throw error instanceof ServerAway
            ? new CommandError(`${error.message}; look whether it runs and has room.`)
            : error;
        } finally {
          bar.stop();
        }
      });
    });
}

function urlOf(flag: string, given: string | undefined): string {
  const url = given === undefined ? undefined : parseUrl(given);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`Say with ${flag} where the other server is: an http or https URL.`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      `Give credentials as CHARTGRAPH_MIRROR_CREDENTIALS, not in ${flag}: others see command lines.`,
    );
  return url.href;
}

/** Identified data needs a purpose, and encryption on its way. */
function requireGrounds({ purpose }: MirrorFlags, urls: readonly string[]): void {
  if (purpose === undefined || purpose.trim() === '')
    throw new UsageError('Say why with --purpose; the access log shows it.');
  if (!urls.every(isConfidential))
    throw new UsageError('What shows who people are goes to other machines by https only.');
}

function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stopped.abort());
  return stopped.signal;
}
