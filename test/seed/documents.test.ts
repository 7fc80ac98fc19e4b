import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dcterms, mediaTypes, rdf, rdfs, sp } from '../../src/rdf/vocabulary.js';
import { one, readSeedRecords, seedDirectory } from './seed-records.js';

const documents = readSeedRecords().flatMap(({ id, graph, statements }) =>
  statements
    .filter(({ name }) => ['Document', 'Photograph', 'MedicalImage'].includes(name))
    .map(({ node, name }) => ({ id, graph, node, name, file: one(graph, node, sp.fileName) })),
);

/** How the bytes of a media type begin and end; text is read as UTF-8 instead. */
const bytesOf: Record<string, { begin: string; end: string } | 'text'> = {
  'application/pdf': { begin: '%PDF-1.', end: '%%EOF\n' },
  'image/png': { begin: '\x89PNG\r\n\x1a\n', end: 'IEND\xaeB`\x82' },
  'image/jpeg': { begin: '\xff\xd8\xff', end: '\xff\xd9' },
  'text/html': 'text',
  'text/plain': 'text',
};

describe.each(documents)('$name $id/$file', ({ id, graph, node, file }) => {
  const bytes = readFileSync(resolve(seedDirectory, 'documents', id, file));
  const [format] = graph.getObjects(node, dcterms.format, null);
  const label = format === undefined ? '' : one(graph, format, rdfs.label);

  test('names its media type by IRI and label', () => {
    expect(format?.value).toBe(mediaTypes + label);
    expect(format && one(graph, format, rdf.type)).toBe(dcterms.MediaTypeOrExtent);
  });

  test('has bytes of that media type, a few kilobytes at most', () => {
    const shape = bytesOf[label];
    expect(shape).toBeDefined();
    expect(bytes.length).toBeGreaterThan(200);
    expect(bytes.length).toBeLessThan(8_000);
    if (shape === 'text') {
      expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toThrow();
      expect(bytes.toString().startsWith('<!doctype html>')).toBe(label === 'text/html');
    } else {
      const text = bytes.toString('latin1');
      expect(text.startsWith(shape?.begin ?? '-')).toBe(true);
      expect(text.endsWith(shape?.end ?? '-')).toBe(true);
    }
  });

  test('leaves size and resource to the server', () => {
    expect(graph.getObjects(node, sp.fileSize, null)).toEqual([]);
    expect(graph.getObjects(node, sp.resource, null)).toEqual([]);
  });
});

test('a PDF of the seed has a cross-reference table that points at its objects', () => {
  const files = documents.filter(({ file }) => file.endsWith('.pdf'));
  expect(files.length).toBeGreaterThan(0);
  for (const { id, file } of files) {
    const text = readFileSync(resolve(seedDirectory, 'documents', id, file), 'latin1');
    const table = Number(/startxref\n(\d+)\n/.exec(text)?.[1]);
    expect(text.slice(table, table + 4)).toBe('xref');
    const offsets = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]));
    offsets.forEach((offset, n) => expect(text.slice(offset)).toMatch(new RegExp(`^${n + 1} 0 obj\n`)));
  }
});

test('no file lies in the seed that no document refers to', () => {
  const referred = documents.map(({ id, file }) => `${id}/${file}`).sort();
  const folder = resolve(seedDirectory, 'documents');
  const present = readdirSync(folder).flatMap((id) =>
    readdirSync(resolve(folder, id)).map((file) => `${id}/${file}`),
  );
  expect(present.sort()).toEqual(referred);
});

test('a clinical note carries its text inline as UTF-8', () => {
  for (const { graph, statements } of readSeedRecords()) {
    for (const { node } of statements.filter(({ name }) => name === 'ClinicalNote')) {
      const [resource] = graph.getObjects(node, sp.resource, null);
      const [content] = resource ? graph.getObjects(resource, sp.content, null) : [];
      expect(content && one(graph, content, sp.encoding)).toBe('UTF-8');
      expect(content && one(graph, content, sp.value)).toMatch(/\S/);
    }
  }
});
