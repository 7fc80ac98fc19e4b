const ascii = /^[\x20-\x7e]*$/;

/**
 * A name as it is compared: without regard to case (Unicode §3.13, full case folding, after composition), the same on
 * every machine whatever its locale. So ß is ss, every sigma is one, and İ, I, ı and i are one letter, as whoever
 * searches cannot know by which alphabet a name was typed. Nothing else is stripped: accents are parts of names.
 */
export function foldName(name: string): string {
  // Most names, and nearly all titles of codes.
  if (ascii.test(name)) return name.toLowerCase();
  // Letter by letter: of a whole word, a sigma at the end would get a form of its own that no longer prefix has.
  const folded = Array.from(name.normalize('NFC'), foldLetter).join('');
  // U+0307 is the dot that a lower-cased İ keeps.
  return folded.replaceAll('i\u0307', 'i').normalize('NFC');
}

/** Down, up and down again: a capital ß has its pair of letters only by way of the small one. */
function foldLetter(letter: string): string {
  return Array.from(letter.toLowerCase().toUpperCase(), (each) => each.toLowerCase()).join('');
}
