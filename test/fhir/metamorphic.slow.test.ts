import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFhir, type FhirFileReport } from '../../src/fhir/load-fhir.js';
import { isObject } from '../../src/rdf/json-object.js';
import { base } from '../records/support.js';
import { otherCodings, modifiers, turned, type Change } from './changes.js';
import { everything, fhirPlace, fileOf, mapping, ontology, resources, type Resource } from './support.js';

/** What some resources became: the lines of each statement, and what is told of them. */
interface Outcome {
  readonly statements: Readonly<Record<string, readonly string[]>>;
  readonly told: readonly string[];
}

/** Names and references with a mark, so that many sets of the same resources can be loaded at once. */
function marked(value: unknown, mark: string, isRoot = true): unknown {
  if (Array.isArray(value)) return value.map((each) => marked(each, mark, false));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (isRoot && key === 'id') return [key, `${String(each)}${mark}`];
      if (['reference', 'url'].includes(key) && /^[A-Z]\w+\/[\w.-]+$/u.test(String(each)))
        return [key, `${String(each)}${mark}`];
      return [key, marked(each, mark, false)];
    }),
  );
}

/** Loads sets of resources, a file for each. */
async function outcomes(sets: readonly (readonly Resource[])[]): Promise<Outcome[]> {
  const { primary, statements } = await fhirPlace();
  const marks = sets.map((_, at) => `-v${String(at).padStart(4, '0')}`);
  const files = sets.map((set, at) => fileOf(set.map((each) => marked(each, marks[at] ?? '') as Resource)));
  const reports = await loadFhir({ files, primary, ontology, mapping, base });
  return reports.map(({ report }, at) => {
    const mark = marks[at] ?? '';
    const bare = (text: string): string => text.replaceAll(mark, '');
    const people = (sets[at] ?? []).filter(({ resourceType }) => resourceType === 'Patient');
    const all = people.flatMap(({ id: patient }) =>
      Object.entries(statements(String(patient) + mark)).map(
        ([path, lines]) => [bare(`${String(patient)}/${path}`), lines.map(bare).sort()] as const,
      ),
    );
    // What is kept in words says what was said, whatever it is.
    const mapped = all.filter(([path]) => !path.includes('/unmapped/'));
    return { statements: Object.fromEntries(mapped), told: toldIn(report).map(bare).sort() };
  });
}

/** Each kind of what a report tells, once for each time. */
function toldIn({ resources, statements: _, ...kinds }: FhirFileReport['report']): string[] {
  const whys = Object.entries(resources).flatMap(([type, { reasons = {}, omitted = {} }]) =>
    Object.entries({ ...reasons, ...omitted }).map(([why, seen]) => [`${type}: ${why}`, seen] as const),
  );
  const others = Object.entries(kinds).flatMap(([kind, seen]) =>
    Object.entries(seen).map(([what, each]) => [`${kind} ${what}`, each] as const),
  );
  return [...whys, ...others].flatMap(([what, { count }]) => Array.from({ length: count }, () => what));
}

/** What is in one list and not in the other, each as often as it is. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const rest = [...other];
  return list.filter((each) => {
    const at = rest.indexOf(each);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

/** Lines that are there more, or fewer times, by the path of their statement. */
function differences(before: Outcome, after: Outcome): { gone: string[]; come: string[] } {
  const lines = ({ statements }: Outcome): string[] =>
    Object.entries(statements).flatMap(([path, own]) => own.map((line) => `${path}: ${line}`));
  const [was, is] = [lines(before), lines(after)];
  return { gone: without(was, is), come: without(is, was) };
}

/** What says itself that something has changed. */
const WORDS = /: (?:title|notes|instructions|deceased|deathdate|value [<>]=?\d\S*) /u;

/** What is wrong with what a changed resource became; undefined where it says what was said, or is told. */
function fault(change: Change, before: Outcome, after: Outcome, asIf?: Outcome): string | undefined {
  const { gone, come } = differences(before, after);
  const isSame = gone.length + come.length === 0;
  if (!change.turns) return isSame ? undefined : `${gone.join(', ')} became ${come.join(', ')}`;
  if (without(after.told, before.told).some((each) => !each.startsWith('unread'))) return undefined;
  if (asIf && Object.values(differences(asIf, after)).flat().length === 0) return undefined;
  if (asIf && come.length === 0 && !isSame) return undefined;
  if (isSame) return 'is not told';
  if (come.some((line) => WORDS.test(line))) return undefined;
  return `${gone.join(', ')} became ${come.join(', ')}`;
}

/** Some changes of resources of a set. */
interface Case {
  readonly changes: readonly Change[];
  readonly set: readonly Resource[];
}

/** What is wrong with changes. All are loaded at once: to load those of each set by itself took most of the time. */
async function faults(cases: readonly Case[]): Promise<string[]> {
  const sets = cases.map(({ changes, set }) => {
    const withOne = (changed: Resource): Resource[] =>
      set.map((each) =>
        each.resourceType === changed.resourceType && each.id === changed.id ? changed : each,
      );
    return [
      set,
      ...changes.map(({ resource }) => withOne(resource)),
      ...alike(changes).map(({ asIf }) => withOne(asIf as Resource)),
    ];
  });
  const all = await outcomes(sets.flat());
  return cases.flatMap(({ changes }, which) => {
    const [before, ...after] = all.splice(0, sets[which]?.length ?? 0);
    return changes.flatMap((change, at) => {
      const [own, asIf] = [after[at], after[changes.length + alike(changes).indexOf(change)]];
      const found = before && own && fault(change, before, own, change.asIf && asIf);
      return found === undefined ? [] : [`${change.name}: ${found}`];
    });
  });
}

