import { readFileSync } from 'node:fs';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { blankNode, quad, type Quad, type Term } from '../../src/rdf/terms.js';
import { dcterms, prefixes, rdf, sp } from '../../src/rdf/vocabulary.js';
import { readRdfFile } from '../../src/records/loading/read-file.js';
import { sharedData } from '../shared-data.js';
import { base, ontology, place, record as anyRecord } from './support.js';

const readme = sharedData('sample-patients', 'README.md');

/** The table of the README: record id → class → number of statements. */
function countsOf(text: string): Map<string, Record<string, number>> {
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.replaceAll('*', '').trim()),
    );
  const header = rows.find(([first]) => first === 'class') ?? [];
  const classes = rows.filter(
    ([name = '']) => ontology.classes.get(prefixes.sp + name)?.kind === 'statement',
  );
  const records = header.flatMap((id, column) => (/^\d+$/.test(id) ? [{ id, column }] : []));
  return new Map(
    records.map(({ id, column }) => [
      id,
      Object.fromEntries(
        classes.flatMap((row) => {
          const count = Number(row[column]);
          return Number.isNaN(count) || count === 0 ? [] : [[row[0], count]];
        }),
      ),
    ]),
  );
}

const expected =
  readme === undefined ? new Map<string, Record<string, number>>() : countsOf(readFileSync(readme, 'utf8'));

function relabelled(quads: readonly Quad[], prefix: string): Quad[] {
  const rename = (term: Term): Term =>
    term.termType === 'BlankNode' ? blankNode(prefix + term.value) : term;
  return quads.map((one) => quad(rename(one.subject), one.predicate, rename(one.object)));
}

/** A graph without what loading is meant to change: names become blank nodes; titles and record links are left out. */
function compared(quads: readonly Quad[]): Quad[] {
  const rename = (term: Term): Term =>
    term.termType === 'NamedNode' && term.value.startsWith(`${base}/`)
      ? blankNode(`s${term.value.replaceAll(/[^A-Za-z0-9]/g, '_')}`)
      : term;
  const changed: string[] = [sp.belongsTo, sp.hasStatement, dcterms.title];
  return quads
    .filter(
      ({ predicate, object }) => !changed.includes(predicate.value) && object.value !== sp.MedicalRecord,
    )
    .map((one) => quad(rename(one.subject), one.predicate, rename(one.object)));
}

describe.skipIf(readme === undefined)(
  'the sample patients (skipped where they are not beside the project)',
  () => {
    it('are eight, as the table of their README says', () => {
      expect(expected.size).toBe(8);
    });

    it.each([...expected])(
      'record %s loads with the statements that its README counts, and once only',
      async (id, counts) => {
        const file = sharedData('sample-patients', `p${id}.xml`);
        const { primary, loadPath } = await place();
        const report = await loadPath(file ?? '');
        expect(report).toMatchObject({ record_id: id, status: 'loaded', errors: [] });
        const root = anyRecord.replace(/[^/]+$/, id);
        const found: Record<string, number> = {};
        for (const name of primary.names(`${root}/`)) {
          const type = primary
            .graph(name)
            ?.find((quad) => quad.subject.value === name && quad.predicate.value === rdf.type);
          const local = type?.object.value.slice(prefixes.sp.length) ?? '';
          found[local] = (found[local] ?? 0) + 1;
        }
        expect(found).toEqual(counts);
        expect(report.statements).toBe(Object.values(counts).reduce((sum, count) => sum + count, 0));

        const revision = primary.revision('');
        const again = await loadPath(file ?? '');
        expect(again).toMatchObject({ status: 'unchanged', statements: report.statements });
        expect(primary.revision('')).toBe(revision);
      },
    );

    it.each([...expected.keys()])(
      'record %s says the same after it was cut and put together again',
      async (id) => {
        const path = sharedData('sample-patients', `p${id}.xml`) ?? '';
        const { primary, loadPath } = await place();
        await loadPath(path);
        const stored = primary
          .names()
          .flatMap((name, at) => relabelled(primary.graph(name) ?? [], `g${at}_`));
        const original = await readRdfFile(path, base, id);
        expect(isomorphic(compared(original), compared(stored))).toBe(true);
      },
    );

    it('leave no triple behind', async () => {
      const { loadPath } = await place();
      for (const id of expected.keys()) {
        const report = await loadPath(sharedData('sample-patients', `p${id}.xml`) ?? '');
        expect(
          report.warnings.map(({ reason }) => reason).filter((reason) => reason.includes('left out')),
        ).toEqual([]);
      }
    });
  },
);
