import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replaceGraph } from '../../src/store/replace-graph.js';
import { WorkingSet } from '../../src/store/working-set.js';
import { runs } from '../setup/runs.js';

const name = 'http://localhost:7000/records/1';
const other = 'http://localhost:7000/records/2';
const statement = (subject: string, predicate: string, object: string): string =>
  `<http://x.org/${subject}> <http://x.org/${predicate}> ${object} .\n`;
const quads = (ntriples: string, graph: string): string => ntriples.replaceAll(' .\n', ` <${graph}> .\n`);

/** Puts one text of a graph in the place of another. @returns what was taken away first */
function replaced(workingSet: WorkingSet, wanted: string): string {
  const { update, added } = replaceGraph(name, workingSet.graph(name) ?? '', wanted);
  if (update !== '') workingSet.update(update);
  if (added !== '') workingSet.load(quads(added, name));
  return update;
}

const reference = new WorkingSet();
/** What a working set says that was given all of this text. */
function said(text: string): string[] {
  reference.clear([name]);
  if (text !== '') reference.load(quads(text, name));
  return sortedLines(reference.graph(name));
}

const sortedLines = (text = ''): string[] => text.split('\n').sort();

const XSD = 'http://www.w3.org/2001/XMLSchema#';
/** Objects among them that are one value for the engine, that it writes otherwise, and that end in a part of others. */
const objects = [
  '"a"',
  '"a "',
  '"a"@en',
  '"a"@EN',
  '"\\u003Ca \\"b\\"> .\\n\\\\"',
  '<http://x.org/o>',
  `"1"^^<${XSD}integer>`,
  `"01"^^<${XSD}integer>`,
  `"1.50"^^<${XSD}decimal>`,
  `"1e3"^^<${XSD}double>`,
  `"2020-01-01T00:00:00.0Z"^^<${XSD}dateTime>`,
  `"no date"^^<${XSD}date>`,
];

const texts = fc
  .array(
    fc
      .tuple(fc.constantFrom('a', 'b#_b0', 'b#_b1'), fc.nat(20), fc.constantFrom(...objects))
      .map(([subject, predicate, object]) => statement(subject, `p${predicate}`, object)),
    { maxLength: 60 },
  )
  .map((lines) => [...new Set(lines)].sort().join(''));

describe('a graph that takes the place of another', () => {
  test('says afterwards what a new working set says of it, whatever was there, and others stay', () => {
    const workingSet = new WorkingSet();
    const own = statement('a', 'p1', '"a"');
    workingSet.load(quads(own, other));
    fc.assert(
      fc.property(fc.array(texts, { minLength: 2, maxLength: 5 }), (all) => {
        for (const text of all) {
          replaced(workingSet, text);
          expect(sortedLines(workingSet.graph(name))).toEqual(said(text));
        }
        expect(workingSet.graph(other)).toBe(own);
      }),
      { numRuns: runs(200) },
    );
  });

  const many = Array.from({ length: 40 }, (_, n) => statement('a', `p${n}`, `"${n}"`));

  test('keeps what stays of a graph whose name holds what a segment of a path may hold, such as the id of an app', () => {
    const app = "http://localhost:7000/records/1/apps/notes+a(1)!&'*,;=$-@apps.example.org/scratchpad";
    const lines = (text: string): string =>
      Array.from(
        { length: 8 },
        (_, n) => `<${app}#_b${n % 3}> <http://x.org/p${n}> "${n === 7 ? text : n}" .\n`,
      )
        .sort()
        .join('');
    const workingSet = new WorkingSet();
    workingSet.load(quads(lines('before'), app));
    const { update, added } = replaceGraph(app, workingSet.graph(app) ?? '', lines('after'));
    expect(added).toBe(`<${app}#_b1> <http://x.org/p7> "after" .\n`);
    workingSet.update(update);
    workingSet.load(quads(added, app));
    expect(sortedLines(workingSet.graph(app))).toEqual(sortedLines(lines('after')));
  });

  test('touches nothing that stays', () => {
    const workingSet = new WorkingSet();
    workingSet.load(quads(many.join(''), name));
    expect(replaceGraph(name, workingSet.graph(name) ?? '', many.join(''))).toEqual({
      update: '',
      added: '',
    });
    const changed = [...many.slice(1), statement('a', 'p0', '"other"')].join('');
    const { update, added } = replaceGraph(name, workingSet.graph(name) ?? '', changed);
    expect(update).toBe(`DELETE WHERE { GRAPH <${name}> { <http://x.org/a> <http://x.org/p0> ?o } }`);
    expect(added).toBe(statement('a', 'p0', '"other"'));
  });

  test('is put in anew where most of it is another, or where the engine may not read an IRI in SPARQL', () => {
    const workingSet = new WorkingSet();
    workingSet.load(quads(many.join(''), name));
    expect(replaced(workingSet, statement('a', 'p0', '"0"'))).toBe(`CLEAR SILENT GRAPH <${name}>`);
    for (const odd of ['p[0', 'p%zz', 'p#a#b']) {
      const statements = [...many, statement('a', odd, '"odd"')].join('');
      replaced(workingSet, statements);
      expect(sortedLines(workingSet.graph(name))).toEqual(said(statements));
      expect(replaced(workingSet, many.join(''))).toBe(`CLEAR SILENT GRAPH <${name}>`);
      expect(sortedLines(workingSet.graph(name))).toEqual(said(many.join('')));
    }
  });
});
