import { Command, CommanderError } from 'commander';
import { commandBegins, commandEnds } from './command-entries.js';
import { addCommands, commandGroups, commands, START } from './commands.js';
import { exitCodeOf, Interrupted, lineOf } from './command-errors.js';
import { complain, endQuietlyOnBrokenPipe, sayCommitErrorsOnce, count, visible } from './output.js';
import { packageVersion } from './package.js';
import { FORMER_KEY_VARIABLE, KEY_VARIABLE, NEW_KEY_VARIABLE } from '../store/disk/key-file.js';
import { nearestName } from '../rdf/nearest-name.js';
import { isServiceLink, settingVariables, type Surroundings } from './read-settings.js';

const NO_SUBCOMMAND = 'commander.help';

/** Runs one command line as the whole process. @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  // Also records the end of a command whose reader closed the pipe.
  endQuietlyOnBrokenPipe(() => commandEnds(Number(process.exitCode ?? 0)));
  sayCommitErrorsOnce();
  process.on('uncaughtException', (error) => {
    complain(lineOf(error));
    process.exit(1);
  });
  return run(args);
}

/** Runs one command line. @returns 0 done, 1 failed or problems found, 2 bad usage, 130 Ctrl-C at a question */
export async function run(args: readonly string[]): Promise<number> {
  const code = await runCommand(args);
  try {
    await commandEnds(code);
    return code;
  } catch (error) {
    complain(lineOf(error));
    return 1;
  }
}

async function runCommand(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOfCommander(error, args);
    if (!(error instanceof Interrupted)) complain(lineOf(error));
    return exitCodeOf(error);
  }
}

function exitCodeOfCommander(error: CommanderError, args: readonly string[]): number {
  if (error.exitCode === 0) return 0;
  if (error.code === NO_SUBCOMMAND) {
    const [group] = commands.find(([name]) => args.includes(name)) ?? [];
    complain(`missing command: ${['chartgraph', group].join(' ').trim()} --help lists them`);
  }
  return 2;
}

function createProgram(): Command {
  const program = new Command('chartgraph')
    .description('A health record container on an RDF triple store.')
    .version(packageVersion())
    .option('--data <dir>', 'data directory (default: ./data)')
    .option('--store <url>', 'PostgreSQL database that several gateways share, as postgres://user@host/name')
    .option('--seal <on|off>', 'whether a new data directory seals what records say (default: on)')
    .option('--base-url <url>', 'the URL under which the container is seen (default: the local port)')
    .configureHelp({ showGlobalOptions: true })
    // Commander prints usage errors through outputError, and the help shown in their place through writeErr.
    .configureOutput({
      outputError: (text) => complain(lineOf(text.replace(/^error: /u, ''))),
      writeErr: () => undefined,
    })
    .commandsGroup(START)
    .helpCommand(true)
    .exitOverride();
  addCommands(program, commands);
  for (const [heading, examples] of Object.entries(commandGroups)) {
    for (const [name, example] of Object.entries(examples)) {
      const command = program.commands.find((each) => each.name() === name)?.helpGroup(heading);
      command?.addHelpText('afterAll', `\nExample:\n  chartgraph ${example}`);
    }
  }
  program.hook('preAction', (_program, command) => {
    const unknown = unknownVariables(process.env);
    if (unknown !== undefined) complain(`warning: ${unknown}.`);
    return commandBegins(command);
  });
  program.addHelpText(
    'after',
    '\nEvery setting can also come from the environment (CHARTGRAPH_ and the flag in capitals, dashes as\nunderscores) or from chartgraph.config.json in the working directory; flags win, then the environment.',
  );
  return program;
}

/** Variables of tests, and the token that analysts' programs send. */
const ofOthers = /^CHARTGRAPH_(?:TEST_|TOKEN$)/u;

const known: ReadonlySet<string> = new Set([
  ...settingVariables,
  KEY_VARIABLE,
  FORMER_KEY_VARIABLE,
  NEW_KEY_VARIABLE,
]);
/** A name with a greater edit distance was not meant. */
const MAX_DISTANCE = 2;

/** Warns about variables that look like settings but are unknown, without their values; undefined if there are none. */
export function unknownVariables(env: Surroundings['env']): string | undefined {
  const unknown = Object.keys(env).filter(
    (name) =>
      name.startsWith('CHARTGRAPH_') && !known.has(name) && !ofOthers.test(name) && !isServiceLink(env, name),
  );
  if (unknown.length === 0) return undefined;
  const told = unknown.sort().map((name) => {
    const meant = nearestName(name, known, MAX_DISTANCE);
    return visible(name) + (meant === undefined ? '' : ` (did you mean ${meant}?)`);
  });
  return `${count(unknown.length, 'environment variable')} that nothing reads: ${told.join(', ')}`;
}
