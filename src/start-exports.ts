import { openDocumentStore } from './disk/document-files.js';
import { ExportRunner, type ExportParts } from './http/exports/export-runner.js';
import { pastStores } from './store/past-store.js';

/**
 * Starts what makes the exports that apps ask for: once for a data directory, in the process that holds it.
 * @returns what ends it
 */
export function startExports(parts: Omit<ExportParts, 'past' | 'documents' | 'base'>): () => Promise<void> {
  const { primary } = parts;
  const runner = new ExportRunner({
    ...parts,
    base: primary.base,
    // Single resources are asked for, which needs nothing of the derived index.
    past: pastStores(primary, undefined),
    documents: openDocumentStore(primary.directory),
  });
  runner.start();
  return () => runner.close();
}
