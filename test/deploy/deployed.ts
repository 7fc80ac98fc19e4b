import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { define } from '../../src/cli/serve-command.js';
import { readSettings } from '../../src/cli/read-settings.js';

export const root = resolve(import.meta.dirname, '..', '..');

/** The text of a file of the repository. */
export function textOf(...path: string[]): string {
  return readFileSync(join(root, ...path), 'utf8');
}

/** Every variable that the program reads: the settings ask for theirs, and the secret key has one besides. */
export function knownVariables(): Set<string> {
  const known = new Set(['CHARTGRAPH_SECRET_KEY']);
  const env = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_, name) => {
        known.add(String(name));
        return undefined;
      },
    },
  );
  readSettings({}, { env, cwd: import.meta.dirname });
  return known;
}

/** Every flag of `serve`, those of all commands included. */
export function knownFlags(): Set<string> {
  const serve = new Command('serve');
  define(serve);
  return new Set(['--data', '--base-url', ...serve.options.map(({ long }) => long ?? '')]);
}

/** The variables of Chartgraph that a text names. */
export function variablesIn(text: string): string[] {
  return [...new Set(text.match(/\bCHARTGRAPH_[A-Z_]+\b/gu) ?? [])];
}

/** The settings that an environment gives, read as `serve` reads them. @throws UsageError for one that it refuses */
export function settingsOf(env: Record<string, string | undefined>) {
  return readSettings({}, { env, cwd: import.meta.dirname });
}
