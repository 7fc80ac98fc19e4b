import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { prefixes, rdf, sp } from '../../src/rdf/vocabulary.js';
import { loadFile } from '../../src/records/load-file.js';
import { openEmbeddedStore } from '../../src/store/embedded-store.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { sharedData } from '../shared-data.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';
import { readRdfXml, subjectsOf } from './rdfxml.js';

const readme = sharedData('sample-patients', 'README.md');
const { ontology } = await loadOntology(resolve(import.meta.dirname, '..', '..', 'ontology'));

interface Count {
  readonly record: string;
  readonly className: string;
  readonly expected: number;
}

/** The cells of the README's table: how many statements of a class a record has. */
function tableOf(text: string): Count[] {
  const cells = (line: string): string[] =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.replaceAll('*', '').trim());
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cells);
  const header = rows.find(([first]) => first === 'class') ?? [];
  return rows.flatMap(([className = '', ...numbers]) =>
    ontology.classes.get(prefixes.sp + className)?.kind === 'statement'
      ? numbers.flatMap((cell, column) => {
          const record = header[column + 1] ?? '';
          return /^\d+$/.test(record)
            ? [{ record, className, expected: cell === '.' ? 0 : Number(cell) }]
            : [];
        })
      : [],
  );
}

const table = readme === undefined ? [] : tableOf(readFileSync(readme, 'utf8'));
const records = [...new Set(table.map(({ record }) => record))];
const reads = ontology.calls.filter(
  ({ method, answer, target }) => method === 'GET' && answer === 'rdf' && target.startsWith(prefixes.sp),
);
const lists = new Map(
  reads
    .filter(({ scope, cardinality }) => scope === 'record' && cardinality === 'multiple')
    .map((call) => [call.target.slice(prefixes.sp.length), call.path]),
);
// Exclusions are listed among the allergies; what a record has one of is answered by a call of its own.
lists.set('AllergyExclusion', lists.get('Allergy') ?? '');
for (const { path, target, pathParameters } of reads) {
  if (pathParameters.join() === 'record_id' && target !== sp.MedicalRecord)
    lists.set(target.slice(prefixes.sp.length), path);
}

const rdflib = (() => {
  const { status } = spawnSync('python3', ['-c', 'import rdflib']);
  return status === 0;
})();

/** How many triples Python's rdflib reads in a text, and how many subjects of a class. */
function readWithRdflib(text: string, className: string): unknown {
  const program = [
    'import sys, json, rdflib',
    'g = rdflib.Graph().parse(data=sys.stdin.buffer.read(), format="xml")',
    `c = rdflib.URIRef("${prefixes.sp}" + sys.argv[1])`,
    'print(json.dumps([len(g), len(set(g.subjects(rdflib.RDF.type, c)))]))',
  ].join('\n');
  const { stdout } = spawnSync('python3', ['-c', program, className], { input: text, encoding: 'utf8' });
  return JSON.parse(stdout);
}

