import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import type * as Program from '../../src/cli/program.js';

const built = resolve(import.meta.dirname, '..', '..', 'dist', 'cli');
const program = join(built, 'chartgraph.js');

/** How a run of the command line ended. */
export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Working directory; one of its own by default, so that no configuration file of the project counts. */
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
}

/** A new folder outside the project, removed when all tests have run. */
export function folder(): string {
  return mkdtempSync(join(inject('scratch'), 'cli-'));
}

/** The environment in which a process of its own takes its stdin and stderr for a terminal. */
export const onTerminal = {
  NODE_OPTIONS: `--import ${new URL('terminal.mjs', import.meta.url).href}`,
};

let quiet: string | undefined;

/** What of our environment a command sees: nothing that is meant for the tests. */
const isInherited = (name: string): boolean => !/^(?:CHARTGRAPH_|NODE_|VITEST|npm_)/.test(name);

/** Starts the built command line as its users do, as a process: for signals, terminals, and what goes on for long. */
export function start(args: readonly string[], { cwd, env = {} }: RunOptions = {}): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => isInherited(name));
  return spawn(process.execPath, [program, ...args], {
    cwd: cwd ?? (quiet ??= folder()),
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: 'pipe',
  });
}

/** Runs it to its end in a process of its own. */
export function runProcess(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = start(args, options);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  }
  // The program may end without having read its stdin.
  child.stdin?.on('error', () => undefined).end(options.stdin ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...output }));
  });
}

/** The command before: while one runs, the folder, environment and streams of this process are its own. */
let before: Promise<unknown> = Promise.resolve();

/** Runs the built command line to its end in this process: to start one takes longer than most commands. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const ending = before.then(() => runHere(args, options));
  before = ending.catch(() => undefined);
  return ending;
}

async function runHere(args: readonly string[], { cwd, env = {}, stdin = '' }: RunOptions): Promise<Run> {
  const { run: runLine } = (await import(pathToFileURL(join(built, 'program.js')).href)) as typeof Program;
  const was = { cwd: process.cwd(), env: process.env, exitCode: process.exitCode };
  const streams = (['stdin', 'stdout', 'stderr'] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name) ?? {}] as const,
  );
  const [stdout, stderr] = [new Collected(), new Collected()];
  try {
    process.chdir(cwd ?? (quiet ??= folder()));
    const inherited = Object.entries(was.env).filter(([name]) => isInherited(name));
    process.env = { ...Object.fromEntries(inherited), ...env };
    process.exitCode = undefined;
    for (const [name, value] of Object.entries({
      stdin: Readable.from([Buffer.from(stdin)]),
      stdout,
      stderr,
    }))
      Object.defineProperty(process, name, { value, configurable: true });
    const code = await runLine(args);
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    for (const [name, descriptor] of streams) Object.defineProperty(process, name, descriptor);
    process.exitCode = was.exitCode;
    process.env = was.env;
    process.chdir(was.cwd);
  }
}

/** Holds what is written to it. */
class Collected extends Writable {
  readonly #parts: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#parts).toString();
  }

  override _write(part: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#parts.push(part);
    done();
  }
}

/** Runs it, expects success and reads the JSON it printed. */
export async function runJson(args: readonly string[], options: RunOptions = {}): Promise<unknown> {
  const { code, stdout, stderr } = await run(args, options);
  if (code !== 0) throw new Error(`chartgraph ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
