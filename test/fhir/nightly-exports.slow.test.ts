import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFhir } from '../../src/fhir/load-fhir.js';
import { pathsAt } from '../../src/store/past.js';
import { atOnce } from '../../src/store/steps.js';
import { base } from '../records/support.js';
import { everything, fhirPlace, fileOf, mapping, ontology, resources, type Resource } from './support.js';

/** What a server has: each resource in its latest version. */
type Server = Map<string, Resource>;
type Pick = <T>(from: readonly T[]) => T;
interface Step {
  readonly on: readonly string[];
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

const nameOf = ({ resourceType, id }: Resource): string => `${resourceType}/${String(id)}`;
const stamp = (night: number): string => `2026-01-${String(night + 1).padStart(2, '0')}T02:00:00Z`;
const version = (resource: Resource, night: number): Resource => ({
  ...resource,
  meta: { versionId: String(night + 1), lastUpdated: stamp(night) },
});

const { condition, request, taken, allergy, laboratory } = resources;
const inWords = { text: 'in words alone' };
/** What cannot become a statement of its class. */
const unmappable: readonly Resource[] = [
  { ...condition, id: 'c9', code: inWords },
  { ...request, id: 'm9', medicationCodeableConcept: inWords },
  { ...taken, id: 'm9', contained: [{ resourceType: 'Medication', id: 'drug', code: inWords }] },
  { ...allergy, id: 'a9', code: inWords },
  { ...laboratory, id: 'l9', code: inWords },
];

/** A resource whose code is one that maps again, or words alone from now on. */
const recoded = (resource: Resource): Resource =>
  JSON.stringify(resource.code) === JSON.stringify(inWords)
    ? { ...resource, code: resource.resourceType === 'Condition' ? condition.code : laboratory.code }
    : { ...resource, code: inWords };

/** The hand-written patient as often as is asked for, each with resources of its own. */
function people(count: number): Resource[] {
  return Array.from({ length: count }, (_, at) => at).flatMap((at) => {
    const text = JSON.stringify([...everything, ...unmappable])
      .replaceAll(/"id":"(?!drug")(\w+)"/gu, `"id":"$1-${at}"`)
      .replaceAll(/"reference":"([A-Z]\w+\/\w+)"/gu, `"reference":"$1-${at}"`)
      .replaceAll(/"url":"Binary\/b1"/gu, `"url":"Binary/b1-${at}"`)
      .replaceAll('npi|99', `npi|99${at}`)
      .replaceAll('"value":"99"', `"value":"99${at}"`);
    return JSON.parse(text) as Resource[];
  });
}

/** Patients of Synthea with references by type and id, as a bulk export has them; of each so many resources at most. */
function syntheaPeople(folder: string, count: number, most: number): Resource[] {
  const all = readdirSync(folder).sort();
  const names = [
    ...all.filter((name) => /^(?:hospital|practitioner)Information/u.test(name)),
    ...all.filter((name) => !/Information/u.test(name)).slice(0, count),
  ];
  return names.flatMap((name) => {
    const bundle = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      entry: { fullUrl: string; resource: Resource }[];
    };
    const byUrl = new Map(bundle.entry.map(({ fullUrl, resource }) => [fullUrl, nameOf(resource)]));
    const taken = bundle.entry
      .map(({ resource }) => resource)
      .filter(({ resourceType }) => mapping.elements.has(resourceType));
    return (/Information/u.test(name) ? taken : taken.slice(0, most)).map(
      (resource) =>
        JSON.parse(
          JSON.stringify(resource).replaceAll(/"urn:uuid:[0-9a-f-]+"/gu, (url) =>
            JSON.stringify(byUrl.get(url.slice(1, -1)) ?? url.slice(1, -1)),
          ),
        ) as Resource,
    );
  });
}

