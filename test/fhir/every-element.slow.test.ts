import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadFhir, type FhirFileReport } from '../../src/fhir/load-fhir.js';
import { isObject } from '../../src/rdf/json-object.js';
import { base } from '../records/support.js';
import { elementTable, isReadPath as isReadIn } from './element-table.js';
import { fhirPlace, fileOf, mapping, ontology, type Resource } from './support.js';

const begin = '<!-- prettier-ignore-start -->\n\n';
const end = '\n\n<!-- prettier-ignore-end -->';
const examples = process.env['CHARTGRAPH_TEST_FHIR_EXAMPLES'];
const patients = process.env['CHARTGRAPH_TEST_PATIENTS'];

it('the table of elements in the documentation is what the mapping reads', async () => {
  const file = resolve('docs', 'fhir.md');
  const text = readFileSync(file, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  const after = rest.slice(rest.indexOf(end));
  expect(after).not.toBe('');
  await expect(`${before}${begin}${elementTable(mapping)}${after}`).toMatchFileSnapshot(file);
});

const isReadPath = (path: string): boolean => isReadIn(path, mapping);

/** The paths of all that a resource says, without the places in its lists. */
function* pathsIn(value: unknown, path: string): Generator<string> {
  if (Array.isArray(value)) for (const each of value) yield* pathsIn(each, path);
  else if (!isObject(value)) yield path;
  else
    for (const [key, each] of Object.entries(value))
      if (key !== 'resourceType' && key !== 'contained') yield* pathsIn(each, `${path}.${key}`);
}

/**
 * Loads people, and then sets of resources, a file for each, and finds the elements of those of a type that nothing accounts for: a resource
 * without a statement, or with one that the ontology does not allow, has a reason, and of one with a statement each
 * element is read, told, or left out on purpose.
 */
async function unaccounted(
  type: string,
  people: readonly Resource[],
  sets: readonly (readonly Resource[])[],
): Promise<string[]> {
  const { primary } = await fhirPlace();
  const files = [people, ...sets].map((set) => fileOf(set));
  const [ofPeople, ...reports] = await loadFhir({ files, primary, ontology, mapping, base });
  expect([ofPeople?.report.resources['Patient']?.resources ?? 0, reports.length]).toEqual([
    people.length,
    sets.length,
  ]);
  return reports.flatMap((report, at) => unaccountedBy(report, type, sets[at] ?? []));
}

function unaccountedBy(
  { report }: FhirFileReport,
  type: string,
  resources: readonly Resource[],
): readonly string[] {
  const { mapped = 0, resources: all = 0, reasons = {}, omitted = {} } = report.resources[type] ?? {};
  const why = [...Object.values(reasons), ...Object.values(omitted)].reduce(
    (sum, { count }) => sum + count,
    0,
  );
  if (mapped < all) return mapped + why >= all ? [] : [`${type} without a statement or a reason`];
  if (Object.keys(report.invalid).length > 0) return [];
  const told = ['unread', 'meaning', 'unresolved'] as const;
  const paths = told.flatMap((kind) => Object.keys(report[kind])).map((path) => path.replace('[1…]', ''));
  const isTold = (path: string): boolean =>
    paths.some((each) => path === each || path.startsWith(`${each}.`));
  const isLeftOut = (path: string): boolean =>
    path.split('.').some((_, at, names) => mapping.losses.isLeftOut(names.slice(0, at + 1).join('.')));
  const said = resources.filter(({ resourceType }) => resourceType === type);
  return [...new Set(said.flatMap((each) => [...pathsIn(each, type)]))].filter(
    (path) => !path.endsWith('.id') && !isReadPath(path) && !isTold(path) && !isLeftOut(path),
  );
}

const isSource = (type: string): boolean => mapping.elements.has(type) && !mapping.lookups.has(type);

describe('every element', () => {
  it.skipIf(examples === undefined)(
    'of HL7’s examples of R4 is read, told, or on the list of what is left out',
    async () => {
      const folder = examples ?? '';
      const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
      const all = files
        .filter((name) => isSource(name.replace(/-.*/u, '')))
        .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Resource);
      expect(all.length).toBeGreaterThan(200);
      const patientOf = (resource: Resource): Resource => {
        const subject =
          JSON.stringify(resource).match(/"(?:subject|patient)":\{"reference":"Patient\/([^"]+)"/u)?.[1] ??
          'example';
        return (
          all.find(({ resourceType, id }) => resourceType === 'Patient' && id === subject) ?? {
            resourceType: 'Patient',
            id: subject,
            birthDate: '1970-01-01',
            gender: 'female',
            name: [{ family: 'Example', given: ['Anna'] }],
          }
        );
      };
      const missing = new Set<string>();
      // All of a type at once: to load each by itself took most of the time.
      for (const type of new Set(all.map(({ resourceType }) => resourceType))) {
        const own = all.filter(({ resourceType }) => resourceType === type);
        const people = new Map(
          (type === 'Patient' ? [] : own).map(patientOf).map((each) => [each['id'], each] as const),
        );
        const sets = own.map((resource) => [resource]);
        for (const path of await unaccounted(type, [...people.values()], sets)) missing.add(path);
      }
      expect([...missing]).toEqual([]);
    },
    600_000,
  );

  it.skipIf(patients === undefined)(
    'of patients of Synthea is',
    async () => {
      const folder =
        [join(patients ?? '', 'out', 'fhir'), patients ?? ''].find((each) => existsSync(each)) ?? '';
      const [name = ''] = readdirSync(folder).filter((each) => /^[A-Z].*\.json$/u.test(each));
      const bundle = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        entry: { resource: Resource }[];
      };
      const resources = bundle.entry.map(({ resource }) => resource);
      for (const type of new Set(resources.map(({ resourceType }) => resourceType).filter(isSource)))
        expect(
          await unaccounted(
            type,
            [],
            [resources.filter(({ resourceType }) => [type, 'Patient', 'Encounter'].includes(resourceType))],
          ),
        ).toEqual([]);
    },
    120_000,
  );
});
