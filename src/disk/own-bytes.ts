/**
 * Bytes in memory of their own, for what is kept: small buffers of Node.js lie in one that they share, of up to 64 KB, and
 * gzip and Brotli write into one of 16. Whoever keeps a small one keeps all of that.
 * @returns what was given where it lies alone already
 */
export function ownBytes(content: string | Uint8Array): Buffer {
  if (typeof content === 'string') {
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(content));
    bytes.write(content);
    return bytes;
  }
  if (Buffer.isBuffer(content) && content.byteLength === content.buffer.byteLength) return content;
  const bytes = Buffer.allocUnsafeSlow(content.byteLength);
  bytes.set(content);
  return bytes;
}
