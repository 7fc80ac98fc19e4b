import { createSecretKey } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deidentifier } from '../../src/analysts/deidentify/view.js';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { openDocumentStore } from '../../src/store/documents/document-files.js';
import { sweepDocuments } from '../../src/store/documents/sweep-documents.js';
import { namedNode, type Quad } from '../../src/rdf/terms.js';
import { dcterms, prov, rdf, sp } from '../../src/rdf/vocabulary.js';
import { contentKeyOf, referencedContents } from '../../src/records/documents/content-key.js';
import { exportRdf } from '../../src/records/export-data.js';
import { removeRecord } from '../../src/records/remove-record.js';
import { keepHistory } from '../../src/store/history.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { sweepHistory } from '../../src/store/sweep-history.js';
import { validateResource } from '../../src/model/validate/resource.js';
import { base } from '../records/support.js';
import { everything, fhirPlace, ontology, resources } from './support.js';

const keepSource = true;
const record = `${base}/records/p1`;
const problem = `${record}/problems/c1`;

/** The document that a statement says it was derived from. */
function sourceOf(primary: PrimaryStore, statement: string): string | undefined {
  return primary.graph(statement)?.find(({ predicate }) => predicate.value === prov.wasDerivedFrom)?.object
    .value;
}

async function textOf(primary: PrimaryStore, document = ''): Promise<string> {
  const key = contentKeyOf(primary.graph(document) ?? [], namedNode(document));
  if (!key) throw new Error(`${document} has no file`);
  return (await openDocumentStore(primary.directory).read(key)).toString();
}

/** How many files are referred to, once the history does not refer to any. */
async function filesOfThePresent({ directory }: PrimaryStore): Promise<number> {
  await directory.transact((tx) => keepHistory(tx, 'off', Date.now()));
  await sweepHistory(directory, Date.now());
  return directory.read(referencedContents).size;
}

const kept = (primary: PrimaryStore): string[] =>
  primary.names(`${record}/documents/`).filter((name) => name.includes('/documents/fhir-'));

