import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What one test file called: names of calls that were answered, as the test harness writes them down. */
export interface CalledByTest {
  /** The path of the test file. */
  readonly test: string;
  readonly calls: readonly string[];
}

/**
 * Reads what tests called, from a folder of JSON files, one a test file; undefined where there is no such folder.
 * @throws Error that names a file that holds something else
 */
export async function readCalled(folder: string): Promise<CalledByTest[] | undefined> {
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) return undefined;
  return Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map(async (name) => readOne(join(folder, name))),
  );
}

async function readOne(path: string): Promise<CalledByTest> {
  const text = await readFile(path, 'utf8');
  const { test, calls } = Object(parse(text)) as Record<keyof CalledByTest, unknown>;
  if (typeof test === 'string' && Array.isArray(calls) && calls.every((call) => typeof call === 'string'))
    return { test, calls };
  throw new Error(`${path} does not say what a test called`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