const alike = (changes: readonly Change[]): Change[] => changes.filter(({ asIf }) => asIf !== undefined);

/** The resources that one refers to, and those that these do, with itself. */
function withReferences(resource: Resource, known: readonly Resource[]): Resource[] {
  const found = new Set([resource]);
  for (const each of found) {
    const text = JSON.stringify(each);
    for (const other of known)
      if (
        text.includes(`"${other.resourceType}/${String(other.id)}"`) ||
        text.includes(`"${other.resourceType}?`)
      )
        found.add(other);
  }
  return [...found];
}

const kinds: readonly (readonly [string, (resource: Resource) => Iterable<Change>])[] = [
  ['a modifier', modifiers],
  ['a code of another system', otherCodings],
  ['a list that is turned round', turned],
];

const examples = process.env['CHARTGRAPH_TEST_FHIR_EXAMPLES'];
const patients = process.env['CHARTGRAPH_TEST_PATIENTS'];
const seed = Number(process.env['CHARTGRAPH_TEST_SEED'] ?? Date.now() % 1_000_000);
/** So many changes of the files that are read. */
const SAMPLES = 100;

const makesStatements = ({ resourceType }: Resource): boolean =>
  mapping.queries.some(({ sources }) => sources.includes(resourceType));

/** What is wrong with some changes of some of the resources that statements are made of. */
async function faultsOfSome(sets: readonly (readonly Resource[])[]): Promise<string[]> {
  const before = await outcomes(sets);
  const able = sets.filter(([resource], at) => {
    const { resourceType, id } = resource as Resource;
    const end = resourceType === 'Patient' ? `${String(id)}/demographics` : String(id);
    return Object.keys(before[at]?.statements ?? {}).some((path) => path.endsWith(end));
  });
  expect(able.length).toBeGreaterThan(10);
  const dice = fc.sample(fc.tuple(fc.nat(), fc.array(fc.nat(), { minLength: 8, maxLength: 8 })), {
    seed,
    numRuns: SAMPLES / 8,
  });
  const cases = dice.map(([which, places]): Case => {
    const set = able[which % able.length] ?? [];
    const changes = kinds.flatMap(([, changesOf]) => [...changesOf(set[0] as Resource)]);
    const some = places.flatMap((place) => changes[place % changes.length] ?? []);
    return { changes: [...new Set(some)], set };
  });
  return faults(cases);
}

describe('what is said stays, or it is told', () => {
  it.each(kinds)(
    'with %s',
    async (_, changesOf) => {
      const cases = everything.map((resource): Case => {
        // What others refer to is seen in what they say.
        const user = everything.find(
          (each) =>
            each !== resource && makesStatements(each) && withReferences(each, everything).includes(resource),
        );
        const set = new Set([
          ...withReferences(resource, everything),
          ...(makesStatements(resource) || !user ? [] : withReferences(user, everything)),
        ]);
        return { changes: [...changesOf(resource)], set: [...set] };
      });
      expect(await faults(cases)).toEqual([]);
    },
    120_000,
  );

  it('with the resources in another order', async () => {
    const orders = [
      everything,
      [...everything].reverse(),
      [...everything.slice(7), ...everything.slice(0, 7)],
    ];
    const [first, ...others] = await outcomes(orders);
    for (const other of others) expect(other).toEqual(first);
  });

  it.skipIf(examples === undefined)(
    `in examples of HL7, changed by the seed ${seed}`,
    async () => {
      const folder = examples ?? '';
      const all = readdirSync(folder)
        .filter((name) => mapping.elements.has(name.replace(/-.*/u, '')) && name.endsWith('.json'))
        .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Resource)
        .filter(({ id }) => id !== undefined);
      const sets = all.filter(makesStatements).map((resource) => {
        const { subject = resource.patient } = resource as { subject?: unknown };
        const id = /^Patient\/([\w.-]+)$/u.exec(
          String((subject as { reference?: string } | undefined)?.reference),
        )?.[1];
        const set = withReferences(resource, all);
        const isKnown = set.some((each) => each.resourceType === 'Patient');
        return isKnown || id === undefined ? set : [...set, { ...resources.patient, id }];
      });
      expect(await faultsOfSome(sets)).toEqual([]);
    },
    600_000,
  );

  it.skipIf(patients === undefined)(
    `in patients of Synthea, changed by the seed ${seed}`,
    async () => {
      const folder =
        [join(patients ?? '', 'out', 'fhir'), patients ?? ''].find((each) => existsSync(each)) ?? '';
      const [name = ''] = readdirSync(folder).filter((each) => /^[A-Z].*\.json$/u.test(each));
      const text = readFileSync(join(folder, name), 'utf8');
      const { entry } = JSON.parse(text) as { entry: { fullUrl: string; resource: Resource }[] };
      const types = new Map(
        entry.map(({ fullUrl, resource }) => [fullUrl, `${resource.resourceType}/${String(resource.id)}`]),
      );
      const all = (
        JSON.parse(text.replace(/urn:uuid:[\w-]+/gu, (url) => types.get(url) ?? url)) as {
          entry: typeof entry;
        }
      ).entry.map(({ resource }) => resource);
      const sources = all.filter(makesStatements);
      const some = fc
        .sample(fc.nat(), { seed, numRuns: 60 })
        .map((at) => sources[at % sources.length] as Resource);
      const known = all.filter(({ resourceType }) =>
        ['Patient', 'Encounter', 'Medication', 'MedicationRequest'].includes(resourceType),
      );
      expect(
        await faultsOfSome([...new Set(some)].map((resource) => withReferences(resource, known))),
      ).toEqual([]);
    },
    600_000,
  );
});
