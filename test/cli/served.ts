import type { ChildProcess } from 'node:child_process';
import { afterAll } from 'vitest';
import { start } from './run.js';

/** What `serve` says when it answers. */
export const READY = /^Chartgraph ready at (\S+)\n/mu;

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Longer than a server gives what still goes on when it is to stop, on a machine that others use as well. */
export const SOON = 20_000;

/** Starts a server and resolves to its base URL when it says that it is ready. @param last what it says last then */
export function serve(
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
  last = READY,
): Promise<{ child: ChildProcess; url: string; stdout: () => string; stderr: () => string }> {
  const child = start(['serve', '--port', '0', ...args], { cwd, env });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => reject(new Error(`serve ended with ${code}: ${stderr}`)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const url = READY.exec(stdout)?.[1];
      if (url !== undefined && last.test(stdout))
        resolve({ child, url, stdout: () => stdout, stderr: () => stderr });
    });
  });
}

export function stopped(
  child: ChildProcess,
  signal: NodeJS.Signals,
): Promise<{ code: number | null; took: number }> {
  const asked = Date.now();
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, took: Date.now() - asked }));
    child.kill(signal);
  });
}
