/** What is written in place of each byte. */
export interface ByteTable {
  readonly bytes: readonly Uint8Array[];
  readonly lengths: Uint8Array;
}

const encoder = new TextEncoder();

/** A table from what is to be written for a byte; undefined: the byte itself. */
export function byteTable(writtenFor: (byte: number) => string | undefined): ByteTable {
  const bytes = Array.from({ length: 256 }, (_, byte) => {
    const written = writtenFor(byte);
    return written === undefined ? Uint8Array.of(byte) : encoder.encode(written);
  });
  return { bytes, lengths: Uint8Array.from(bytes, ({ length }) => length) };
}

/** Bytes, each of them written as a table says. */
export function replaceBytes(bytes: Uint8Array, { bytes: table, lengths }: ByteTable): Uint8Array {
  let size = 0;
  for (let at = 0; at < bytes.length; at++) size += lengths[bytes[at] ?? 0] ?? 0;
  const written = new Uint8Array(size);
  // By index: iterators of typed arrays take several times as long.
  for (let at = 0, to = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const length = lengths[byte] ?? 0;
    const own = table[byte];
    if (length === 1) written[to++] = own?.[0] ?? byte;
    else for (let each = 0; each < length; each++) written[to++] = own?.[each] ?? 0;
  }
  return written;
}
