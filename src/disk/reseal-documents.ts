import { openDocumentStore, type DocumentHome, type DocumentStore } from './document-files.js';
import { keyInHeader } from './sealed-document.js';
import type { SharedStore } from './shared/shared-store.js';

/**
 * Seals anew each document that another data key sealed, or none. To be called after the key was changed: from then on
 * no file is put that another one sealed. A damaged file stays as it is.
 */
export async function resealDocuments(home: DocumentHome): Promise<void> {
  const documents = openDocumentStore(home);
  const { current } = home.dataKeys;
  if (home.shared) {
    await resealShared(documents, home.shared, current);
    await refreshDocuments(home);
  } else for (const { sha256 } of await documents.list()) await documents.reseal(sha256, current);
}

/** Takes each file of a copy over again that another data key sealed than the current one. */
export async function refreshDocuments(home: DocumentHome): Promise<void> {
  const documents = openDocumentStore(home);
  const { current } = home.dataKeys;
  for (const { sha256 } of await documents.list()) await documents.refresh(sha256, current);
}

async function resealShared(documents: DocumentStore, store: SharedStore, current: number): Promise<void> {
  for (let after = ''; ;) {
    const some = await store.documentHeaders(after);
    for (const { sha256, header } of some)
      if (keyInHeader(header) !== current) await documents.reseal(sha256, current);
    const last = some.at(-1);
    if (!last) return;
    after = last.sha256;
  }
}
