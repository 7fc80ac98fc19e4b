import { isAbsolute, relative } from 'node:path';
import type { Paint } from '../colour.js';
import type { Diagnostic } from './diagnostic.js';
import { count, visible } from '../output.js';

const colours = { error: 'red', warning: 'yellow' } as const;

/**
 * Findings for people: a line each, `file:line  severity  rule  message`; under the first of a rule what to do and
 * where to read more; at the end how many there are.
 */
export function findingsText(diagnostics: readonly Diagnostic[], paint: Paint): string {
  const explained = new Set<string>();
  const lines = diagnostics.flatMap((diagnostic) => {
    const { file, line, severity, rule, message, hint, help } = diagnostic;
    const place = nearName(file) + (line === null ? '' : `:${line}`);
    const told = [
      paint('bold', visible(place)),
      paint(colours[severity], severity),
      rule,
      visible(message),
    ].join('  ');
    if (hint === undefined || explained.has(rule)) return [told];
    explained.add(rule);
    return [told, paint('dim', `    ${hint}${help === undefined ? '' : ` See ${help}.`}`)];
  });
  return [...lines, summaryOf(diagnostics)].map((line) => `${line}\n`).join('');
}

function summaryOf(diagnostics: readonly Diagnostic[]): string {
  if (diagnostics.length === 0) return 'No problems.';
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return `${count(errors, 'error')}, ${count(diagnostics.length - errors, 'warning')}.`;
}

/** A file below the working directory as one would type it there, any other as it is. */
export function nearName(file: string, cwd = process.cwd()): string {
  const near = relative(cwd, file);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? file : near;
}
