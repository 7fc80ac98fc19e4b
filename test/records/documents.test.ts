import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDocumentStore } from '../../src/store/documents/document-files.js';
import { cg } from '../../src/rdf/vocabulary.js';
import { nameFault } from '../../src/records/documents/folder-source.js';
import { place, record } from './support.js';

const document = (name: string, id = 'd', title = 'A file'): string =>
  `<documents/${id}> a sp:Document ; dcterms:title "${title}" ; dcterms:date "2020" ; sp:fileName ${JSON.stringify(name)} ;
   dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
   <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;

async function placeWithFiles(files: Record<string, string>) {
  const here = await place();
  const documents = join(here.dir, 'files');
  await mkdir(documents);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(documents, name, '..'), { recursive: true });
    await writeFile(join(documents, name), content);
  }
  const store = openDocumentStore(here.directory);
  /** The bytes of a document of record 7, as its graph refers to them. */
  const bytes = async (id = 'd'): Promise<string | undefined> => {
    const quads = here.primary.graph(`${record}/documents/${id}`) ?? [];
    const value = (property: string): string =>
      quads.find(({ predicate }) => predicate.value === property)?.object.value ?? '';
    const sha256 = value(cg.sha256);
    if (sha256 === '') return undefined;
    return (await store.read({ sha256, size: Number(value(cg.byteSize)) })).toString();
  };
  return { ...here, documents, store, bytes };
}

describe('loading documents with their files', () => {
  it('brings in the file that the document names', async () => {
    const { load, documents, bytes } = await placeWithFiles({ 'a.txt': 'content of a' });
    const report = await load('7.ttl', document('a.txt'), { documents });
    expect(report).toMatchObject({ status: 'loaded', errors: [], warnings: [], notes: [] });
    expect(await bytes()).toBe('content of a');
  });

  it('finds a file in the folder of the record before one beside it', async () => {
    const { load, documents, bytes } = await placeWithFiles({
      'a.txt': 'anybody',
      '7/a.txt': 'record 7',
      '8/a.txt': 'other',
    });
    await load('7.ttl', document('a.txt'), { documents });
    expect(await bytes()).toBe('record 7');
  });

  it('finds a file in a folder that its name goes through', async () => {
    const { load, documents, bytes } = await placeWithFiles({ '7/scans/a.txt': 'scanned' });
    await load('7.ttl', document('scans/a.txt'), { documents });
    expect(await bytes()).toBe('scanned');
  });

  it.each(['8/a.txt', 'shared/a.txt'])(
    'finds no file of a folder beside that of the record: %s',
    async (name) => {
      const { load, documents, bytes } = await placeWithFiles({
        [name]: 'of somebody else',
        '7/b.txt': 'own',
      });
      const report = await load('7.ttl', document(name), { documents });
      const reason = `${record}/documents/d: There is no file "${name}" in the folder of record 7; a name with folders is looked for only there.`;
      expect(report).toMatchObject({ status: 'loaded', warnings: [{ line: null, reason }] });
      expect(await bytes()).toBeUndefined();
      expect((await load('7.ttl', document(name), { documents, strict: true })).status).toBe('refused');
    },
  );

  it('warns of a file that is not there, which is an error under --strict', async () => {
    const { load, documents, bytes } = await placeWithFiles({});
    const report = await load('7.ttl', document('none.txt'), { documents });
    expect(report).toMatchObject({
      status: 'loaded',
      warnings: [{ reason: expect.stringContaining('no file "none.txt"') }],
    });
    expect(await bytes()).toBeUndefined();
    expect((await load('7.ttl', document('none.txt'), { documents, strict: true })).status).toBe('refused');
  });

  it('without a folder a note says how many documents have no file', async () => {
    const { load } = await placeWithFiles({});
    const report = await load('7.ttl', document('a.txt') + document('b.txt', 'e'));
    expect(report).toMatchObject({
      status: 'loaded',
      warnings: [],
      notes: [expect.stringMatching(/^2 documents have no file/)],
    });
  });

  it('a document that is loaded again keeps its file, unless it names another one', async () => {
    const { load, documents, bytes } = await placeWithFiles({ 'a.txt': 'content of a' });
    await load('7.ttl', document('a.txt'), { documents });
    expect((await load('7.ttl', document('a.txt'))).status).toBe('unchanged');
    await load('7.ttl', document('a.txt', 'd', 'Another title'));
    expect(await bytes()).toBe('content of a');
    await load('7.ttl', document('b.txt'));
    expect(await bytes()).toBeUndefined();
  });

  it('a file that changed is a change', async () => {
    const { load, documents, bytes } = await placeWithFiles({ 'a.txt': 'before' });
    await load('7.ttl', document('a.txt'), { documents });
    await writeFile(join(documents, 'a.txt'), 'after');
    expect((await load('7.ttl', document('a.txt'), { documents })).status).toBe('loaded');
    expect(await bytes()).toBe('after');
    expect((await load('7.ttl', document('a.txt'), { documents })).status).toBe('unchanged');
  });

  it('believes no hash in the file that is loaded', async () => {
    const { load, store, bytes } = await placeWithFiles({});
    const { sha256 } = await store.put([Buffer.from('of somebody else')]);
    await load('7.ttl', `${document('a.txt')} <documents/d> cg:sha256 "${sha256}" ; cg:byteSize 16 .`);
    expect(await bytes()).toBeUndefined();
  });

  it('puts a file again that was swept before its graph was stored', async () => {
    const { load, documents, store, primary, bytes } = await placeWithFiles({ 'a.txt': 'swept once' });
    let swept = false;
    const racing = {
      ...primary,
      write: async (...[change, also]: Parameters<typeof primary.write>) => {
        for (const { sha256 } of swept ? [] : await store.list()) await rm(store.path(sha256));
        swept = true;
        return primary.write(change, also);
      },
    };
    expect((await load('7.ttl', document('a.txt'), { documents, primary: racing })).status).toBe('loaded');
    expect(await bytes()).toBe('swept once');
  });
});

describe('file names that lead elsewhere', () => {
  it.each([
    ['../secret.txt', /".." segments/],
    ['a/../../secret.txt', /".." segments/],
    ['/etc/passwd', /absolute/],
    ['C:\\secret.txt', /backslash/],
    ['c:secret.txt', /absolute/],
    ['..\\secret.txt', /backslash/],
    ['.', /segments/],
    ['a//b', /segments/],
    ['', /empty/],
  ])('%j refuses the whole file', async (name, reason) => {
    const { load, documents, primary } = await placeWithFiles({ 'a.txt': 'x' });
    await writeFile(join(documents, '..', 'secret.txt'), 'a secret');
    const report = await load('7.ttl', document(name), { documents });
    expect(report.status).toBe('refused');
    expect(report.errors[0]?.reason).toMatch(reason);
    expect(primary.names(`${record}/`)).toEqual([]);
  });

  it('NUL has no place in a name', () => {
    expect(nameFault('a\0.txt')).toMatch(/NUL/);
  });

  it.each(['file', 'folder'])('a link to a %s outside is refused, one inside is followed', async (kind) => {
    const { load, documents, bytes } = await placeWithFiles({ 'real.txt': 'inside' });
    const outside = join(documents, '..', 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'a.txt'), 'a secret');
    const name = kind === 'file' ? 'a.txt' : 'linked/a.txt';
    await mkdir(join(documents, '7'));
    if (kind === 'file') await symlink(join(outside, 'a.txt'), join(documents, 'a.txt'));
    else await symlink(outside, join(documents, '7', 'linked'));
    const report = await load('7.ttl', document(name), { documents });
    expect(report).toMatchObject({
      status: 'refused',
      errors: [{ reason: expect.stringContaining('leads out') }],
    });
    await symlink(join(documents, 'real.txt'), join(documents, 'within.txt'));
    await load('7.ttl', document('within.txt'), { documents });
    expect(await bytes()).toBe('inside');
  });

  it('a pipe or a folder is no file, and is not waited for', async () => {
    const { load, documents } = await placeWithFiles({});
    execFileSync('mkfifo', [join(documents, 'pipe.txt')]);
    await mkdir(join(documents, 'folder.txt'));
    for (const name of ['pipe.txt', 'folder.txt']) {
      const report = await load('7.ttl', document(name), { documents });
      expect(report).toMatchObject({
        status: 'refused',
        errors: [{ reason: expect.stringContaining('is not a file') }],
      });
    }
  });

  it('a folder that is not there refuses the file', async () => {
    const { load, documents } = await placeWithFiles({});
    const report = await load('7.ttl', document('a.txt'), { documents: `${documents}-none` });
    expect(report).toMatchObject({
      status: 'refused',
      errors: [{ reason: expect.stringContaining('cannot be read') }],
    });
  });

  it('a record that names no file needs none', async () => {
    const { load, documents, directory } = await placeWithFiles({ 'stray.txt': 'named by nobody' });
    const report = await load('7.ttl', '[] a sp:SocialHistory .', { documents });
    expect(report).toMatchObject({ status: 'loaded', statements: 1, warnings: [], errors: [] });
    expect(await readdir(directory.documentsDir, { recursive: true })).toEqual([]);
  });
});
