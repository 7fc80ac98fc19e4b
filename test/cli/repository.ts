import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tinyOntology } from '../model/ontology/tiny-ontology.js';
import { folder } from './run.js';

/** The environment without what git would take its repository from. */
function environment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...rest } = process.env;
  return { ...rest, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
}

/** Runs git in a folder. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync(
    'git',
    ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false', ...args],
    { cwd, env: environment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
}

/** The tiny ontology with another version and a few more statements. */
export function ontology(version: string, more = ''): string {
  return `${tinyOntology.replace('versionInfo "0.1"', `versionInfo "${version}"`)}\n${more}\n`;
}

/** A repository whose folder `model` holds one ontology a commit, the first one first. */
export function repository(...texts: readonly string[]): string {
  const dir = folder();
  git(dir, 'init', '--quiet');
  mkdirSync(join(dir, 'model'));
  for (const text of texts) commit(dir, text);
  return dir;
}

export function commit(dir: string, text: string): void {
  writeFileSync(join(dir, 'model', 'model.ttl'), text);
  git(dir, 'add', '.');
  git(dir, 'commit', '--quiet', '--allow-empty', '--message', 'a step');
}
