import { fileOf } from '../../records/documents/content-key.js';
import { openDocumentStore } from '../../store/documents/document-files.js';
import type { PrimaryStore } from '../../store/primary-store.js';

/**
 * Returns the data of the Binary of a document: the bytes of its file in Base64, which no query reads; undefined if it has
 * no file.
 * @param document the name of its statement
 */
export async function binaryData(
  document: string,
  { graph, directory }: Pick<PrimaryStore, 'graph' | 'directory'>,
): Promise<string | undefined> {
  const file = fileOf(graph(document) ?? [], document);
  return file && (await openDocumentStore(directory).read(file.key)).toString('base64');
}
