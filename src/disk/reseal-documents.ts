import { openDocumentStore, type DocumentHome } from './document-files.js';

/**
 * Seals anew each document that another data key sealed, or none. To be called after the key was changed: from then on
 * no file is put that another one sealed. A damaged file stays as it is.
 */
export async function resealDocuments(home: DocumentHome): Promise<void> {
  const store = openDocumentStore(home);
  const { current } = home.dataKeys;
  for (const { sha256 } of await store.list()) await store.reseal(sha256, current);
}
