import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unpacked } from '../disk/unpacked.js';
import { formatOfFile } from '../rdf/formats.js';
import { CommandError } from './command-errors.js';

/** How much of a file is looked at for telling FHIR from JSON-LD: the resource type comes first, nearly always. */
const START = 65_536;

/** What stands for standard input among the files. */
export const STDIN = '-';

/**
 * The files that some names mean: a folder means all below it that can be loaded, in the order of their names.
 * @throws CommandError for a folder without any
 */
export async function filesOf(names: readonly string[]): Promise<string[]> {
  const files = await Promise.all(
    names.map(async (name) => {
      const found = name === STDIN ? undefined : await stat(name).catch(() => undefined);
      if (!found?.isDirectory()) return [name];
      const entries = await readdir(name, { recursive: true, withFileTypes: true });
      const loadable = entries.filter((entry) => entry.isFile() && isLoadable(entry.name));
      if (loadable.length === 0)
        throw new CommandError(`The folder ${name} holds no file of RDF or FHIR, by their extensions.`);
      return loadable.map((entry) => join(entry.parentPath, entry.name)).sort();
    }),
  );
  return files.flat();
}

function isLoadable(name: string): boolean {
  return isJson(name) || formatOfFile(name) !== undefined;
}

function isJson(name: string): boolean {
  return /\.(?:json|ndjson|jsonl)(?:\.gz)?$/iu.test(name);
}

/**
 * The type of the first resource of a file of FHIR that is no Bundle, as far as its first bytes tell; undefined for a
 * file of something else, which a JSON-LD file is: it has no resource type.
 */
export async function fhirTypeOf(path: string): Promise<string | undefined> {
  if (path === STDIN) return 'Resource';
  if (!isJson(path)) return undefined;
  const isNdjson = /\.(?:ndjson|jsonl)(?:\.gz)?$/iu.test(path);
  try {
    const start = await firstText(createReadStream(path) as AsyncIterable<Buffer>);
    if (!isNdjson && /"@(?:context|id|graph)"\s*:/u.test(start)) return undefined;
    const types = [...start.matchAll(/"resourceType"\s*:\s*"(\w{1,64})"/gu)].map(([, type = '']) => type);
    if (types.length === 0) return isNdjson ? 'Endpoint' : undefined;
    return types.find((type) => type !== 'Bundle') ?? 'Bundle';
  } catch {
    // What cannot be read is told by the one who reads it.
    return isNdjson ? 'Resource' : undefined;
  }
}

/** The first text of a stream, unpacked: as much as stands in its first bytes, broken characters replaced. */
async function firstText(input: AsyncIterable<Uint8Array>): Promise<string> {
  let start = Buffer.alloc(0);
  for await (const chunk of unpacked(input)) {
    start = Buffer.concat([start, chunk]);
    if (start.length >= START) break;
  }
  return start.subarray(0, START).toString('utf8');
}
