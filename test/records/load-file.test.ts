import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dcterms } from '../../src/rdf/vocabulary.js';
import { readRdfFile } from '../../src/records/loading/read-file.js';
import { base, place, problem, record, turtlePrefixes, type Place } from './support.js';

const two = `_:a ${problem('Asthma', '2009')} _:b ${problem('Flu', '2010')}`;

function namesOf({ primary }: Place): string[] {
  return [...primary.names()].map((name) => name.slice(base.length)).sort();
}

describe('loading a file', () => {
  it('puts the record and its statements into the data directory', async () => {
    const here = await place();
    const report = await here.load('p7.ttl', two);
    expect(report).toMatchObject({
      record_id: '7',
      records: ['7'],
      statements: 2,
      status: 'loaded',
      errors: [],
    });
    expect(namesOf(here)).toHaveLength(3);
    expect(here.primary.graph(record)).toHaveLength(1);
  });

  it('changes nothing the second time, and advances no revision', async () => {
    const { load, primary } = await place();
    await load('p7.ttl', two);
    const before = primary.revision('');
    expect(await load('p7.ttl', two)).toMatchObject({ status: 'unchanged', statements: 2 });
    expect(primary.revision('')).toBe(before);
  });

  it('adds to a record, and with replace swaps it whole but for what is no statement', async () => {
    const here = await place();
    await here.load('p7.ttl', two);
    const scratchpad = `${record}/apps/a@example.org/scratchpad`;
    await here.primary.write({ replace: [{ name: scratchpad, quads: here.primary.graph(record) ?? [] }] });
    await here.load('p7.ttl', `_:c ${problem('Gout', '2011')}`);
    expect(namesOf(here)).toHaveLength(5);
    const swapped = await here.load('p7.ttl', `_:c ${problem('Gout', '2011')}`, { replace: true });
    expect(swapped).toMatchObject({ status: 'loaded', statements: 1, removed: 2 });
    expect(namesOf(here)).toHaveLength(3);
    expect(here.primary.has(scratchpad)).toBe(true);
  });

  it.each(['missing.ttl', 'missing'])(
    'says of %s that there is no such file, whatever its name says',
    async (name) => {
      const { directory } = await place();
      await expect(readRdfFile(join(directory.dir, name), base, '7')).rejects.toMatchObject({
        problems: [{ line: null, reason: 'There is no such file.' }],
      });
    },
  );

  it.each([
    ['broken syntax', 'p7.ttl', '_:a a sp:Problem ;\n  sp:startDate "2009', true],
    [
      'broken XML',
      'p7.xml',
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><oops></rdf:RDF>',
      false,
    ],
  ])('refuses %s and names the line', async (_, name, content, atLine) => {
    const here = await place();
    const report = await here.load(name, content);
    expect(report).toMatchObject({ status: 'refused', statements: 0, quads: 0 });
    expect(report.errors[0]?.reason).toBeTruthy();
    if (atLine) expect(report.errors[0]?.line).toBeGreaterThan(1);
    expect(namesOf(here)).toEqual([]);
  });

  it.each([
    ['an unknown extension', 'p7.txt', 'x', 'extension'],
    ['no record id', 'patient.ttl', two, '--record'],
    ['two groups of digits', 'p7-2020.ttl', two, '--record'],
    ['an empty file', 'p7.ttl', '', 'no statement'],
    [
      'a class that no ontology declares',
      'p7.ttl',
      `${turtlePrefixes} _:a a sp:DeviceImplant .`,
      'sp:DeviceImplant is not declared by the ontology; give --ontology with the folder that declares it.',
    ],
    [
      'classes that no ontology declares',
      'p7.ttl',
      `${turtlePrefixes} _:a a sp:Ab . _:b a sp:Bc . _:c a sp:Cd . _:d a sp:De .`,
      'sp:Ab, sp:Bc, sp:Cd and 1 more are not declared by the ontology; give --ontology',
    ],
    [
      'FHIR in XML',
      'p7.xml',
      '<?xml version="1.0"?>\n<!-- p --><Bundle xmlns="http://hl7.org/fhir"><id value="b"/></Bundle>',
      'FHIR in XML; FHIR is read as JSON or NDJSON',
    ],
    ['broken gzip', 'p7.ttl.gz', new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3]), 'gzip'],
    [
      'triples beside graphs',
      'p7.trig',
      `${turtlePrefixes} <${record}/problems/p> a sp:Problem . <${record}> { <${record}> a sp:MedicalRecord }`,
      'outside the named graphs',
    ],
    [
      'graphs from elsewhere',
      'p7.trig',
      `${turtlePrefixes} <http://x.example/g> { _:a a sp:Problem }`,
      'not named under',
    ],
    [
      'a statement in a foreign graph',
      'p7.trig',
      `${turtlePrefixes} <${record}/problems/p> { <${record}/problems/q> a sp:Problem }`,
      'a graph of its own',
    ],
    ['an external entity', 'p7.xml', '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r>&e;</r>', ''],
  ])('refuses %s and stores nothing', async (_, name, content, reason) => {
    const here = await place();
    const report = await here.load(name, content);
    expect(report.status).toBe('refused');
    expect(report.errors.map((one) => one.reason).join(' ')).toContain(reason);
    expect(namesOf(here)).toEqual([]);
  });

  it('reports a file that is not there', async () => {
    const { loadPath, dir } = await place();
    expect(await loadPath(`${dir}/missing-7.ttl`)).toMatchObject({
      status: 'refused',
      errors: [{ line: null }],
    });
  });

  it('stores nothing of a file of which one statement is wrong', async () => {
    const here = await place();
    const report = await here.load('p7.ttl', `${two} <http://x.example/m> a sp:Medication .`);
    expect(report.status).toBe('refused');
    expect(namesOf(here)).toEqual([]);
  });

  it('takes what the ontology does not allow with a warning, and refuses it when strict', async () => {
    const here = await place();
    const incomplete = '_:a a sp:Problem ; sp:startDate "2009" .';
    const strict = await here.load('p7.ttl', incomplete, { strict: true });
    expect(strict).toMatchObject({ status: 'refused', statements: 0 });
    expect(strict.errors[0]?.reason).toContain('problemName');
    expect(namesOf(here)).toEqual([]);
    const report = await here.load('p7.ttl', incomplete);
    expect(report.status).toBe('loaded');
    expect(report.warnings[0]?.reason).toContain('problemName');
  });

  it('does not ask a document that names its file for what is added when it is served', async () => {
    const { load } = await place();
    const format = '<http://purl.org/NET/mediatypes/text/plain>';
    const document = `a sp:Document ; dcterms:date "2010" ; dcterms:format ${format} . ${format} a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;
    const named = await load('p7.ttl', `_:a sp:fileName "a.txt" ; ${document}`, { strict: true });
    expect(named).toMatchObject({ status: 'loaded', errors: [] });
    const nameless = await load('p7.ttl', `_:a ${document}`, { strict: true });
    expect(nameless.errors[0]?.reason).toContain('sp:resource');
  });

  it('takes a clean file when strict', async () => {
    const { load } = await place();
    expect(await load('p7.ttl', two, { strict: true })).toMatchObject({ status: 'loaded', warnings: [] });
  });

  it('prefers the id that is asked for, and refuses a file that says otherwise', async () => {
    const { load } = await place();
    expect((await load('p7.ttl', two, { recordId: 'other' })).record_id).toBe('other');
    const named = `</records/7> a sp:MedicalRecord . ${two}`;
    expect((await load('p1.ttl', named)).record_id).toBe('7');
    const refused = await load('p1.ttl', named, { recordId: '1' });
    expect(refused.errors[0]?.reason).toBe('The file is about record 7, but record 1 was asked for.');
    expect((await load('p7.ttl', two, { recordId: '../x' })).errors[0]?.reason).toContain('no record id');
  });

  it('reads gzip, named so or not', async () => {
    const { load } = await place();
    const bytes = gzipSync(`${turtlePrefixes}\n${two}`);
    const { quads } = await load('p7.ttl.gz', bytes);
    expect(quads).toBeGreaterThan(5);
    expect(await load('p8.ttl', bytes)).toMatchObject({ quads, status: 'loaded' });
  });

  it('stops unpacking where a file would fill the memory', async () => {
    const { dir } = await place();
    const path = `${dir}/bomb7.ttl.gz`;
    await writeFile(path, gzipSync('#'.repeat(5_000_000)));
    await expect(readRdfFile(path, base, '7', 1_000_000)).rejects.toThrow(
      'Unpacked, the file is larger than 1 MB.',
    );
    await writeFile(path, '#'.repeat(2_000_000));
    await expect(readRdfFile(path, base, '7', 1_000_000)).rejects.toThrow('larger than 1 MB');
  });

  it('shows one title for a code in a record: the one it had first', async () => {
    const { load, primary } = await place();
    await load('p7.ttl', `_:a ${problem('Gout', '2009')}`);
    const report = await load('p7.ttl', `_:b ${problem('GOUT', '2010')}`);
    expect(report.notes).toHaveLength(1);
    const titles = [...primary.names(`${record}/`)].flatMap((name) =>
      (primary.graph(name) ?? []).filter(
        ({ subject, predicate }) => predicate.value === dcterms.title && subject.termType === 'NamedNode',
      ),
    );
    expect(new Set(titles.map(({ object }) => object.value))).toEqual(new Set(['Gout']));
  });

  it('keeps both of two loads that run at the same time', async () => {
    const here = await place();
    const files = Array.from({ length: 6 }, (_, at) =>
      here.load(`p7.${'x'.repeat(at)}.ttl`, `_:a ${problem('Gout', `20${10 + at}`)}`, { recordId: '7' }),
    );
    expect((await Promise.all(files)).map(({ status }) => status)).toEqual(Array(6).fill('loaded'));
    expect(namesOf(here)).toHaveLength(7);
  });
});
