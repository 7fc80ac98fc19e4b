import { Parser } from 'n3';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mentionsOf } from '../../../src/model/check/positions.js';

const base = 'http://base.example.org/';
const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
/** What Turtle has shorter words for. */
const unwritten = /^http:\/\/www\.w3\.org\/(?:1999\/02\/22-rdf-syntax-ns#|2001\/XMLSchema#)/;

function shipped(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ttl'))
    .map((entry) => join(entry.parentPath, entry.name));
}

test.each([...shipped('ontology'), ...shipped('seed')])(
  'of %s it names what the parser reads, each in the line where it is written',
  (file) => {
    const text = readFileSync(file, 'utf8');
    const mentions = mentionsOf(text, base);
    const terms = new Parser({ baseIRI: base }).parse(text).flatMap(({ subject, predicate, object }) => {
      const datatype = 'datatype' in object ? [object.datatype] : [];
      return [subject, predicate, object, ...datatype];
    });
    const read = terms.filter(({ termType }) => termType === 'NamedNode').map(({ value }) => value);
    const written = (iris: string[]): string[] =>
      [...new Set(iris)].filter((iri) => !unwritten.test(iri) && iri !== 'a').sort();
    expect(written(mentions.map(({ iri }) => iri))).toEqual(written(read));
    const types = mentions.filter(({ isTypeWord, iri }) => isTypeWord || iri === `${rdf}type`);
    expect(types.length > 0).toBe(read.includes(`${rdf}type`));
    const lines = text.split(/\r?\n/);
    for (const { iri, line } of mentions)
      expect(lines[line - 1]?.replaceAll('\\', '')).toContain(iri.split(/[#/]/).at(-1));
  },
);
