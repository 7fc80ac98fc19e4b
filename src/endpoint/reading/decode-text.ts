import { isUtf8 } from 'node:buffer';
import { UnreadableJson } from './read-json.js';

const LINE_FEED = 0x0a;
/** Made once: to make one takes longer than to decode a line. */
const decoder = new TextDecoder('utf-8');

/**
 * The text of a JSON document: UTF-8 (RFC 8259 §8.1), with or without a byte order mark.
 * @throws UnreadableJson that names the line of the first bytes that are none
 */
export function decodeText(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return decoder.decode(bytes);
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new UnreadableJson('text-encoding', 'The text is UTF-16; JSON is exchanged as UTF-8.');
  const { line, byte } = firstFault(bytes);
  const shown = `0x${(bytes[byte] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
  throw new UnreadableJson(
    'text-encoding',
    `The text is not UTF-8: the byte ${shown} at offset ${byte}, in line ${line}, is no part of a character.`,
  );
}

/** No line feed is part of another character, so each line can be looked at by itself. */
function firstFault(bytes: Uint8Array): { line: number; byte: number } {
  let line = 1;
  for (let start = 0; ; line++) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    const text = bytes.subarray(start, end);
    if (!isUtf8(text)) return { line, byte: start + soundStart(text) };
    if (found < 0) return { line, byte: start };
    start = end + 1;
  }
}

/** How many bytes from the start hold no fault, found by halving; a character that is cut off at their end is none. */
function soundStart(bytes: Uint8Array): number {
  let sound = 0;
  let broken = bytes.length;
  while (sound < broken) {
    const middle = Math.ceil((sound + broken) / 2);
    if (isSound(bytes.subarray(0, middle))) sound = middle;
    else broken = middle - 1;
  }
  // What is cut off belongs to the fault.
  while (sound > 0 && !isUtf8(bytes.subarray(0, sound))) sound--;
  return sound;
}

function isSound(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
