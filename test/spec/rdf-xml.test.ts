import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { parseRdf } from '../../src/rdf/parse.js';
import { unwritable, writeRdfXml } from '../../src/rdf/write-rdfxml.js';
import type { Quad } from '../../src/rdf/terms.js';
import { readIndependently } from '../rdf/independent.js';
import { sharedData } from '../shared-data.js';

/** Where the suite lives on the web: relative IRIs of its documents are resolved against this. */
const home = 'https://w3c.github.io/rdf-tests/rdf/rdf11/rdf-xml/';
const mf = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#';
const rdft = 'http://www.w3.org/ns/rdftest#';

/** Cases that we do not pass, each with its reason. A case listed here that passes fails the run. */
const skippedReading: Readonly<Record<string, string>> = {};

/** Graphs of the suite that our writer refuses, each with its reason. */
const skippedWriting: Readonly<Record<string, string>> = {};

interface Case {
  readonly name: string;
  readonly positive: boolean;
  readonly action: string;
  readonly result: string;
}

const suite = sharedData('w3c-rdf-tests', 'rdf', 'rdf11', 'rdf-xml');
const cases = suite === undefined ? [] : await readManifest(suite);

describe.skipIf(suite === undefined)('W3C RDF/XML tests (skipped where ../shared/data is not there)', () => {
  it('the manifest lists the whole suite', () => {
    expect(cases.length).toBeGreaterThan(150);
    const names = new Set(cases.map(({ name }) => name));
    expect(Object.keys({ ...skippedReading, ...skippedWriting }).filter((name) => !names.has(name))).toEqual(
      [],
    );
  });

  describe('reading', () => {
    for (const test of cases) {
      check(test.name, skippedReading[test.name], () =>
        test.positive ? readsAsExpected(test) : isRefused(test),
      );
    }
  });

  describe('writing the expected graph and reading it back with an independent parser', () => {
    for (const test of cases.filter(({ positive }) => positive)) {
      check(test.name, skippedWriting[test.name], () => survivesWriting(test));
    }
  });
});

function check(name: string, reason: string | undefined, run: () => Promise<void>): void {
  if (reason === undefined) it(name, run);
  else {
    it(`${name} (skipped: ${reason})`, async () => {
      await expect(run(), 'a skipped case passes: take it off the list').rejects.toThrow();
    });
  }
}

async function readsAsExpected(test: Case): Promise<void> {
  const found = await parseRdf(source(test.action), {
    format: 'rdfxml',
    baseIRI: home + test.action,
    doctype: 'internal',
  });
  expectIsomorphic(found, await expected(test));
}

async function isRefused(test: Case): Promise<void> {
  const reading = parseRdf(source(test.action), {
    format: 'rdfxml',
    baseIRI: home + test.action,
    doctype: 'internal',
  });
  await expect(reading).rejects.toMatchObject({ name: 'RdfSyntaxError' });
}

async function survivesWriting(test: Case): Promise<void> {
  const graph = await expected(test);
  expect(graph.map(unwritable).filter((reason) => reason !== undefined)).toEqual([]);
  expectIsomorphic(await readIndependently(writeRdfXml(graph)), graph);
}

function expectIsomorphic(found: Quad[], wanted: Quad[]): void {
  if (!isomorphic(found, wanted)) expect(found).toEqual(wanted);
}

function expected(test: Case): Promise<Quad[]> {
  return parseRdf(source(test.result), { format: 'ntriples' });
}

function source(path: string): Uint8Array {
  return readFileSync(join(suite ?? '', path));
}

async function readManifest(folder: string): Promise<Case[]> {
  const quads = await parseRdf(readFileSync(join(folder, 'manifest.ttl')), {
    format: 'turtle',
    baseIRI: home,
  });
  const value = (subject: string, property: string): string =>
    quads.find((quad) => quad.subject.value === subject && quad.predicate.value === property)?.object.value ??
    '';
  return quads
    .filter(
      ({ object }) =>
        object.value === rdft + 'TestXMLEval' || object.value === rdft + 'TestXMLNegativeSyntax',
    )
    .map(({ subject, object }) => ({
      name: value(subject.value, mf + 'name'),
      positive: object.value === rdft + 'TestXMLEval',
      action: value(subject.value, mf + 'action').slice(home.length),
      result: value(subject.value, mf + 'result').slice(home.length),
    }));
}
