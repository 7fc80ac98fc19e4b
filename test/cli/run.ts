import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inject } from 'vitest';

const program = resolve(import.meta.dirname, '..', '..', 'dist', 'cli', 'chartgraph.js');

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

/** The environment in which a program takes its stdin and stderr for a terminal. */
export const onTerminal = {
  NODE_OPTIONS: `--import ${new URL('terminal.mjs', import.meta.url).href}`,
};

let quiet: string | undefined;

/** Starts the built command line as its users do: as a process of its own, with nothing of ours in its environment. */
export function start(args: readonly string[], { cwd, env = {} }: RunOptions = {}): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(CHARTGRAPH_|NODE_|VITEST)/.test(name));
  return spawn(process.execPath, [program, ...args], {
    cwd: cwd ?? (quiet ??= folder()),
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: 'pipe',
  });
}

/** Runs the built command line to its end. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
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

/** Runs it, expects success and reads the JSON it printed. */
export async function runJson(args: readonly string[], options: RunOptions = {}): Promise<unknown> {
  const { code, stdout, stderr } = await run(args, options);
  if (code !== 0) throw new Error(`chartgraph ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
