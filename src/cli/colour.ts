const codes = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const;
export type Colour = keyof typeof codes;

/** Puts text in a colour, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string;

/**
 * Colours (ECMA-48 §8.3.117) for what is printed on a stream: only on a terminal, and never where NO_COLOR is set to
 * anything or the terminal is dumb.
 */
export function paintOn(stream: { isTTY?: boolean }, env = process.env): Paint {
  const isPlain = stream.isTTY !== true || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return isPlain ? (_, text) => text : (colour, text) => `\u001b[${codes[colour]}m${text}\u001b[0m`;
}
