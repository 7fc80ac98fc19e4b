import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import type { Ontology } from '../../src/model/ontology/model.js';
import { compilePlan } from '../../src/model/query/check/compile-plan.js';
import { RUN_AS_IT_STANDS, type ReadPlan } from '../../src/model/query/read-plan.js';
import { treeOrFault } from '../../src/model/query/syntax.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { prefixes } from '../../src/rdf/vocabulary.js';
import type { Quad } from '../../src/rdf/terms.js';
import { loadFile, type FileReport, type LoadOptions } from '../../src/records/load-file.js';
import { deriveIndex } from '../../src/records/search-index.js';
import { loadPatient, type Patient } from '../../src/records/loading/load-patient.js';
import { partInput } from '../../src/records/loading/input-graphs.js';
import { openEmbeddedStore, type EmbeddedStore } from '../../src/store/embedded-store.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { temporaryFolder } from '../store/disk/temporary.js';

export const base = 'http://chart.test';
export const record = `${base}/records/7`;

export const { ontology, quads: ontologyQuads } = await loadOntology(
  resolve(import.meta.dirname, '../../ontology'),
);

/** The plan of a query. */
export function planOf(sparql: string): ReadPlan {
  const tree = treeOrFault(sparql, 'construct');
  return 'reason' in tree ? RUN_AS_IT_STANDS : compilePlan(tree, sparql);
}

/** A short statement for each class that tests use, in Turtle with the prefixes of the project. */
export const turtlePrefixes = Object.entries(prefixes)
  .map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .`)
  .join('\n');

export const problem = (name: string, start: string, more = ''): string =>
  `a sp:Problem ; sp:problemName [ a sp:CodedValue ; dcterms:title "${name}" ; sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/${name.length}> ] ; sp:startDate "${start}" ${more} .\n` +
  `<http://purl.bioontology.org/ontology/SNOMEDCT/${name.length}> a sp:Code, spcode:SNOMED ; dcterms:title "${name}" ; sp:system "http://purl.bioontology.org/ontology/SNOMEDCT/" ; dcterms:identifier "${name.length}" .\n`;

export function turtle(text: string): Promise<Quad[]> {
  return parseRdf(`${turtlePrefixes}\n${text}`, { format: 'turtle', baseIRI: `${record}/` });
}

/** Puts quads through the loader without a store. */
export function patientOf(quads: readonly Quad[], model: Ontology = ontology): Patient {
  const [own] = partInput(quads, base).records;
  return loadPatient({
    inputGraphs: own?.inputGraphs ?? [],
    recordId: own?.recordId,
    fallbackId: '7',
    ontology: model,
    base,
  });
}

export async function patient(text: string): Promise<Patient> {
  return patientOf(await turtle(text));
}

/** Names of the statements of a patient below the record, sorted. */
export function names({ graphs }: Patient): string[] {
  return graphs
    .slice(1)
    .map(({ name }) => name.slice(record.length + 1))
    .sort();
}

export interface Place {
  readonly dir: string;
  readonly directory: DataDirectory;
  readonly primary: PrimaryStore;
  /** Writes a file (Turtle gets the prefixes) and loads it. */
  load(name: string, content: string | Uint8Array, options?: Partial<LoadOptions>): Promise<FileReport>;
  loadPath(path: string, options?: Partial<LoadOptions>): Promise<FileReport>;
}

/** A data directory of its own for one test. */
export async function place(): Promise<Place> {
  const dir = await mkdtemp(join(tmpdir(), 'chartgraph-records-'));
  const directory = await openDataDirectory(join(dir, 'data'), { create: true });
  onTestFinished(async () => {
    await directory.close();
    await rm(dir, { recursive: true, force: true });
  });
  const primary = openPrimaryStore(directory, base);
  const loadPath = (path: string, options: Partial<LoadOptions> = {}): Promise<FileReport> =>
    loadFile({ path, primary, ontology, base, ...options });
  return {
    dir,
    directory,
    primary,
    loadPath,
    async load(name, content, options) {
      const path = join(dir, name);
      const prefixed = name.endsWith('.ttl') && typeof content === 'string';
      await writeFile(path, prefixed ? `${turtlePrefixes}\n${content}` : content);
      return loadPath(path, options);
    },
  };
}

/** An embedded store on a directory of its own, which ends with the test. */
export async function storeOf(graphs: readonly NamedGraph[]): Promise<EmbeddedStore> {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  const store = await openEmbeddedStore({ directory, base, derive: deriveIndex(ontology) });
  onTestFinished(() => store.close());
  await store.write({ replace: graphs });
  return store;
}
