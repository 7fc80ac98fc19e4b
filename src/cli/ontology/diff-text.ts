import { weights, type Change, type Weight } from '../../ontology/diff/change.js';
import { changeKinds, type ChangeKind } from '../../ontology/diff/kinds.js';
import type { Verdict } from '../../ontology/diff/version.js';
import { shortName } from '../../ontology/term-names.js';
import type { Colour, Paint } from '../colour.js';
import { count, visible } from '../output.js';

/** Two ontologies compared, as `ontology diff --json` prints them. */
export interface OntologyDiff {
  readonly old: string;
  readonly new: string;
  readonly version: Verdict;
  readonly changes: readonly Change[];
  /** Markdown. */
  readonly changelog: string;
}

const colours: Record<Weight, Colour> = { breaking: 'red', additive: 'green', editorial: 'dim' };

/** A comparison for people: by weight, then by what happened with its reason once, terms and values in columns. */
export function diffText({ old, new: now, version, changes, changelog }: OntologyDiff, paint: Paint): string {
  const width = Math.max(0, ...changes.map((change) => termOf(change).length));
  const groups = weights.flatMap((weight) => {
    const own = changes.filter(({ kind }) => changeKinds[kind].weight === weight);
    if (own.length === 0) return [];
    const title = paint(colours[weight], paint('bold', count(own.length, `${weight} change`)));
    return [[title, ...kindsOf(own).map((kind) => ofKind(kind, own, width, paint))].join('\n')];
  });
  const verdict = paint(version.enough ? 'green' : 'red', visible(version.reason));
  const section = changelog === '' ? [] : [`${paint('bold', 'For the changelog')}\n\n${shown(changelog)}`];
  return `${[`${visible(old)} → ${visible(now)}`, ...groups, verdict, ...section].join('\n\n').trimEnd()}\n`;
}

function kindsOf(changes: readonly Change[]): ChangeKind[] {
  return [...new Set(changes.map(({ kind }) => kind))];
}

function ofKind(kind: ChangeKind, changes: readonly Change[], width: number, paint: Paint): string {
  const { says, reason } = changeKinds[kind];
  const rows = changes
    .filter((change) => change.kind === kind)
    .map((change) => `    ${termOf(change).padEnd(width)}  ${valuesOf(change)}`.trimEnd());
  return [`  ${says}. ${paint('dim', reason)}`, ...rows].join('\n');
}

function termOf({ subject, part }: Change): string {
  return visible(part === undefined ? shortName(subject) : `${shortName(subject)} ${part}`);
}

function valuesOf({ from, to }: Change): string {
  if (from !== undefined && to !== undefined) return visible(`${from} → ${to}`);
  return visible(from === undefined ? (to ?? '') : `was ${from}`);
}

const shown = (text: string): string => text.split('\n').map(visible).join('\n');
