import { fileOf } from '../../records/documents/content-key.js';
import { openDocumentStore } from '../../store/documents/document-files.js';
import { Problem } from '../../model/problem.js';
import type { PrimaryStore } from '../../store/primary-store.js';

/** The largest file that goes out within JSON, in bytes; the call for the document streams larger ones. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Returns the data of the Binary of a document: the bytes of its file in Base64, which no query reads; undefined if it has
 * no file.
 * @param document the name of its statement @throws Problem too-large
 */
export async function binaryData(
  document: string,
  { graph, directory }: Pick<PrimaryStore, 'graph' | 'directory'>,
): Promise<string | undefined> {
  const file = fileOf(graph(document) ?? [], document);
  if (file && file.key.size > MAX_BYTES)
    throw new Problem('too-large', 'The file is larger than 16 MiB; get it by the call for its document.');
  return file && (await openDocumentStore(directory).read(file.key)).toString('base64');
}
