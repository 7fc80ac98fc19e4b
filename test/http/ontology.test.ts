import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isomorphic } from 'rdf-isomorphic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { owl, rdfs, sp } from '../../src/rdf/vocabulary.js';
import { sharedContainer, type TestContainer } from './container.js';

const root = resolve(import.meta.dirname, '../..');

/** Where `.ci/robot` has put ROBOT. */
const robot = join(process.env['CHARTGRAPH_TEST_ROBOT'] ?? '', 'lib');

let container: TestContainer;
let scratch: string;
beforeAll(async () => {
  container = await sharedContainer();
  scratch = await mkdtemp(join(tmpdir(), 'chartgraph-ontology-'));
});
afterAll(async () => {
  await container.stop();
  await rm(scratch, { recursive: true, force: true });
});

const served = async (accept: string): Promise<string> =>
  (await container.request('/ontology', { headers: { Accept: accept } })).text();

describe('the ontology that a container serves', () => {
  it('is that of its files, cardinalities included', async () => {
    const { quads } = await loadOntology(join(root, 'ontology'));
    const answered = await parseRdf(await served('text/turtle'), {
      format: 'turtle',
      baseIRI: container.url,
    });
    const bounds = (all: typeof quads): string[] =>
      all
        .filter(({ predicate }) => /cardinality$/iu.test(predicate.value))
        .map(({ object }) => (object.termType === 'Literal' ? object.datatype.value : object.value));
    expect(bounds(quads).length).toBeGreaterThan(100);
    expect(bounds(answered).sort()).toEqual(bounds(quads).sort());
    expect(isomorphic(answered, quads)).toBe(true);
  });
});

// ROBOT is a program in Java that Maven fetches: .ci/run fetches it where both are, and names its folder.
describe.skipIf(!existsSync(robot))('to the OWL API', () => {
  /** Runs commands of ROBOT one after the other. Gives what they print, '' where nothing is wrong. */
  const run = async (...args: string[]): Promise<string> => {
    const java = ['-Xmx700m', '-cp', join(robot, '*'), 'org.obolibrary.robot.CommandLineInterface'];
    const options = { cwd: scratch, maxBuffer: 64 * 1024 * 1024 };
    return promisify(execFile)('java', [...java, ...args], options).then(
      () => '',
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed: ${stdout}${stderr}`,
    );
  };
  const reason = ['reason', '--reasoner', 'HermiT', '--output', 'inferred.owl'];
  const profile = ['validate-profile', '--profile', 'DL', '--output', 'profile.txt'];

  it('the ontology in RDF/XML is one in OWL 2 DL, and consistent with no empty class to HermiT', async () => {
    await writeFile(join(scratch, 'served.owl'), await served('application/rdf+xml'));
    expect(await run(...profile, '--input', 'served.owl', ...reason)).toBe('');
  });

  it('a class without possible instances, and a property of two kinds, are found', async () => {
    const kinds = `<${sp.Problem}> a <${owl.Class}> . <${sp.Statement}> a <${owl.Class}> .`;
    const empty = `<${sp.Problem}> <${rdfs.subClassOf}> <${sp.Statement}> ; <${owl.disjointWith}> <${sp.Statement}> .`;
    const both = `<${sp.notes}> a <${owl.AnnotationProperty}> .`;
    await writeFile(join(scratch, 'empty.ttl'), `${kinds}\n${empty}\n`);
    await writeFile(join(scratch, 'both.ttl'), `${await served('text/turtle')}\n${both}\n`);
    expect(await run(...reason, '--input', 'empty.ttl')).toMatch(/^failed: .*unsatisfiable/isu);
    expect(await run(...profile, '--input', 'both.ttl')).toMatch(/^failed: .*profile violation/isu);
  });
});
