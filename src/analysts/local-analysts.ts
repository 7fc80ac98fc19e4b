import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the analyst process of a running server is, for commands on the same data directory. */
export interface LocalAnalysts {
  readonly socket: string;
  /** The base URL of the server, without a slash at its end. */
  readonly base: string;
}

const fileOf = (data: string): string => join(data, 'analysts.json');

/** Says in a data directory where its analyst process is. */
export function publishAnalysts(data: string, { socket, base }: LocalAnalysts): Promise<void> {
  return writeFile(fileOf(data), `${JSON.stringify({ socket, base })}\n`, { mode: 0o600 });
}

export function withdrawAnalysts(data: string): Promise<void> {
  return rm(fileOf(data), { force: true });
}

/** What is said there; undefined where nothing is. A server that was killed leaves it behind, and nobody answers. */
export async function findAnalysts(data: string): Promise<LocalAnalysts | undefined> {
  try {
    const { socket, base } = JSON.parse(await readFile(fileOf(data), 'utf8')) as Partial<LocalAnalysts>;
    return typeof socket === 'string' && typeof base === 'string' ? { socket, base } : undefined;
  } catch {
    return undefined;
  }
}
