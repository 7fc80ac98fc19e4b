import { Command, CommanderError } from 'commander';
import { commandBegins, commandEnds } from './command-entries.js';
import { addCommands, commands } from './commands.js';
import { exitCodeOf, Interrupted, lineOf } from './command-errors.js';
import { complain, endQuietlyOnBrokenPipe, sayCommitErrorsOnce } from './output.js';
import { packageVersion } from './package.js';
import { unknownVariables } from './unknown-variables.js';

/** Commander's reason for printing help because a command with subcommands was called without one. */
const NO_SUBCOMMAND = 'commander.help';

/**
 * Runs one command line and returns its exit code: 0 done, 1 what was checked is wrong or could not be done,
 * 2 bad usage, 130 ended by Ctrl-C at a question. Results go to stdout; every error is one line on stderr.
 */
export async function main(args: readonly string[]): Promise<number> {
  // Who read only the beginning of a result has read that: the access log has how the command ended all the same.
  endQuietlyOnBrokenPipe(() => commandEnds(outcomeOf(Number(process.exitCode ?? 0))));
  sayCommitErrorsOnce();
  process.on('uncaughtException', (error) => {
    complain(lineOf(error));
    process.exit(1);
  });
  const code = await run(args);
  try {
    await commandEnds(outcomeOf(code));
    return code;
  } catch (error) {
    complain(lineOf(error));
    return 1;
  }
}

function outcomeOf(code: number): 'done' | 'failed' {
  return code === 0 ? 'done' : 'failed';
}

async function run(args: readonly string[]): Promise<number> {
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
    const group = commands.find(({ name }) => args.includes(name));
    const name = group === undefined ? 'chartgraph' : `chartgraph ${group.name}`;
    complain(`missing command: ${name} --help lists them`);
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
    // Commander prints usage errors through outputError and the help it shows instead of one through writeErr.
    .configureOutput({
      outputError: (text) => complain(lineOf(text.replace(/^error: /u, ''))),
      writeErr: () => undefined,
    })
    .exitOverride();
  addCommands(program, commands);
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
