/** Tells whoever sits at the terminal, or reads the log, in one line why nothing happens. */
export function notice(sentence: string): void {
  process.stderr.write(`chartgraph: ${sentence}\n`);
}
