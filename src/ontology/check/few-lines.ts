/** A start that fails says this much of what is wrong: it ends in one line, and a wrong folder has everything wrong. */
const MOST = 5;

/** What a start says of what is wrong: the first few sentences, a line each, and how many more there are. */
export function fewLines(sentences: readonly string[]): string {
  const others = sentences.length - MOST;
  const more = others > 0 ? [`and ${others} more; chartgraph validate names all of them`] : [];
  return [...sentences.slice(0, MOST), ...more].join('\n');
}
