import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadFhir } from '../../src/fhir/load-fhir.js';
import { Graph } from '../../src/model/ontology/graph.js';
import { namedNode } from '../../src/rdf/terms.js';
import { dcterms, prefixes, sp, vcard } from '../../src/rdf/vocabulary.js';
import { validateResource } from '../../src/model/validate/resource.js';
import { base } from '../records/support.js';
import { expectedAllergies, expectedLists, type Json } from './naive-reader.js';
import { fhirPlace, mapping, ontology } from './support.js';

/** Where `.ci/synthea` has put its patients. */
const folder = join(process.env.CHARTGRAPH_TEST_PATIENTS ?? '', 'out', 'fhir');
const names = existsSync(folder) ? readdirSync(folder).sort() : [];

// Synthea is a program in Java that Maven fetches: .ci/run makes its patients where both are, and names their folder.
describe.skipIf(names.length === 0)('patients of Synthea', () => {
  const isPerson = (name: string): boolean => !/^(?:hospital|practitioner)Information/u.test(name);
  const files = [...names.filter((name) => !isPerson(name)), ...names.filter(isPerson)].map((name) => ({
    name,
    open: () => createReadStream(join(folder, name)) as AsyncIterable<Uint8Array>,
  }));

  it('have every list that a naive reading of their bundles asks for, and nothing else, all of it valid', async () => {
    const { primary } = await fhirPlace();
    const reports = await loadFhir({ files, primary, ontology, mapping, base });
    expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
    expect(reports.map(({ report }) => report.invalid)).toEqual(reports.map(() => ({})));
    let people = 0;
    for (const { file } of reports.filter((report) => isPerson(report.file))) {
      const bundle = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Json;
      const id = String((bundle.entry as unknown as { resource: { id: string } }[])[0]?.resource.id);
      const stored = storedLists(
        primary.names(`${base}/records/${id}/`),
        (name) => primary.graph(name) ?? [],
      );
      for (const [list, expected] of Object.entries(expectedLists(bundle)))
        expect([file, list, stored[list] ?? []]).toEqual([file, list, [...expected].sort()]);
      expect([file, (stored.allergies ?? []).length]).toEqual([file, expectedAllergies(bundle)]);
      people++;
    }
    expect(people).toBeGreaterThan(0);
    for (const name of primary.names(`${base}/records/`)) {
      if (/\/records\/[^/]+$/u.test(name)) continue;
      expect(validateResource(ontology, namedNode(name), primary.graph(name) ?? [])).toEqual([]);
    }
  }, 600_000);

  it('change nothing when they are loaded again', async () => {
    const { primary } = await fhirPlace();
    const few = files
      .filter(({ name }) => !isPerson(name))
      .concat(files.filter(({ name }) => isPerson(name)).slice(0, 2));
    await loadFhir({ files: few, primary, ontology, mapping, base });
    const before = primary.revision('');
    const reports = await loadFhir({ files: few, primary, ontology, mapping, base });
    expect([primary.revision(''), reports.some(({ changed }) => changed)]).toEqual([before, false]);
  }, 600_000);
});

type Quads = ReturnType<NonNullable<Awaited<ReturnType<typeof fhirPlace>>['primary']['graph']>>;

/** What is stored in each list of a record, one line a statement, as `expectedLists` writes it. */
function storedLists(
  names: readonly string[],
  graphOf: (name: string) => NonNullable<Quads>,
): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const name of names) {
    const list = /\/records\/[^/]+\/([^/]+)/u.exec(name)?.[1] ?? '';
    (lists[list] ??= []).push(lineOf(list, name, new Graph(graphOf(name))));
  }
  for (const lines of Object.values(lists)) lines.sort();
  return lists;
}

function lineOf(list: string, name: string, graph: Graph): string {
  const value = (property: string): string => graph.value(name, property) ?? '';
  const code = (property: string): string => {
    const [node] = graph.objects(name, property);
    return (node && graph.value(node, sp.code)?.replace(/^.*[/#=]/u, '')) ?? '';
  };
  const result = (): string => {
    const [quantity] = graph
      .objects(name, sp.quantitativeResult)
      .flatMap((node) => graph.objects(node, sp.valueAndUnit));
    const [words] = graph.objects(name, sp.narrativeResult);
    const node = quantity ?? words;
    return (node && graph.value(node, sp.value)) ?? '';
  };
  switch (list) {
    case 'problems':
      return `${code(sp.problemName)} ${value(sp.startDate)}`;
    case 'encounters':
      return value(sp.startDate);
    case 'procedures':
      return `${code(sp.procedureName)} ${value(dcterms.date)}`;
    case 'immunizations':
      return `${code(sp.productName)} ${value(dcterms.date)}`;
    case 'medications':
      return `${code(sp.drugName)} ${value(sp.startDate)} ${code(`${prefixes.cg}medicationStatus`)}`;
    case 'lab_results':
      return `${code(sp.labName)} ${value(dcterms.date)} ${result()}`;
    case 'lab_panels':
      return String(graph.objects(name, sp.labResult).length);
    case 'demographics':
      return value(vcard.bday);
    default:
      return value(dcterms.date);
  }
}
