import { shortName } from '../../model/ontology/term-names.js';
import type { Change } from './change.js';
import { changeKinds, sections } from './kinds.js';

/**
 * Writes a changelog section (Keep a Changelog 1.1.0), with breaking changes first and marked; '' without changes. All
 * rewordings share one line. @param date of the release as `2026-01-31`
 */
export function changelogSection(changes: readonly Change[], version: string, date: string): string {
  if (changes.length === 0) return '';
  const told = changes.filter(({ kind }) => kind !== 'reworded');
  const reworded = new Set(changes.filter(({ kind }) => kind === 'reworded').map(({ subject }) => subject))
    .size;
  const parts = sections.flatMap((section) => {
    const lines = told.filter(({ kind }) => changeKinds[kind].section === section).map(lineOf);
    if (section === 'Changed' && reworded > 0)
      lines.push(`- The wording of ${reworded} ${reworded === 1 ? 'term' : 'terms'}.`);
    return lines.length === 0 ? [] : [`### ${section}\n\n${lines.join('\n')}`];
  });
  return `## [${version}] - ${date}\n\n${parts.join('\n\n')}\n`;
}

function lineOf(change: Change): string {
  const { weight, reason } = changeKinds[change.kind];
  const text = `${code(shortName(change.subject))}: ${sentence(change)}.`;
  return weight === 'breaking' ? `- **Breaking:** ${text} ${reason}` : `- ${text}`;
}

function sentence({ kind, part, from, to }: Change): string {
  const values =
    from !== undefined && to !== undefined
      ? `, ${code(from)} is now ${code(to)}`
      : from !== undefined
        ? `, was ${code(from)}`
        : to !== undefined
          ? `, ${code(to)}`
          : '';
  return `${changeKinds[kind].says}${part === undefined ? '' : ` ${code(part)}`}${values}`;
}

/** Writes a code span whose fence is longer than any run of backticks in it (CommonMark 0.31 §6.1). */
function code(text: string): string {
  const line = text.replace(/\s+/gu, ' ');
  const runs = [...line.matchAll(/`+/gu)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  return runs.length === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}
