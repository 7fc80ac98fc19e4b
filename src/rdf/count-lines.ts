/** Counts line feeds: in N-Triples and N-Quads, the statements. */
export function countLines(text: string): number {
  let count = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) count++;
  return count;
}
