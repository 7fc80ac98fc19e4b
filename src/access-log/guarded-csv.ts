/**
 * A cell of CSV (RFC 4180) that a spreadsheet does not take for a formula: text that begins with `=`, `+`, `-`, `@`, a
 * tabulator or a carriage return gets an apostrophe before it. Control characters become spaces, so that a row is a line.
 */
export function guardedCell(text: string): string {
  // Full-width signs count too: spreadsheets of some languages take them for the others.
  const guarded = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u.test(text) ? `'${text}` : text;
  const plain = guarded.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu, ' ');
  return /[",]/u.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** A row of CSV with its line feed. */
export function guardedRow(cells: readonly string[]): string {
  return `${cells.map(guardedCell).join(',')}\n`;
}
