/**
 * A name as it is compared: Unicode composition (NFC) and lower case, the same on every machine whatever its locale.
 * Nothing is stripped: accents and spaces are parts of names.
 */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}
