/** How many lines a text has, each with its end: of N-Triples and N-Quads, how many statements. */
export function countLines(text: string): number {
  let count = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) count++;
  return count;
}
