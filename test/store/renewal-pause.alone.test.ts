import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { deriveIndex } from '../../src/records/search-index.js';
import { patientMaker } from '../../bench/synth/patient-maker.mjs';
import { storePatients } from '../../bench/synth/write-patients.mjs';
import { openEmbeddedStore } from '../../src/store/embedded-store.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { temporaryFolder } from './disk/temporary.js';
import { ownTime } from '../setup/cpu-time.js';
import { BASE, note } from './samples.js';

/** A pause that somebody who waits for an answer would notice. */
const MAX_PAUSE = 50;

test('a working set that is made anew beside the one in use takes its place without a pause over 50 ms, while queries are answered and writes are seen', async () => {
  const files = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => files.close());
  const { ontology } = await loadOntology(join(resolve(import.meta.dirname, '..', '..'), 'ontology'));
  const make = patientMaker({ ontology, seed: 'care', size: 'small', base: BASE, first: 1 });
  await storePatients(
    openPrimaryStore(files, BASE),
    Array.from({ length: 60 }, (_, index) => make(index)),
  );
  let limit = Infinity;
  const options = { directory: files, base: BASE, derive: deriveIndex(ontology) };
  const store = await openEmbeddedStore({ ...options, garbageLimit: () => limit });
  onTestFinished(() => store.close());
  let number = 0;
  /** The most work between two looks at the timers while the store is asked and written to, in milliseconds. */
  const longestPause = async (goesOn: (round: number) => boolean): Promise<number> => {
    let [longest, last] = [0, ownTime()];
    const watch = setInterval(() => {
      const now = ownTime();
      longest = Math.max(longest, now - last);
      last = now;
    }, 1);
    for (let round = 0; goesOn(round); round++) {
      const name = `${BASE}/records/1/notes/${number++ % 50}`;
      if (round % 20 === 0) await store.write({ replace: [note(name.slice(BASE.length), `${round}`)] });
      expect(await store.ask(`ASK { GRAPH <${name}> { ?s ?p ?o } }`)).toBe(store.primary.has(name));
      await wait(1);
    }
    clearInterval(watch);
    return longest;
  };
  // What else the machine does only ever makes pauses longer: what counts is the quietest attempt, and what it takes
  // on top of the quietest time without a working set in the making.
  const without: number[] = [];
  const during: number[] = [];
  const added = (): number => Math.min(...during) - Math.min(...without);
  for (let attempt = 1; attempt === 1 || (attempt <= 8 && added() >= MAX_PAUSE); attempt++) {
    without.push(await longestPause((round) => round < 100));
    limit = -1;
    await store.ready();
    expect(store.isRenewing).toBe(true);
    limit = Infinity;
    during.push(await longestPause(() => store.isRenewing));
    expect(store.renewals).toBe(attempt);
  }
  expect(added()).toBeLessThan(MAX_PAUSE);
});
