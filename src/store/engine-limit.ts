/** Bytes of a page of linear memory. */
export const PAGE = 65_536;
/** The most pages that 32-bit addresses reach. */
const MOST_PAGES = 65_536;
/** Magic number and version. */
const HEADER = 8;
const MEMORY_SECTION = 5;

/**
 * A WebAssembly module with another limit of its memory: what asks for more is refused inside, as where a machine has no
 * more (WebAssembly Core Specification, binary format, memory section).
 * @param module with one memory of its own
 * @throws TypeError for a module that has none
 */
export function withMemoryLimit(module: Uint8Array, mostBytes: number): Uint8Array {
  for (let at = HEADER; at < module.length;) {
    const start = at;
    const id = module[at];
    const size = readNumber(module, at + 1);
    const end = size.end + size.value;
    if (id === MEMORY_SECTION) {
      const count = readNumber(module, size.end);
      // The flag says whether a limit follows; either way the least size does.
      const least = readNumber(module, count.end + 1);
      const most = Math.min(MOST_PAGES, Math.max(least.value, Math.ceil(mostBytes / PAGE)));
      const content = [1, 1, ...number(least.value), ...number(most)];
      const section = [MEMORY_SECTION, ...number(content.length), ...content];
      return Buffer.concat([module.subarray(0, start), Buffer.from(section), module.subarray(end)]);
    }
    at = end;
  }
  throw new TypeError('the module has no memory of its own');
}

/** An unsigned LEB128 number, and where it ends. */
function readNumber(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end: at };
  }
}

function number(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest = Math.floor(rest / 128);
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest > 0);
  return bytes;
}
