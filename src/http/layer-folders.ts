import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isObject } from '../rdf/json-object.js';
import type { Folders } from '../model/ontology/directory.js';
import type { Prefixes } from '../model/ontology/term-names.js';
import { prefixes } from '../rdf/vocabulary.js';
import { putFile } from '../store/disk/small-files.js';

/** Resolves a path in the package, the same from src and dist. */
export const shipped = (path: string): string => resolve(import.meta.dirname, '..', '..', path);

/** The word that stands for the shipped folder, so that a layer can be put on it. */
export const SHIPPED = 'shipped';

/** The queries that go with layers: those in their folders, and the shipped ones if the lowest has none. */
export function queriesOf(ontology: Folders): string[] {
  const found = [ontology].flat().map((folder) => join(folder, 'queries'));
  return found.flatMap((folder, index) =>
    existsSync(folder) ? folder : index === 0 ? shipped('queries') : [],
  );
}

export interface LayerFolders {
  readonly ontology: Folders;
  readonly queries: Folders;
}

const fileIn = (data: string): string => join(data, 'layers.json');

/** Remembers which folders a container serves, and their prefixes, for commands on its data directory. */
export async function rememberFolders(
  data: string,
  { ontology, queries }: LayerFolders,
  prefixes: Prefixes,
): Promise<void> {
  const named = { ontology: wordsOf(ontology, 'ontology'), queries: wordsOf(queries, 'queries') };
  const isShipped = Object.values(named).every((words) => words.join() === SHIPPED);
  if (isShipped) await rm(fileIn(data), { force: true });
  else await putFile(fileIn(data), `${JSON.stringify({ ...named, prefixes }, null, 2)}\n`);
}

/** The package may have moved since, so its folders are kept as a word. */
const wordsOf = (folders: Folders, name: string): string[] =>
  [folders].flat().map((folder) => (folder === shipped(name) ? SHIPPED : folder));

/** Returns the folders that the container of a data directory serves, as settings; nothing for the shipped ones. */
export function servedFolders(data: string): Readonly<Record<string, unknown>> {
  const file = fileIn(data);
  if (!existsSync(file)) return {};
  const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isObject(read) ? read : {};
}

/** Returns the prefixes that the container of a data directory knows. */
export const servedPrefixes = (data: string): Prefixes => ({
  ...prefixes,
  ...(servedFolders(data)['prefixes'] as Prefixes | undefined),
});
