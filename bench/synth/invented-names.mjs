const consonants = 'bcdfghjklmnprstvwxyz';
const vowels = 'aeiou';
const SYLLABLES = consonants.length * vowels.length;
/** Syllables of a name: all names have the same length, so none is the beginning of another. */
const LENGTH = 4;
const NAMES = SYLLABLES ** LENGTH;
/** Without a divisor in common with the number of names, so that all numbers below it give different names. */
const STEP = 61_803_399;

/** An invented name of eight letters: different numbers below 100 million give different ones. */
export function inventedName(number) {
  let rest = Number((BigInt(number) * BigInt(STEP)) % BigInt(NAMES));
  let name = '';
  for (let syllable = 0; syllable < LENGTH; syllable++) {
    const chosen = rest % SYLLABLES;
    name += (consonants[Math.floor(chosen / vowels.length)] ?? '') + (vowels[chosen % vowels.length] ?? '');
    rest = Math.floor(rest / SYLLABLES);
  }
  return name.charAt(0).toUpperCase() + name.slice(1);
}

// prettier-ignore
const words = ['after', 'again', 'before', 'calm', 'clear', 'daily', 'evening', 'found', 'good', 'half', 'left', 'light',
  'meal', 'mild', 'morning', 'never', 'no', 'often', 'one', 'rest', 'right', 'seen', 'since', 'some', 'steady', 'still',
  'then', 'today', 'two', 'walks', 'water', 'week', 'well', 'with', 'without', 'year'];

/** A sentence of so many words that says nothing. */
export function inventedText(count, pick) {
  const text = Array.from({ length: count }, () => pick(words)).join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