/** A correction that shows. */
function corrected(resource: Resource, night: number): Resource {
  const day = `2001-02-${String(night + 1).padStart(2, '0')}`;
  for (const name of [
    'onsetDateTime',
    'authoredOn',
    'effectiveDateTime',
    'occurrenceDateTime',
    'date',
    'recordedDate',
  ])
    if (typeof resource[name] === 'string') return { ...resource, [name]: day };
  return { ...resource, language: `x-${night}` };
}

const subjectOf = (resource: Resource): string | undefined => {
  const { subject, patient } = resource as {
    subject?: { reference?: string };
    patient?: { reference?: string };
  };
  return (subject ?? patient)?.reference;
};
const withSubject = (resource: Resource, reference: string): Resource => ({
  ...resource,
  [resource.subject === undefined ? 'patient' : 'subject']: { reference },
});

/** An export of a server: a file for each type, lines and files in some order, what was deleted in files of their own. */
function exported(
  server: Iterable<Resource>,
  deleted: readonly string[],
  night: number,
  pick: Pick,
): Step['files'] {
  const byType = new Map<string, Resource[]>();
  for (const each of server) byType.set(each.resourceType, [...(byType.get(each.resourceType) ?? []), each]);
  const files = [...byType].map(([type, all]) => ({
    name: `${night}/${type}.ndjson`,
    text: shuffled(all, pick)
      .map((each) => JSON.stringify(each))
      .join('\n'),
  }));
  const entry = deleted.map((url) => ({ request: { method: 'DELETE', url } }));
  const gone = {
    name: `${night}/deleted/1.ndjson`,
    text: JSON.stringify({
      resourceType: 'Bundle',
      type: 'transaction',
      meta: { lastUpdated: stamp(night) },
      entry,
    }),
  };
  return [...shuffled(files, pick), ...(entry.length > 0 ? [gone] : [])];
}

function shuffled<T>(list: readonly T[], pick: Pick): T[] {
  const keys = new Map(list.map((each) => [each, pick([1, 2, 3, 4, 5, 6, 7, 8])]));
  return [...list].sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
}

/** The nights of a week: what changes on the server, and what it exports. */
function* week(
  start: readonly Resource[],
  nights: number,
  pick: Pick,
): Generator<{ server: Server; step: Step }> {
  const server: Server = new Map(start.map((each) => [nameOf(each), version(each, 0)]));
  const earlier: Step['files'][] = [];
  const gone: Resource[] = [];
  for (let night = 0; night < nights; night++) {
    const changed = new Set<string>(night === 0 ? server.keys() : []);
    const deleted: string[] = [];
    const put = (resource: Resource): void => {
      server.set(nameOf(resource), version(resource, night));
      changed.add(nameOf(resource));
    };
    const clinical = (): Resource =>
      pick([...server.values()].filter((each) => subjectOf(each) !== undefined));
    const patients = [...server.values()].filter(
      ({ resourceType, link }) => resourceType === 'Patient' && link === undefined,
    );
    for (let change = 0; night > 0 && change < 6; change++) {
      const kind = pick(['correct', 'recode', 'error', 'delete', 'revive', 'move', 'merge'] as const);
      const found = clinical();
      if (kind === 'correct' || (kind === 'recode' && !canRecode(found))) put(corrected(found, night));
      else if (kind === 'recode') put(recoded(found));
      else if (kind === 'error') put({ ...found, status: 'entered-in-error', verificationStatus: undefined });
      else if (kind === 'delete') {
        server.delete(nameOf(found));
        changed.delete(nameOf(found));
        deleted.push(nameOf(found));
        gone.push(found);
      } else if (kind === 'revive' && gone.length > 0) {
        const back = pick(gone);
        if (server.has(nameOf(back)) || deleted.includes(nameOf(back))) continue;
        put(back);
      } else if (kind === 'move') put(withSubject(found, nameOf(pick(patients))));
      else if (kind === 'merge' && patients.length > 2 && change === 0) {
        const [old, next] = [pick(patients), pick(patients)];
        if (old === next) continue;
        put({ ...old, active: false, link: [{ other: { reference: nameOf(next) }, type: 'replaced-by' }] });
      }
    }
    // The last export is a whole one: of what a record shows only one, all that it is chosen from is needed.
    const isWhole = night === 0 || night === nights - 1 || pick([true, false]);
    const files = exported(
      isWhole
        ? server.values()
        : [...server.values()].filter((each) => changed.has(nameOf(each)) || isLookup(each)),
      deleted,
      night,
      pick,
    );
    // Some nights deliver an earlier export once more, before or after their own.
    const repeated = pick([undefined, undefined, ...earlier]);
    earlier.push(files);
    const all =
      repeated === undefined
        ? [files]
        : pick([
            [repeated, files],
            [files, repeated],
          ]);
    for (const each of all) yield { server, step: { on: [...changed], files: each } };
  }
}