describe('the resource that a statement was made of', () => {
  it('is kept as a valid document of the record, to which the statement leads', async () => {
    const { load, primary } = await fhirPlace();
    const { report } = await load(everything, { keepSource });
    expect(report.invalid).toEqual({});
    const statements = primary.names(`${record}/`).filter((name) => !name.includes('/documents/fhir-'));
    const sources = statements.map((name) => sourceOf(primary, name));
    expect(statements.length).toBe(20);
    expect(kept(primary)).toEqual([...new Set(sources)].sort());
    for (const name of [...statements, ...kept(primary)])
      expect(validateResource(ontology, namedNode(name), primary.graph(name) ?? [])).toEqual([]);
    expect(JSON.parse(await textOf(primary, sourceOf(primary, problem)))).toEqual(resources.condition);
    expect(JSON.parse(await textOf(primary, sourceOf(primary, `${record}/social_history`)))).toEqual(
      resources.smoking,
    );
  });

  it('is kept with every digit', async () => {
    const { load, primary } = await fhirPlace();
    await load([resources.patient]);
    await load(JSON.stringify(resources.laboratory).replace('"value":140,', '"value":140.00,'), {
      keepSource,
    });
    expect(await textOf(primary, sourceOf(primary, `${record}/lab_results/l1`))).toContain('"value":140.00,');
  });

  it('is not written again when it is loaded again', async () => {
    const { load, primary } = await fhirPlace();
    await load(everything, { keepSource });
    const before = primary.revision('');
    expect(await load(everything, { keepSource })).toMatchObject({ changed: false });
    expect(primary.revision('')).toBe(before);
  });

  it('gives way to its later version', async () => {
    const { load, primary } = await fhirPlace();
    const later = {
      ...resources.condition,
      onsetDateTime: '2013',
      meta: { lastUpdated: '2024-05-06T07:08:09Z' },
    };
    await load([resources.patient]);
    await load([resources.condition], { keepSource });
    const first = sourceOf(primary, problem);
    await load([later], { keepSource });
    expect([sourceOf(primary, problem), kept(primary)]).toEqual([first, [first]]);
    expect(JSON.parse(await textOf(primary, first))).toEqual(later);
    const date = primary.graph(first ?? '')?.find(({ predicate }) => predicate.value === dcterms.date);
    expect(date?.object.value).toBe('2024-05-06T07:08:09Z');
    expect(await filesOfThePresent(primary)).toBe(1);
  });

  it('goes with its statement, and when it is loaded without being kept', async () => {
    const { load, primary } = await fhirPlace();
    await load([resources.patient]);
    await load([resources.condition, resources.procedure], { keepSource });
    expect(kept(primary).length).toBe(2);
    await load([{ ...resources.condition, verificationStatus: { coding: [{ code: 'entered-in-error' }] } }], {
      keepSource,
    });
    expect([primary.has(problem), kept(primary).length]).toEqual([false, 1]);
    await load([resources.procedure]);
    expect([sourceOf(primary, `${record}/procedures/o1`), kept(primary)]).toEqual([undefined, []]);
    expect(await filesOfThePresent(primary)).toBe(0);
  });

  it('stays with its statement where a newer version is left out, and goes where that is loaded without being kept', async () => {
    const { load, primary } = await fhirPlace();
    const social = `${record}/social_history`;
    await load([resources.patient]);
    await load([resources.condition, resources.smoking], { keepSource });
    const before = [sourceOf(primary, problem), sourceOf(primary, social)];
    await load([{ ...resources.condition, onsetDateTime: 'soon' }]);
    expect([sourceOf(primary, problem), sourceOf(primary, social)]).toEqual(before);
    expect(kept(primary)).toEqual(before.toSorted());
    await load([resources.condition, resources.smoking]);
    expect([sourceOf(primary, problem), sourceOf(primary, social)]).toEqual([undefined, undefined]);
    expect(kept(primary)).toEqual([]);
  });

  it('is in a backup, and back after a restore, in another data directory too', async () => {
    const { load, primary } = await fhirPlace();
    await load(everything, { keepSource });
    const names = kept(primary);
    const file = join(primary.directory.documentsDir, '..', '..', 'backup');
    const key = { kind: 'secret', secret: Buffer.alloc(32, 9) } as const;
    await writeBackup(primary.directory, file, { key });
    const other = (await fhirPlace()).primary;
    await restoreBackup(other.directory, file, { key });
    const restored = openPrimaryStore(other.directory, base);
    expect(kept(restored)).toEqual(names);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(await textOf(restored, name)).toBe(await textOf(primary, name));
    expect(sourceOf(restored, problem)).toBe(sourceOf(primary, problem));
  });

  it('goes with the record that it is of, its file at the next sweep after the history of the record', async () => {
    const { load, primary } = await fhirPlace();
    await load(everything, { keepSource });
    const { directory } = primary;
    const files = openDocumentStore(directory);
    const sweep = () => sweepDocuments(directory, referencedContents, { age: 0, now: Date.now() + 60_000 });
    const all = await files.list();
    expect(all.length).toBeGreaterThan(10);
    expect(await removeRecord(primary, base, 'p1')).toMatchObject({ existed: true });
    expect(kept(primary)).toEqual([]);
    await sweep();
    expect(await files.list()).toEqual(all);
    expect(await removeRecord(primary, base, 'p1', true)).toMatchObject({ existed: true });
    await sweep();
    expect(await files.list()).toEqual([]);
  });

  it('is in an export of its record, with what leads to it', async () => {
    const { load, primary } = await fhirPlace();
    await load(everything, { keepSource });
    let text = '';
    for await (const chunk of exportRdf({ primary, ontology, base, format: 'nquads', recordId: 'p1' }))
      text += chunk;
    const source = sourceOf(primary, problem) ?? '';
    expect(text).toContain(`<${problem}> <${prov.wasDerivedFrom}> <${source}> <${problem}> .`);
    for (const name of kept(primary)) expect(text).toContain(`<${name}> <${rdf.type}>`);
  });

  it('is nothing that analysts see who may not know who a person is', async () => {
    const { load, primary } = await fhirPlace();
    await load([resources.patient, resources.condition], { keepSource });
    const key = createSecretKey(Buffer.alloc(32, 7));
    const view = deidentifier({ ontology, base, key, readGraph: (name) => primary.graph(name) ?? [] });
    const shown = (name: string): readonly Quad[] => view.quadsOf(name, primary.graph(name) ?? []);
    const predicates = (name: string): string[] => shown(name).map(({ predicate }) => predicate.value);
    expect(predicates(problem)).toContain(sp.problemName);
    expect(predicates(problem)).not.toContain(prov.wasDerivedFrom);
    const source = sourceOf(primary, problem) ?? '';
    expect(new Set(predicates(source))).not.toContain(sp.fileName);
    expect(
      shown(source)
        .filter(({ predicate }) => predicate.value !== rdf.type)
        .map(({ object }) => object.value)
        .join(' '),
    ).not.toMatch(/[0-9a-f]{64}|Condition/u);
  });

  it('is not asked for of an ontology that has no place for it', async () => {
    const { load } = await fhirPlace();
    const properties = new Map(ontology.properties);
    properties.delete(prov.wasDerivedFrom);
    await expect(
      load([resources.condition], { keepSource, ontology: { ...ontology, properties } }),
    ).rejects.toThrow(/add both, or load without --keep-source/u);
  });
});
