/** Something found wrong, as `validate --json` prints it; `line` counts from 1, null where nobody knows it. */
export interface Diagnostic {
  file: string;
  line: number | null;
  rule: string;
  severity: 'error' | 'warning';
  message: string;
  /** What to do about it. */
  hint?: string;
  /** The page that explains the rule, below the folder of the package. */
  help?: string;
}

/** An error in a file. */
export function fault(file: string, rule: string, message: string, line: number | null = null): Diagnostic {
  return { file, line, rule, severity: 'error', message };
}
