import type { Command } from 'commander';
import { changelogSection } from '../../authoring/diff/changelog.js';
import { compareOntologies, namingOf, type Comparable } from '../../authoring/diff/compare.js';
import { changeKinds, type ChangeKind } from '../../authoring/diff/kinds.js';
import { judgeVersion, type Verdict } from '../../authoring/diff/version.js';
import { paintOn, print, printJson, write, type Colour, type Paint, count, visible } from '../output.js';
import { UsageError } from '../command-errors.js';
import { lastCommitOf, onLayers, readOntologySource } from './source.js';
import { readSettings } from '../read-settings.js';
import { weights, type Change, type Weight } from '../../authoring/diff/change.js';
import type { Ontology } from '../../model/ontology/model.js';
import { layerNames, shortNameIn, type Naming } from '../../model/ontology/term-names.js';

interface DiffOptions {
  lastCommit?: boolean;
  changelog?: boolean;
  json?: boolean;
}

/** `chartgraph ontology diff`: shows changes and the version that they need; exit 1 if it is not declared. */
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
        ? await withLastCommit(
            old ?? [readSettings(command.optsWithGlobals()).ontology].flat().at(-1) ?? '',
            now,
          )
        : await bothGiven(old, now);
      await report(pair, options);
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
  const before = await readOntologySource(old);
  return { old: [old, before], now: [now, await onLayers(before, now)] };
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
  const version = verdictOn(changes, old.ontology, now.ontology);
  const title = version.enough ? version.declared : version.required;
  const section = changelogSection(changes, title, new Date().toISOString().slice(0, 10));
  const changelog = layerNames(namingOf(old, now), section);
  return { old: oldName, new: newName, version, changes, changelog };
}

/** A layer has a version apart from the one below; only a later version of the same layers is compared with an older. */
function verdictOn(changes: readonly Change[], old: Ontology, now: Ontology): Verdict {
  const [below, layer] = [old.layers, now.layers.at(-1)];
  if (layer === undefined || now.layers.length === below.length)
    return judgeVersion(changes, old.layers.at(-1)?.version ?? old.version, layer?.version ?? now.version);
  const reason = `${layer.label} ${layer.version} is a layer on ${old.iri} ${old.version}.`;
  return { old: old.version, declared: layer.version, required: layer.version, enough: true, reason };
}

async function report(pair: Pair | Missing, { changelog, json }: DiffOptions): Promise<void> {
  if ('missing' in pair) {
    if (json) return printJson({ nothing: pair.missing });
    return changelog ? undefined : print(pair.missing);
  }
  const diff = differenceOf(pair);
  if (!diff.version.enough) process.exitCode = 1;
  if (changelog) return write(diff.changelog);
  if (!json) return write(diffText(diff, namingOf(pair.old[1], pair.now[1]), paintOn(process.stdout)));
  const changes = diff.changes.map((change) => ({ ...change, ...changeKinds[change.kind] }));
  return printJson({ ...diff, changes });
}

interface OntologyDiff {
  readonly old: string;
  readonly new: string;
  readonly version: Verdict;
  readonly changes: readonly Change[];
  readonly changelog: string;
}

const colours: Record<Weight, Colour> = { breaking: 'red', additive: 'green', editorial: 'dim' };

/** Formats a comparison for people: grouped by weight and kind, each reason once, terms and values in columns. */
function diffText(
  { old, new: now, version, changes, changelog }: OntologyDiff,
  naming: Naming,
  paint: Paint,
): string {
  const width = Math.max(0, ...changes.map((change) => termOf(change, naming).length));
  const groups = weights.flatMap((weight) => {
    const own = changes.filter(({ kind }) => changeKinds[kind].weight === weight);
    if (own.length === 0) return [];
    const title = paint(colours[weight], paint('bold', count(own.length, `${weight} change`)));
    return [[title, ...kindsOf(own).map((kind) => ofKind(kind, own, naming, width, paint))].join('\n')];
  });
  const verdict = paint(version.enough ? 'green' : 'red', visible(version.reason));
  const section = changelog === '' ? [] : [`${paint('bold', 'For the changelog')}\n\n${shown(changelog)}`];
  return `${[`${visible(old)} → ${visible(now)}`, ...groups, verdict, ...section].join('\n\n').trimEnd()}\n`;
}

function kindsOf(changes: readonly Change[]): ChangeKind[] {
  return [...new Set(changes.map(({ kind }) => kind))];
}

function ofKind(
  kind: ChangeKind,
  changes: readonly Change[],
  naming: Naming,
  width: number,
  paint: Paint,
): string {
  const { says, reason } = changeKinds[kind];
  const rows = changes
    .filter((change) => change.kind === kind)
    .map((change) => `    ${termOf(change, naming).padEnd(width)}  ${valuesOf(change)}`.trimEnd());
  return [`  ${says}. ${paint('dim', reason)}`, ...rows].join('\n');
}

function termOf({ subject, part }: Change, naming: Naming): string {
  return visible([shortNameIn(naming, subject), ...(part === undefined ? [] : [part])].join(' '));
}

function valuesOf({ from, to }: Change): string {
  if (from !== undefined && to !== undefined) return visible(`${from} → ${to}`);
  return visible(from === undefined ? (to ?? '') : `was ${from}`);
}

const shown = (text: string): string => text.split('\n').map(visible).join('\n');
