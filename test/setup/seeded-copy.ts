import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A data directory of its own that holds the shipped seed. @returns its path */
export async function seededCopy(): Promise<string> {
  const data = await mkdtemp(join(inject('scratch'), 'seeded-'));
  await cp(inject('seeded'), data, { recursive: true });
  return data;
}
