import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unpacked } from '../store/disk/unpacked.js';
import { isObject } from '../rdf/json-object.js';
import { formatOfFile } from '../rdf/formats.js';
import { CommandError } from './command-errors.js';

/** Bytes to read to tell FHIR from JSON-LD: the resource type nearly always comes first. */
const START_BYTES = 65_536;

export const STDIN = '-';

/** Lists the files to load; a folder means all loadable files in it. @throws CommandError if it has none */
export async function filesOf(names: readonly string[]): Promise<string[]> {
  const files = await Promise.all(
    names.map(async (name) => {
      const found = name === STDIN ? undefined : await stat(name).catch(() => undefined);
      if (!found?.isDirectory()) return [name];
      const entries = await readdir(name, { recursive: true, withFileTypes: true });
      const loadable = entries.filter(
        (entry) => entry.isFile() && (isJson(entry.name) || formatOfFile(entry.name) !== undefined),
      );
      if (loadable.length === 0)
        throw new CommandError(`The folder ${name} holds no file of RDF or FHIR, by their extensions.`);
      return loadable.map((entry) => join(entry.parentPath, entry.name)).sort();
    }),
  );
  return files.flat();
}

function isJson(name: string): boolean {
  return /\.(?:json|ndjson|jsonl)(?:\.gz)?$/iu.test(name);
}

export function isNdjson(name: string): boolean {
  return /\.(?:ndjson|jsonl)(?:\.gz)?$/iu.test(name);
}

/**
 * Returns the type of the first FHIR resource in a file that is not a Bundle, judging by its first bytes; undefined for
 * RDF. Other JSON is read as FHIR, which reports that it contains no resource.
 */
export async function fhirTypeOf(path: string): Promise<string | undefined> {
  if (path === STDIN) return 'Resource';
  if (!isJson(path)) return undefined;
  try {
    const start = await firstText(createReadStream(path) as AsyncIterable<Buffer>);
    if (!isNdjson(path) && /"@(?:context|id|graph)"\s*:/u.test(start)) return undefined;
    const types = [...start.matchAll(/"resourceType"\s*:\s*"(\w{1,64})"/gu)].map(([, type = '']) => type);
    if (types.length === 0) return !isNdjson(path) && /"@\w+"\s*:/u.test(start) ? undefined : 'Resource';
    // The log of an export names types of resources, too.
    if (isNdjson(path) && !isResource(start)) return 'Resource';
    return types.find((type) => type !== 'Bundle') ?? 'Bundle';
  } catch {
    // The step that reads the file reports the error.
    return isNdjson(path) ? 'Resource' : undefined;
  }
}

/** Whether a text begins with a resource, if its first line is complete. */
function isResource(start: string): boolean {
  try {
    const first: unknown = JSON.parse(/^.*$/mu.exec(start.trimStart())?.[0] ?? '');
    return isObject(first) && typeof first.resourceType === 'string';
  } catch {
    return true;
  }
}

/** Returns the beginning of a stream, unpacked; broken characters are replaced. */
async function firstText(input: AsyncIterable<Uint8Array>): Promise<string> {
  let start = Buffer.alloc(0);
  for await (const chunk of unpacked(input)) {
    start = Buffer.concat([start, chunk]);
    if (start.length >= START_BYTES) break;
  }
  return start.subarray(0, START_BYTES).toString('utf8');
}
