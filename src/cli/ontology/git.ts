import { execFile } from 'node:child_process';
import { CommandError } from '../command-errors.js';

/** Git could not do what it was asked for; the message is its own first line, where it was not asked to be quiet. */
export class GitError extends CommandError {
  constructor(
    message: string,
    readonly isSilent = false,
  ) {
    super(message);
  }
}

/** There is no git on this machine. */
export class NoGitError extends GitError {}

/** The largest answer that is read: far more than any ontology. */
const LARGEST = 64 * 1024 * 1024;

/**
 * Runs git without a shell and resolves to what it prints.
 * @param cwd where it runs
 * @throws GitError with the reason that git gives, NoGitError where there is no git
 */
export function git(args: readonly string[], cwd: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      // Nothing that a repository configures may run here, and no lock is taken only to look.
      ['--no-optional-locks', '-c', 'core.fsmonitor=false', ...args],
      { cwd, encoding: 'buffer', maxBuffer: LARGEST, timeout: 60_000 },
      (error, stdout, stderr) => {
        if (!error) resolve(stdout);
        else if (error.code === 'ENOENT') reject(new NoGitError('Git is not installed on this machine.'));
        else reject(refusal(stderr.toString(), error));
      },
    );
  });
}

function refusal(stderr: string, error: Error): GitError {
  const line = stderr.split('\n').find((each) => each.trim() !== '');
  return line === undefined
    ? new GitError(error.message, true)
    : new GitError(`Git says: ${line.replace(/^(?:fatal|error): /u, '')}`);
}
