/** What is wrong or strange at a place of a text, by lines and columns from 1. */
export interface Remark {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** The warnings of an answer that have a place: `199 - "line 1, column 2: …"`, one after the other. */
export function warningsIn(field: string): Remark[] {
  return [...field.matchAll(/199 - "((?:[^"\\]|\\.)*)"/gu)].flatMap(([, quoted = '']) => {
    const text = quoted.replaceAll(/\\(.)/gu, '$1');
    const [, line, column, message] = /^line (\d+), column (\d+): (.*)$/su.exec(text) ?? [];
    if (line === undefined || column === undefined || message === undefined) return [];
    return [{ severity: 'warning' as const, message, line: Number(line), column: Number(column) }];
  });
}
