import { isAbsolute, relative } from 'node:path';
import { type Paint, count, visible } from '../output.js';

/** A problem, as printed by `validate --json`; `line` counts from 1, null if unknown. */
export interface Diagnostic {
  file: string;
  line: number | null;
  rule: string;
  severity: 'error' | 'warning';
  message: string;
  hint?: string;
  /** The page that explains the rule, relative to the package. */
  help?: string;
}

export function fault(
  file: string,
  rule: string,
  message: string,
  line: number | null = null,
  severity: Diagnostic['severity'] = 'error',
): Diagnostic {
  return { file, line, rule, severity, message };
}

const colours = { error: 'red', warning: 'yellow' } as const;

/** Formats problems for people, one per line, with the hint after the first of each rule and a total at the end. */
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

/** Returns a file below the working directory as a relative path, any other unchanged. */
export function nearName(file: string, cwd = process.cwd()): string {
  const near = relative(cwd, file);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? file : near;
}
