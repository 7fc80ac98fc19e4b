import { basename, dirname } from 'node:path';
import { statSync } from 'node:fs';
import type { LoadedOntology } from '../../ontology/directory.js';
import { git, GitError } from './git.js';
import { readRevision } from './source.js';
import { lineOf } from '../command-errors.js';

/** An ontology with the name of its revision, or why there is none. */
export type Previous =
  { readonly name: string; readonly loaded: LoadedOntology } | { readonly missing: string };

/**
 * The ontology of the last commit, to compare what is in the folder with: of HEAD where the folder has changes that
 * are not committed, else of the commit before it. A tarball without git, a repository that does not hold the folder
 * and a shallow clone without the commit before have none.
 * @param path a folder of Turtle files, or one file
 */
export async function lastCommitOf(path: string): Promise<Previous> {
  const isFolder = statSync(path).isDirectory();
  const cwd = isFolder ? path : dirname(path);
  const own = isFolder ? '.' : basename(path);
  try {
    const changes = await git(['status', '--porcelain', '--untracked-files=all', '--', own], cwd);
    const revision = changes.length > 0 ? 'HEAD' : 'HEAD~1';
    const commit = await resolved(`${revision}^{commit}`, cwd);
    if (commit === undefined)
      return {
        missing: revision === 'HEAD' ? 'nothing is committed yet' : 'this clone has no commit before HEAD',
      };
    // The path within the repository is made by git itself: `./` stands for the working directory.
    const source = `${commit}:./${isFolder ? '' : own}`;
    if ((await resolved(source, cwd)) === undefined) return { missing: `it is not in ${revision}` };
    return { name: `${revision} (${commit.slice(0, 8)})`, loaded: await readRevision(source, cwd) };
  } catch (error) {
    return { missing: lineOf(error).replace(/\.$/u, '') };
  }
}

async function resolved(revision: string, cwd: string): Promise<string | undefined> {
  try {
    return (await git(['rev-parse', '--verify', '--quiet', revision], cwd)).toString().trim();
  } catch (error) {
    if (error instanceof GitError && error.isSilent) return undefined;
    throw error;
  }
}
