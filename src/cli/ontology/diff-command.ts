import type { Command } from 'commander';
import { changelogSection } from '../../ontology/diff/changelog.js';
import { compareOntologies, type Comparable } from '../../ontology/diff/compare.js';
import { changeKinds } from '../../ontology/diff/kinds.js';
import { judgeVersion } from '../../ontology/diff/version.js';
import { paintOn } from '../colour.js';
import { diffText, type OntologyDiff } from './diff-text.js';
import { UsageError } from '../command-errors.js';
import { lastCommitOf } from './last-commit.js';
import { readOntologySource } from './source.js';
import { print, printJson, write } from '../output.js';
import { readSettings } from '../settings.js';

interface DiffOptions {
  lastCommit?: boolean;
  changelog?: boolean;
  json?: boolean;
}

/** `chartgraph ontology diff`: what changed, whom it hurts, which version it asks for; exit 1 when that is too small. */
export function define(command: Command): void {
  command
    .argument('[old]', 'a folder, a Turtle file or a git revision such as HEAD~3:ontology')
    .argument('[new]', 'the same')
    .option(
      '--last-commit',
      'compare one folder (default: the ontology of the settings) with the last commit; without git there is nothing to compare with, and that is no error',
    )
    .option('--changelog', 'print nothing but the section for a changelog')
    .option('--json', 'print everything as JSON')
    .action(async (old: string | undefined, now: string | undefined, options: DiffOptions) => {
      const pair = options.lastCommit
        ? await withLastCommit(old ?? readSettings(command.optsWithGlobals()).ontology, now)
        : await bothGiven(old, now);
      await report('missing' in pair ? pair : differenceOf(pair), options);
    });
}

interface Pair {
  readonly old: readonly [name: string, Comparable];
  readonly now: readonly [name: string, Comparable];
}
interface Missing {
  readonly missing: string;
}

async function bothGiven(old: string | undefined, now: string | undefined): Promise<Pair> {
  if (old === undefined || now === undefined)
    throw new UsageError('ontology diff compares two ontologies: name the old one and the new one.');
  return { old: [old, await readOntologySource(old)], now: [now, await readOntologySource(now)] };
}

async function withLastCommit(path: string, more: string | undefined): Promise<Pair | Missing> {
  if (more !== undefined) throw new UsageError('--last-commit takes one folder or file.');
  const now = await readOntologySource(path);
  const previous = await lastCommitOf(path);
  if ('missing' in previous)
    return { missing: `There is nothing to compare the ontology with: ${previous.missing}.` };
  return { old: [previous.name, previous.loaded], now: [path, now] };
}

function differenceOf({ old: [oldName, old], now: [newName, now] }: Pair): OntologyDiff {
  const changes = compareOntologies(old, now);
  const version = judgeVersion(changes, old.ontology.version, now.ontology.version);
  const title = version.enough ? version.declared : version.required;
  const changelog = changelogSection(changes, title, new Date().toISOString().slice(0, 10));
  return { old: oldName, new: newName, version, changes, changelog };
}

async function report(diff: OntologyDiff | Missing, { changelog, json }: DiffOptions): Promise<void> {
  if ('missing' in diff) {
    if (json) return printJson({ nothing: diff.missing });
    return changelog ? undefined : print(diff.missing);
  }
  if (!diff.version.enough) process.exitCode = 1;
  if (changelog) return write(diff.changelog);
  if (!json) return write(diffText(diff, paintOn(process.stdout)));
  const changes = diff.changes.map((change) => ({ ...change, ...changeKinds[change.kind] }));
  return printJson({ ...diff, changes });
}
