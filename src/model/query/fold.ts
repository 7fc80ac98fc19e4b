const ascii = /^[\x20-\x7e]*$/;

/**
 * Folds a name for comparison: case-insensitive (Unicode §3.13, full case folding after composition) and independent
 * of locale. ß becomes ss, every sigma is the same, and so are İ, I, ı and i, because a searcher cannot know in which
 * alphabet a name was typed. Accents stay.
 */
export function foldName(name: string): string {
  // A shortcut for most names, and nearly all titles of codes.
  if (ascii.test(name)) return name.toLowerCase();
  // By letter: in whole words, a final sigma would get its own form, and longer names would not match.
  const folded = Array.from(name.normalize('NFC'), foldLetter).join('');
  // U+0307 is the dot that a lower-cased İ keeps.
  return folded.replaceAll('i\u0307', 'i').normalize('NFC');
}

function foldLetter(letter: string): string {
  return Array.from(letter.toLowerCase().toUpperCase(), (each) => each.toLowerCase()).join('');
}
