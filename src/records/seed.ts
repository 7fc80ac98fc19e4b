import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Accounts } from '../accounts/accounts.js';
import { readManifest, type AppManifest } from '../accounts/manifest.js';
import { userRoles, type UserRole } from '../accounts/users.js';
import type { Ontology } from '../ontology/model.js';
import { formatOfFile } from '../rdf/formats.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { openDocumentStore, type DocumentStore } from '../disk/document-files.js';
import { appGraph } from './app-graph.js';
import { attachFiles, type Attached } from './documents/attach.js';
import { folderSource } from './documents/folder-source.js';
import { loadPatient, type Patient } from './loading/load-patient.js';
import { partInput } from './loading/input-graphs.js';
import { readRdfFile, recordIdOfFile } from './loading/read-file.js';
import { userGraph } from './user-graph.js';

export interface SeedOptions {
  /** `records/{id}.ttl`, `documents/{id}/`, `apps/*.json`, `users.json`; each may be missing. */
  readonly dir: string;
  readonly primary: PrimaryStore;
  readonly accounts: Accounts;
  readonly ontology: Ontology;
  readonly base: string;
}

/** What was loaded. */
export interface SeedReport {
  readonly records: number;
  readonly apps: number;
  readonly users: number;
  readonly warnings: readonly string[];
}

/** One entry of `users.json`. */
export interface SeedUser {
  readonly user_id: string;
  readonly given_name: string;
  readonly family_name: string;
  readonly role: UserRole;
  readonly records: readonly string[];
  readonly department?: string;
}

/**
 * Loads a seed folder in one change, graph and accounts together, into a data directory that nothing was ever
 * written to. Apps get secrets of their own; users have no password until `user password` sets one.
 * @returns what was loaded, or undefined when the data directory has been in use
 * @throws Error that names the file when anything in the folder cannot be loaded; nothing is stored then
 */
export async function loadSeed(options: SeedOptions): Promise<SeedReport | undefined> {
  const { primary, accounts } = options;
  if (primary.revision('') !== 0) return undefined;
  const files = openDocumentStore(primary.directory);
  const { graphs, patients, apps, users, missing, check } = await readSeed({ ...options, files });
  await primary.write({ replace: graphs, expect: [{ path: '', revision: 0 }] }, (tx) => {
    check(tx);
    for (const { id, mode } of apps) accounts.putApp(tx, { id, mode });
    for (const { user_id: id, role, records } of users) accounts.putUser(tx, { id, role, records });
  });
  const warnings = [...patients.flatMap(({ warnings: own }) => own), ...missing];
  return { records: patients.length, apps: apps.length, users: users.length, warnings };
}

/** A seed folder to be read, and where the files of its documents are put. */
export interface SeedSource extends Pick<SeedOptions, 'dir' | 'ontology' | 'base'> {
  readonly files: Pick<DocumentStore, 'put' | 'has'>;
}

/** What is in a seed folder: the graphs of all of it, and what they were made from. */
export interface SeedContent extends Pick<Attached, 'graphs' | 'missing' | 'check'> {
  readonly patients: readonly Patient[];
  readonly apps: readonly AppManifest[];
  readonly users: readonly SeedUser[];
}

/** Reads a seed folder and stores nothing but files. @throws Error that names what is not there or cannot be read */
export async function readSeed(source: SeedSource): Promise<SeedContent> {
  const { dir, base } = source;
  // Each of its parts may be missing, so a folder that is not there would pass for an empty seed.
  const isFolder = await stat(dir).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Error(`There is no seed folder ${dir}: name one that is there, or use no seed.`);
  const patients = await readSeedPatients(source);
  const apps = await readSeedApps(dir);
  const [users = []] = await each(dir, (name) => name === 'users.json', readUsers);
  const { graphs, missing, check } = await attachDocuments(patients, source);
  const all = [
    ...graphs,
    ...apps.map((manifest) => appGraph(manifest, base)),
    ...users.map((user) => userGraph(publicUser(user), base)),
  ];
  return { graphs: all, missing, check, patients, apps, users };
}

/** Reads the app manifests of a seed folder. @throws Error that names the file that cannot be read */
export function readSeedApps(dir: string): Promise<AppManifest[]> {
  return each(join(dir, 'apps'), (name) => name.endsWith('.json'), readApp);
}

/** Reads the records of a seed folder, without their files. @throws Error that names the file that cannot be read */
export function readSeedPatients(source: Omit<SeedSource, 'files'>): Promise<Patient[]> {
  const files = new Map<string, string>();
  return each(
    join(source.dir, 'records'),
    (name) => formatOfFile(name) !== undefined,
    async (path) => {
      const patient = await readPatient(path, source);
      const other = files.get(patient.recordId);
      if (other !== undefined)
        throw new Error(`record ${patient.recordId} is in ${other} as well; put all of it into one file`);
      files.set(patient.recordId, path);
      return patient;
    },
  );
}

async function readPatient(path: string, { ontology, base }: Omit<SeedSource, 'files'>): Promise<Patient> {
  const fallbackId = recordIdOfFile(path);
  const { records } = partInput(await readRdfFile(path, base, fallbackId), base);
  const [own, second] = records;
  if (!own || second) throw new Error('a seed file holds one record');
  return loadPatient({ inputGraphs: own.inputGraphs, recordId: own.recordId, fallbackId, ontology, base });
}

/** Gives the documents of the patients their files. @throws Error that names the folder */
async function attachDocuments(
  patients: readonly Patient[],
  { dir, files: store, ontology, base }: SeedSource,
): Promise<Attached> {
  const folder = join(dir, 'documents');
  const graphs = patients.flatMap(({ graphs: own }) => own);
  try {
    const source = (await namesIn(folder)).length === 0 ? undefined : await folderSource(folder);
    return await attachFiles(graphs, { ontology, base, store, source, stored: () => undefined });
  } catch (cause) {
    throw new Error(
      `The seed folder ${folder} cannot be loaded: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  }
}

async function readApp(path: string): Promise<AppManifest> {
  return readManifest(JSON.parse(await readFile(path, 'utf8')));
}

/** Reads `users.json`. @throws Error, without the name of the file, when it is not what it should be */
export async function readUsers(path: string): Promise<SeedUser[]> {
  const users: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!Array.isArray(users) || !users.every(isSeedUser)) {
    throw new Error('it must be a list of objects with user_id, given_name, family_name, role and records');
  }
  return users;
}

function isSeedUser(value: unknown): value is SeedUser {
  const user = (typeof value === 'object' && value !== null ? value : {}) as Record<keyof SeedUser, unknown>;
  const { records, role, department = '' } = user;
  return (
    [user.user_id, user.given_name, user.family_name, department].every((text) => typeof text === 'string') &&
    userRoles.some((known) => known === role) &&
    Array.isArray(records) &&
    records.every((record) => typeof record === 'string')
  );
}

function publicUser(user: SeedUser) {
  const { user_id: id, given_name: givenName, family_name: familyName, role, department } = user;
  return { id, givenName, familyName, role, department };
}

/** Reads the chosen files of a folder in the order of their names; an error names the file. */
async function each<T>(
  dir: string,
  wanted: (name: string) => boolean,
  read: (path: string) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (const name of (await namesIn(dir)).filter(wanted)) {
    const path = join(dir, name);
    try {
      results.push(await read(path));
    } catch (cause) {
      throw new Error(
        `The seed file ${path} cannot be loaded: ${cause instanceof Error ? cause.message : cause}`,
        { cause },
      );
    }
  }
  return results;
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