/** Of others an older version stands where the newer one cannot be a statement, so the order of loads decides. */
const canRecode = ({ resourceType, category }: Resource): boolean =>
  resourceType === 'Condition' ||
  (resourceType === 'Observation' && JSON.stringify(category).includes('laboratory'));

const isLookup = ({ resourceType }: Resource): boolean => mapping.lookups.has(resourceType);

/** What is stored in all records: the lines of each statement. */
type Stored = Record<string, string[]>;

async function container() {
  const here = await fhirPlace();
  const load = async (files: Step['files']): Promise<void> => {
    const opened = files.map(({ name, text }) => fileOf(text, name));
    await loadFhir({ files: opened, primary: here.primary, ontology, mapping, base });
  };
  const stored = (): Stored => {
    const records = here.primary.names(`${base}/records/`).filter((name) => /\/records\/[^/]+$/u.test(name));
    return Object.fromEntries(
      records.flatMap((name) => {
        const id = name.slice(`${base}/records/`.length);
        return Object.entries(here.statements(id)).map(([path, lines]) => [`${id}/${path}`, lines]);
      }),
    );
  };
  return { ...here, load, stored };
}

async function expectWeek(start: readonly Resource[], nights: number, pick: Pick): Promise<void> {
  const here = await container();
  const moments: { revision: number; paths: string[] }[] = [];
  let last: Server = new Map();
  for (const { server, step } of week(start, nights, pick)) {
    await here.load(step.files);
    moments.push({ revision: here.primary.revision(''), paths: Object.keys(here.stored()).sort() });
    last = server;
  }
  const once = await container();
  const all = [...last.values()];
  await once.load(exported(all, [], 0, pick));
  expect(here.stored()).toEqual(once.stored());
  for (const { revision, paths } of moments) {
    const then = here.primary.directory.read((tx) => atOnce(pathsAt(tx, '/records', revision)));
    const past = then.map((path) => path.slice('/records/'.length)).filter((path) => path.includes('/'));
    expect(past.sort()).toEqual(paths);
  }
}

const seed = Number(process.env.CHARTGRAPH_TEST_SEED ?? Date.now());
const folder = join(process.env.CHARTGRAPH_TEST_PATIENTS ?? '', 'out', 'fhir');
/** How many patients, and of how many weeks; the default is what a test has time for. */
const size = Number(process.env.CHARTGRAPH_TEST_NIGHTLY_PATIENTS ?? 3);
const runs = Number(process.env.CHARTGRAPH_TEST_NIGHTLY_WEEKS ?? 1);

describe('a week of nightly exports with corrections, deletions, merges, repeats and in any order', () => {
  const property = (start: readonly Resource[], numRuns: number): Promise<void> =>
    fc.assert(
      fc.asyncProperty(fc.gen(), async (gen) => {
        const pick: Pick = (from) => gen(fc.constantFrom, ...from) as never;
        await expectWeek(start, 7, pick);
      }),
      { seed, numRuns, endOnFailure: true },
    );

  it(`leaves what one load of the last state does, and a history of each step (seed ${seed})`, async () => {
    await property(people(size), runs);
  }, 600_000);

  it.skipIf(!existsSync(folder))(
    `does so for patients of Synthea (seed ${seed})`,
    async () => {
      await property(syntheaPeople(folder, size, 150), 1);
    },
    600_000,
  );
});
