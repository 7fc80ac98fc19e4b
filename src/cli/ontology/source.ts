import { existsSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { loadOntology, readOntologyLayers, type LoadedOntology } from '../../model/ontology/directory.js';
import { Graph } from '../../model/ontology/graph.js';
import { shortNameIn } from '../../model/ontology/term-names.js';
import { shipped, SHIPPED } from '../../http/layer-folders.js';
import { api } from '../../rdf/vocabulary.js';
import { CommandError, lineOf } from '../command-errors.js';
import { execFile } from 'node:child_process';

/**
 * Reads an ontology from a folder, a Turtle file, or a git revision of either, such as `HEAD~3:ontology` or
 * `v1.2:ontology/codes.ttl` (paths from the root of the repository; `HEAD:./ontology` from the working directory). An
 * existing path takes precedence. @throws CommandError
 */
export async function readOntologySource(source: string, cwd = process.cwd()): Promise<LoadedOntology> {
  const path = source === SHIPPED ? shipped('ontology') : source;
  const loaded = existsSync(path) ? await fromPath(path) : await readRevision(source, cwd);
  requireWholeCalls(source, loaded);
  return loaded;
}

/** Reads a source; a layer, which imports another, is put on those below. @throws CommandError */
export async function onLayers(below: LoadedOntology, source: string): Promise<LoadedOntology> {
  const loaded = await readOntologySource(source);
  const [own] = loaded.ontology.layers;
  if (!own || own.imports.length === 0) return loaded;
  const layers = layersIn(below);
  // Another version of a layer takes its place.
  const at = below.ontology.layers.findIndex(({ iri }) => iri === own.iri);
  return readOntologyLayers(at < 0 ? [...layers, loaded.files] : layers.with(at, loaded.files));
}

/** Returns the files of each layer. */
const layersIn = ({ ontology, files }: LoadedOntology): LoadedOntology['files'][] =>
  ontology.layers.map(({ paths }) => files.filter(({ path }) => paths.includes(path)));

async function fromPath(path: string): Promise<LoadedOntology> {
  if ((await stat(path)).isDirectory()) return loadOntology(path);
  return readOntologyLayers([[{ name: basename(path), path, text: await readFile(path) }]]);
}

/** Reads an ontology from a git revision. @throws CommandError */
export async function readRevision(source: string, cwd: string): Promise<LoadedOntology> {
  const colon = source.indexOf(':');
  // git would take a revision with a leading dash as an option.
  if (colon <= 0 || source.startsWith('-')) {
    throw new CommandError(
      `There is no file or folder ${source}; a git revision is written as HEAD~3:ontology.`,
    );
  }
  const id = await objectOf(source, cwd);
  const type = (await git(['cat-file', '-t', id], cwd)).toString().trim();
  const files = type === 'tree' ? await turtleFiles(id, cwd) : [{ name: basename(source), id }];
  if (files.length === 0) throw new CommandError(`${source} holds no .ttl file.`);
  return readOntologyLayers([
    await Promise.all(
      files.map(async ({ name, id: blob }) => ({
        name,
        path: type === 'tree' ? `${source.replace(/\/$/u, '')}/${name}` : source,
        text: await git(['cat-file', 'blob', blob], cwd),
      })),
    ),
  ]);
}

async function objectOf(source: string, cwd: string): Promise<string> {
  const missing = `There is no file or folder ${source}`;
  const id = await resolved(source, cwd).catch((error: unknown) => {
    if (error instanceof NoGitError)
      throw new CommandError(`${missing}, and no git to ask for such a revision.`);
    throw error instanceof GitError ? new CommandError(`${missing}. ${error.message}`) : error;
  });
  if (id !== undefined) return id;
  throw new CommandError(`${missing}, and git knows no such revision or path in it.`);
}

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

/** An incomplete call is in no model, so comparing would report it as removed. */
function requireWholeCalls(source: string, { ontology, quads }: LoadedOntology): void {
  const whole = new Set(ontology.calls.map(({ iri }) => iri));
  const broken = new Graph(quads).instances(api.Call).filter((iri) => !whole.has(iri));
  const [first] = broken;
  if (first === undefined) return;
  throw new CommandError(
    `${source}: ${shortNameIn(ontology, first)} lacks what a call needs; chartgraph validate says what it is.`,
  );
}

/** git failed; the message is its first line, if any. */
export class GitError extends CommandError {
  constructor(
    message: string,
    readonly isSilent = false,
  ) {
    super(message);
  }
}

class NoGitError extends GitError {}

const MAX_OUTPUT = 64 * 1024 * 1024;

/** Runs git. @returns its output @throws GitError with git's reason, NoGitError if git is missing */
export function git(args: readonly string[], cwd: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      // Runs nothing that a repository configures, and takes no lock to read.
      ['--no-optional-locks', '-c', 'core.fsmonitor=false', ...args],
      { cwd, encoding: 'buffer', maxBuffer: MAX_OUTPUT, timeout: 60_000 },
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

type Previous = { readonly name: string; readonly loaded: LoadedOntology } | { readonly missing: string };

/**
 * Reads the last committed ontology: of HEAD if the folder or file has uncommitted changes, else of the commit before.
 * It is missing without git, and in a clone without the folder or commit.
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
    // git resolves the path: `./` is relative to the working directory.
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
