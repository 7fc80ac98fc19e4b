import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type * as Threads from '../../src/fhir/mapping-threads.js';
import type { MappingQuery } from '../../src/fhir/mapping.js';
import { run } from '../cli/run.js';
import { fhirPlace, fileOf, resources } from './support.js';

// A thread runs what has been built.
const { MappingThreads } = (await import(
  new URL('../../dist/fhir/mapping-threads.js', import.meta.url).href
)) as typeof Threads;

const tables = '<urn:row> <urn:of> "table" .\n';
const query = (text: string) =>
  ({
    text,
    sources: [] as string[],
    read: { types: new Map(), nodes: new Map() },
  }) as unknown as MappingQuery;
const all = query('CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }');
const chunks = (name: string) => [1, 2].map((part) => `<urn:${name}> <urn:part> "${part}" .\n`);

describe('threads that map', () => {
  test('give of each batch what is made of it here, in the order of the batches', async () => {
    const threads = new MappingThreads(tables, 2);
    try {
      const names = ['a', 'b', 'c', 'd', 'e'];
      const made = await Promise.all(names.map((name) => threads.map([all], chunks(name))));
      const here = new MappingThreads(tables, 0);
      const expected = await Promise.all(names.map((name) => here.map([all], chunks(name))));
      const lines = (mapped: typeof made): string[][] =>
        mapped.map(([{ quads } = { quads: [] }]) =>
          quads.map(({ subject, object }) => `${subject.value} ${object.value}`).sort(),
        );
      expect(lines(made)).toEqual(lines(expected));
      expect(lines(made)[4]).toEqual(['urn:e 1', 'urn:e 2', 'urn:row table']);
    } finally {
      await threads.close();
    }
  });

  test('tell all that wait when an engine fails', async () => {
    const threads = new MappingThreads(tables, 1);
    try {
      const broken = query('CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <urn:nowhere> { ?s ?p ?o } }');
      const settled = await Promise.allSettled([
        threads.map([broken], chunks('a')),
        threads.map([all], chunks('b')),
      ]);
      expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      await expect(threads.map([all], chunks('c'))).rejects.toThrow();
    } finally {
      await threads.close();
    }
  });
});

test('a load of several batches says the same whether or not threads map them', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'chartgraph-batches-'));
  try {
    const { laboratory, patient } = resources;
    const results = Array.from({ length: 100 }, (_, at) => ({ ...laboratory, id: `result-${at}` }));
    // Nothing is made of them, but they fill a batch, and with words enough for a thread.
    const words = { text: 'Something else. '.repeat(20) };
    const others = Array.from({ length: 2_000 }, (_, at) => ({
      resourceType: 'Observation',
      id: `other-${at}`,
      status: 'final',
      code: words,
    }));
    // A later version in another batch, and one that takes the statement of an earlier batch out.
    const later = [
      { ...laboratory, id: 'result-1', status: 'amended' },
      { ...laboratory, id: 'result-2', status: 'entered-in-error' },
    ];
    const text = [patient, ...results, ...others, ...later].map((one) => JSON.stringify(one)).join('\n');
    writeFileSync(join(cwd, 'all.ndjson'), text);
    const { code, stdout } = await run(['load', 'all.ndjson', '--json'], { cwd });
    expect(code).toBe(0);
    const { files } = JSON.parse(stdout) as { files: { fhir: object }[] };
    const { load } = await fhirPlace();
    const here = await load([], { files: [fileOf(text)] });
    expect(files[0]?.fhir).toEqual(here.report);
    const { stdout: records } = await run(['record', 'list', '--json'], { cwd });
    expect(JSON.parse(records)).toMatchObject([{ statements: 1 + 100 - 1 }]);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
});
