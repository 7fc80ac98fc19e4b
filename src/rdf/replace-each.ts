/** What is written for which character, in an order in which none is written before it is replaced. */
type Replacements = readonly (readonly [character: string, written: string])[];

/** A text is taken in pieces of so many characters: what `split` makes of one stays in the processor's caches. */
const PIECE = 4096;

/**
 * A text with characters replaced: what `replace` with a function does, in half the time where there are very many, and
 * without a loop of our own, which would be slow until the engine has compiled it: a body of a megabyte may be the first
 * one, and everybody waits for it.
 */
export function replaceEach(text: string, replacements: Replacements): string {
  if (text.length <= PIECE) return replaceIn(text, replacements);
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += PIECE)
    pieces.push(replaceIn(text.slice(from, from + PIECE), replacements));
  return pieces.join('');
}

function replaceIn(piece: string, replacements: Replacements): string {
  let replaced = piece;
  for (const [character, written] of replacements)
    if (replaced.includes(character)) replaced = replaced.split(character).join(written);
  return replaced;
}
