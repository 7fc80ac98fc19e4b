import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface LocalAnalysts {
  readonly socket: string;
  readonly base: string;
}

const fileOf = (data: string): string => join(data, 'analysts.json');

/** Publishes the address of the analyst process for commands on the same data directory. */
export function publishAnalysts(data: string, { socket, base }: LocalAnalysts): Promise<void> {
  return writeFile(fileOf(data), `${JSON.stringify({ socket, base })}\n`, { mode: 0o600 });
}

export function withdrawAnalysts(data: string): Promise<void> {
  return rm(fileOf(data), { force: true });
}

/** Returns the published address, if any; its server may have been killed. */
export async function findAnalysts(data: string): Promise<LocalAnalysts | undefined> {
  try {
    const { socket, base } = JSON.parse(await readFile(fileOf(data), 'utf8')) as Partial<LocalAnalysts>;
    return typeof socket === 'string' && typeof base === 'string' ? { socket, base } : undefined;
  } catch {
    return undefined;
  }
}
