import { hexDigest } from '../../rdf/hex-digest.js';
import type { DocumentStore } from '../../store/documents/document-files.js';
import { Problem } from '../../model/problem.js';

/** Keeps document files in memory, for data that is only shown. */
export function memoryFiles(): Pick<DocumentStore, 'put' | 'has' | 'read'> {
  const contents = new Map<string, Buffer>();
  return {
    async put(bytes) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      const content = Buffer.concat(chunks);
      const sha256 = hexDigest(content);
      contents.set(sha256, content);
      return { sha256, size: content.byteLength };
    },
    has: (sha256) => contents.has(sha256),
    async read({ sha256 }) {
      const content = contents.get(sha256);
      if (!content) throw new Problem('damaged-document', 'There is no such file in memory.');
      return Promise.resolve(content);
    },
  };
}