describe.skipIf(readme === undefined)(
  'the sample patients over HTTP (skipped where they are not beside the project)',
  () => {
    let folder: string;
    let container: TestContainer;
    const tokens = new Map<string, Credentials>();

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'chartgraph-samples-'));
      // The apps come with the seed; what is loaded beside a running server is served.
      container = await startTestContainer();
      const directory = await openDataDirectory(container.data, { store: container.store });
      const primary = openPrimaryStore(directory, container.url);
      for (const record of records) {
        const path = sharedData('sample-patients', `p${record}.xml`) ?? '';
        const report = await loadFile({ path, primary, ontology, base: container.url });
        expect(report).toMatchObject({ record_id: record, status: 'loaded', errors: [] });
      }
      await directory.close();
      for (const record of records) tokens.set(record, await container.token(record));
    });
    afterAll(async () => {
      await container.stop();
      await rm(folder, { recursive: true });
    });

    async function answer(record: string, path: string): Promise<{ status: number; text: string }> {
      const response = await container.request(path.replace('{record_id}', record), {
        as: tokens.get(record),
      });
      return { status: response.status, text: await response.text() };
    }

    it('are eight, with counts for every class of the README', () => {
      expect(records).toHaveLength(8);
      expect(table.length % 8).toBe(0);
      expect(table.filter(({ className }) => lists.has(className)).length).toBeGreaterThan(100);
    });

    it.each([...lists])(
      'every record answers with as many statements of %s as are counted (%s)',
      async (className, path) => {
        const found: Count[] = [];
        const expected = table.filter((count) => count.className === className);
        expect(expected).toHaveLength(8);
        for (const { record } of expected) {
          const { status, text } = await answer(record, path);
          expect(status).toBe(200);
          const quads = await readRdfXml(text);
          const subjects = subjectsOf(quads, className);
          for (const subject of subjects) expect(subject).toContain(`${container.url}/records/${record}/`);
          const [summary] = quads.filter(({ predicate }) => predicate.value.endsWith('#totalResultCount'));
          if (summary && !className.startsWith('Allergy'))
            expect(summary.object.value).toBe(`${subjects.length}`);
          found.push({ record, className, expected: subjects.length });
        }
        expect(found).toEqual(expected);
      },
    );

    it('hold as many statements of the classes without such a call', async () => {
      const expected = table.filter(({ className }) => !lists.has(className));
      const directory = await openDataDirectory(container.data, { store: container.store });
      const store = await openEmbeddedStore({ directory, base: container.url });
      const found: Count[] = [];
      for (const { record, className } of expected) {
        const rows = await store.select(
          `SELECT (COUNT(?s) AS ?count) { GRAPH ?s {
             ?s <${prefixes.sp}belongsTo> <${container.url}/records/${record}> ; <${rdf.type}> <${prefixes.sp}${className}> } }`,
        );
        found.push({ record, className, expected: Number(rows[0]?.['count']?.value) });
      }
      await store.close();
      await directory.close();
      expect(found).toEqual(expected);
    });

    it('show bytes of our own as the files that their documents name', async () => {
      const record = '99912345';
      const path = sharedData('sample-patients', `p${record}.xml`) ?? '';
      const names = [...readFileSync(path, 'utf8').matchAll(/<sp:fileName>([^<]+)/g)].map(
        ([, name = '']) => name,
      );
      const documents = join(folder, 'files');
      await mkdir(join(documents, record), { recursive: true });
      for (const name of names) await writeFile(join(documents, record, name), `bytes of ${name}`);
      const directory = await openDataDirectory(container.data, { store: container.store });
      const primary = openPrimaryStore(directory, container.url);
      expect(await loadFile({ path, primary, ontology, base: container.url, documents })).toMatchObject({
        record_id: record,
        status: 'loaded',
        errors: [],
      });
      await directory.close();
      const list = await answer(record, '/records/{record_id}/documents/');
      const found = subjectsOf(await readRdfXml(list.text), 'Document');
      expect(found.length).toBeGreaterThan(0);
      for (const iri of found) {
        const file = await container.request(iri.slice(container.url.length), { as: tokens.get(record) });
        const name = /filename="([^"]+)"/.exec(file.headers.get('Content-Disposition') ?? '')?.[1] ?? '';
        expect(names).toContain(name);
        expect([file.status, await file.text()]).toEqual([200, `bytes of ${name}`]);
      }
    });

    it.skipIf(!rdflib)('read the same with rdflib (skipped where Python does not have it)', async () => {
      const record = '2169591';
      for (const [className, path] of lists) {
        const { status, text } = await answer(record, path);
        if (status !== 200) continue;
        const quads = await readRdfXml(text);
        expect(readWithRdflib(text, className)).toEqual([quads.length, subjectsOf(quads, className).length]);
      }
    });
  },
);
