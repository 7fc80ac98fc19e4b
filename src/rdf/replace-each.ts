/** Ordered so that no replacement produces a character that is still to be replaced. */
type Replacements = readonly (readonly [character: string, written: string])[];

/** Pieces of this size stay in the processor's caches. */
const PIECE = 4096;

/**
 * Replaces characters in a text. With many matches, this takes half the time of `replace` with a function, and it
 * avoids a loop of our own, which is slow until compiled: the first body may be a megabyte.
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
