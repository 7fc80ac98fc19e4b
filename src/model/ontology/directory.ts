import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRdf } from '../../rdf/parse.js';
import type { Quad } from '../../rdf/terms.js';
import { prefixes } from '../../rdf/vocabulary.js';
import { mergeLayers } from './layers.js';
import type { Ontology } from './model.js';
import { readOntology } from './read.js';

/** The ontology folder cannot be read as one graph; the message names file and line. */
export class OntologyFileError extends Error {
  override readonly name = 'OntologyFileError';

  constructor(
    readonly file: string,
    readonly reason: string,
    readonly line?: number,
    options?: { cause?: unknown },
  ) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${reason}`, options);
  }
}

export const ONTOLOGY_BASE = prefixes.sp.slice(0, -1);

/** One folder, or the folders of layers, the lowest first. */
export type Folders = string | readonly string[];

/** Folders of Turtle files, read as one graph; `digest` changes with every byte and file name. */
export interface LoadedOntology {
  ontology: Ontology;
  quads: Quad[];
  digest: string;
  files: readonly OntologyFile[];
}

/**
 * Reads all `*.ttl` files of folders, by name, as one graph. Call `checkOntology` on the result.
 * @throws OntologyFileError for a syntax error, or for a folder that is unreadable or has no such file
 */
export async function loadOntology(folders: Folders): Promise<LoadedOntology> {
  return readOntologyLayers(await Promise.all([folders].flat().map(readFolder)));
}

async function readFolder(directory: string): Promise<OntologyFile[]> {
  const names = await turtleFiles(directory);
  return Promise.all(
    names.map(async (name) => ({
      name,
      path: join(directory, name),
      text: await readFile(join(directory, name)).catch((cause: unknown) => {
        throw new OntologyFileError(join(directory, name), 'the file cannot be read', undefined, { cause });
      }),
    })),
  );
}

/** A Turtle file: its name enters the digest, its path appears in errors. */
export interface OntologyFile {
  name: string;
  path: string;
  text: Uint8Array;
}

/** Reads the Turtle files of layers, the lowest first, as one graph. @throws OntologyFileError for a syntax error */
export async function readOntologyLayers(
  layers: readonly (readonly OntologyFile[])[],
): Promise<LoadedOntology> {
  const hash = createHash('sha256');
  const parts: { quads: Quad[]; paths: string[] }[] = [];
  for (const files of layers) {
    const quads: Quad[] = [];
    for (const { name, path, text } of files) {
      hash.update(`${name}\0${text.length}\0`).update(text);
      quads.push(...(await parseFile(path, text)));
    }
    // Where one layer ends decides what replaces what.
    if (layers.length > 1) hash.update('layer\0');
    parts.push({ quads, paths: files.map(({ path }) => path) });
  }
  const merged = mergeLayers(parts);
  const ontology = readOntology(merged.quads, merged.layers);
  return { ontology, quads: merged.quads, digest: hash.digest('hex'), files: layers.flat() };
}

async function turtleFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((cause: unknown) => {
    throw new OntologyFileError(directory, 'the ontology folder cannot be read', undefined, { cause });
  });
  const files = entries
    .filter((entry) => entry.name.endsWith('.ttl') && !entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  if (files.length === 0) throw new OntologyFileError(directory, 'the ontology folder holds no .ttl file');
  return files;
}

async function parseFile(path: string, text: Uint8Array): Promise<Quad[]> {
  try {
    return await parseRdf(text, { format: 'turtle', baseIRI: ONTOLOGY_BASE });
  } catch (cause) {
    const { line, reason } = cause as { line?: number; reason?: string };
    throw new OntologyFileError(path, reason ?? String(cause), line, { cause });
  }
}
