import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Accounts } from '../access/accounts/accounts.js';
import { readManifest, type AppManifest } from '../access/accounts/manifest.js';
import { userRoles, type UserRole } from '../access/accounts/users.js';
import type { Ontology } from '../model/ontology/model.js';
import { formatOfFile } from '../rdf/formats.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { openDocumentStore, type DocumentStore } from '../store/documents/document-files.js';
import { appGraph } from './app-graph.js';
import { attachFiles, type Attached } from './documents/attach.js';
import { folderSource } from './documents/folder-source.js';
import { loadPatient, type Patient } from './loading/load-patient.js';
import { partInput } from './loading/input-graphs.js';
import { readRdfFile, recordIdOfFile } from './loading/read-file.js';
import { userGraph } from './user-graph.js';
import { termKey } from '../rdf/term-key.js';
import type { Quad } from '../rdf/terms.js';
import { recordIds } from './record-names.js';
import { recordIri } from './resource-paths.js';

interface SeedOptions {
  /** `records/{id}.ttl`, `documents/{id}/`, `apps/*.json`, `users.json`; each may be missing. */
  readonly dir: string;
  readonly primary: PrimaryStore;
  readonly accounts: Accounts;
  readonly ontology: Ontology;
  readonly base: string;
}

interface SeedUser {
  readonly user_id: string;
  readonly given_name: string;
  readonly family_name: string;
  readonly role: UserRole;
  readonly records: readonly string[];
  readonly department?: string;
}

/**
 * Loads a seed folder, graph and accounts together, into an unused data directory. Apps get new secrets; users have no
 * password until `user password` sets one.
 * @returns undefined when the directory has been in use
 * @throws Error that names the file at fault; nothing is stored then
 */
export async function loadSeed(options: SeedOptions) {
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

interface SeedSource extends Pick<SeedOptions, 'dir' | 'ontology' | 'base'> {
  readonly files: Pick<DocumentStore, 'put' | 'has'>;
}

export interface SeedContent extends Pick<Attached, 'graphs' | 'missing' | 'check'> {
  readonly patients: readonly Patient[];
  readonly apps: readonly AppManifest[];
  readonly users: readonly SeedUser[];
}

/** Reads a seed folder, storing only document files. @throws Error that names what cannot be read */
export async function readSeed(source: SeedSource): Promise<SeedContent> {
  const { dir, base } = source;
  // Every part may be missing, so a missing folder would pass for an empty seed.
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

export function readSeedApps(dir: string): Promise<AppManifest[]> {
  return each(
    join(dir, 'apps'),
    (name) => name.endsWith('.json'),
    async (path) => readManifest(JSON.parse(await readFile(path, 'utf8'))),
  );
}

/** Reads a seed folder's records without their files. @throws Error that names the file at fault */
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

/** @throws Error without the file's name */
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

async function each<T>(dir: string, wanted: (name: string) => boolean, read: (path: string) => Promise<T>) {
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

/** Returns a check that every record is still a seed's person. @throws Error that names an unreadable file */
export async function demoDataTest(
  primary: PrimaryStore,
  { dir, ontology }: { readonly dir: string; readonly ontology: Ontology },
): Promise<() => boolean> {
  const { base } = primary;
  const patients = await readSeedPatients({ dir, ontology, base });
  const invented = new Map(
    patients.flatMap(({ graphs }) => graphs.map(({ name, quads }) => [name, contentOf(quads)])),
  );
  return () =>
    recordIds(primary, base).every((id) => {
      const name = `${recordIri(base, id)}/demographics`;
      const own = invented.get(name);
      return own !== undefined && own === contentOf(primary.graph(name) ?? []);
    });
}

function contentOf(quads: readonly Quad[]): string {
  const values = quads.map(
    ({ predicate, object }) => `${predicate.value} ${object.termType === 'BlankNode' ? '' : termKey(object)}`,
  );
  return values.sort().join('\n');
}
