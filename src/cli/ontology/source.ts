import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { loadOntology, readOntologyFiles, type LoadedOntology } from '../../ontology/directory.js';
import { Graph } from '../../ontology/graph.js';
import { shortName } from '../../ontology/term-names.js';
import { api } from '../../rdf/vocabulary.js';
import { CommandError } from '../command-errors.js';
import { git, GitError, NoGitError } from './git.js';

/**
 * Reads an ontology from a folder of Turtle files, one Turtle file, or a git revision of either, as
 * `HEAD~3:ontology` or `v1.2:ontology/codes.ttl` (the path from the top of the repository, or from the working
 * directory as `HEAD:./ontology`). What exists as a path is a path.
 * @throws CommandError that says what is wrong: no such thing, an unknown revision, nothing to read in it
 */
export async function readOntologySource(source: string, cwd = process.cwd()): Promise<LoadedOntology> {
  const loaded = existsSync(source) ? await fromPath(source) : await readRevision(source, cwd);
  requireWholeCalls(source, loaded);
  return loaded;
}

async function fromPath(path: string): Promise<LoadedOntology> {
  if ((await stat(path)).isDirectory()) return loadOntology(path);
  return readOntologyFiles([{ name: basename(path), path, text: await readFile(path) }]);
}

/** The same for a git revision alone. @throws CommandError */
export async function readRevision(source: string, cwd: string): Promise<LoadedOntology> {
  const colon = source.indexOf(':');
  // A revision that begins with a dash would be an option of git.
  if (colon <= 0 || source.startsWith('-')) {
    throw new CommandError(
      `There is no file or folder ${source}; a git revision is written as HEAD~3:ontology.`,
    );
  }
  const id = await objectOf(source, cwd);
  const type = (await git(['cat-file', '-t', id], cwd)).toString().trim();
  const files = type === 'tree' ? await turtleFiles(id, cwd) : [{ name: basename(source), id }];
  if (files.length === 0) throw new CommandError(`${source} holds no .ttl file.`);
  return readOntologyFiles(
    await Promise.all(
      files.map(async ({ name, id: blob }) => ({
        name,
        path: type === 'tree' ? `${source.replace(/\/$/u, '')}/${name}` : source,
        text: await git(['cat-file', 'blob', blob], cwd),
      })),
    ),
  );
}

async function objectOf(source: string, cwd: string): Promise<string> {
  try {
    return (await git(['rev-parse', '--verify', '--quiet', source], cwd)).toString().trim();
  } catch (error) {
    if (error instanceof NoGitError) {
      throw new CommandError(`There is no file or folder ${source}, and no git to ask for such a revision.`);
    }
    if (!(error instanceof GitError)) throw error;
    throw new CommandError(
      error.isSilent
        ? `There is no file or folder ${source}, and git knows no such revision or path in it.`
        : `There is no file or folder ${source}. ${error.message}`,
    );
  }
}

/** The Turtle files of a tree in the order of their names; what is no file is left out. */
async function turtleFiles(tree: string, cwd: string): Promise<{ name: string; id: string }[]> {
  const listing = (await git(['ls-tree', '-z', '--full-tree', tree], cwd)).toString();
  return listing
    .split('\0')
    .flatMap((entry) => {
      const [, id, name] = /^100\d+ blob ([0-9a-f]+)\t(.*)$/su.exec(entry) ?? [];
      return id !== undefined && name?.endsWith('.ttl') ? [{ name, id }] : [];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A call that lacks what it needs is in no model: to compare it would be to say that it was removed. */
function requireWholeCalls(source: string, { ontology, quads }: LoadedOntology): void {
  const whole = new Set(ontology.calls.map(({ iri }) => iri));
  const broken = new Graph(quads).instances(api.Call).filter((iri) => !whole.has(iri));
  const [first] = broken;
  if (first === undefined) return;
  throw new CommandError(
    `${source}: ${shortName(first)} lacks what a call needs; chartgraph validate says what it is.`,
  );
}
