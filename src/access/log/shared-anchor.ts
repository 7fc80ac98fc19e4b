import type { Checkpoint } from './verify-chain.js';

/** Returns the position of a log last sent to the shared store, which nobody who truncates the log can change. */
export async function sharedAnchor(store: string, chain: string): Promise<Checkpoint | undefined> {
  const { openPostgresStore } = await import('../../store/postgres/postgres-store.js');
  const shared = await openPostgresStore(store);
  try {
    const known = await shared.anchorOf(chain);
    return known && { chain, ...known };
  } finally {
    await shared.close();
  }
}
