// HAPI's FHIR server on loopback, with H2 in memory: `.ci/fhir-server DIR` fetches it, and CHARTGRAPH_TEST_FHIR_SERVER
// names that folder.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './data.mjs';
import { ended, freePort, JAVA_MEMORY, untilAnswers, works } from './engines.mjs';

/** It takes some 40 seconds of the processor until it answers. */
const START_SECONDS = 240;
/** Bundles that are stored at a time, as there are cores. */
const AT_ONCE = 2;

/** Whether it can be started. */
export const hasFhirServer = () =>
  existsSync(join(process.env.CHARTGRAPH_TEST_FHIR_SERVER ?? '', 'classes', 'FhirServer.class')) &&
  works('java', '-version');

/** Starts it, with nothing in it. @returns { url, pid, store, stop } */
export async function startFhirServer() {
  const dir = process.env.CHARTGRAPH_TEST_FHIR_SERVER;
  const port = await freePort();
  const classPath = `${join(dir, 'classes')}:${join(dir, 'lib')}/*`;
  const child = spawn('java', [JAVA_MEMORY, '-cp', classPath, 'FhirServer', String(port)], {
    cwd: scratch('.'),
    stdio: 'ignore',
  });
  const url = `http://localhost:${port}`;
  const stop = () => ended(child);
  await untilAnswers(`${url}/fhir/Patient?_summary=count`, child, START_SECONDS).catch(async (error) => {
    if (child.exitCode === null) await stop();
    throw error;
  });
  return { url, pid: child.pid, store: (bundles) => store(`${url}/fhir/`, bundles), stop };
}

/**
 * Stores transactions of a text each: those that others refer to in their order, then patients.
 * @returns the id that the server gave to each patient, by the id in the bundle
 */
async function store(url, { shared, people }) {
  const ids = new Map();
  const post = async (body) => {
    const headers = { 'Content-Type': 'application/fhir+json' };
    const response = await fetch(url, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`the FHIR server answered a bundle with ${response.status}`);
    const { entry } = await response.json();
    JSON.parse(body).entry.forEach(({ resource }, index) => {
      const { location } = entry[index].response;
      if (resource.resourceType === 'Patient') ids.set(resource.id, /^Patient\/([^/]+)/.exec(location)[1]);
    });
  };
  for (const bundle of shared) await post(bundle);
  const left = people.values();
  const some = async () => {
    for (const bundle of left) await post(bundle);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  return ids;
}
