// Acknowledged writes a second through GraphStore.write, 64 in flight, against a raw LMDB environment that puts the
// same bytes and waits until each is synced. One statement a write, as apps and people make them.
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { openEmbeddedStore } from '../../dist/store/embedded-store.js';
import { writeRelative } from '../../dist/store/relative-text.js';
import { patientMaker } from '../synth/patient-maker.mjs';
import { open } from 'lmdb';
import { base, FIRST, model, scratch } from '../lib/data.mjs';
import { figure, inFlight, median, short, spreadOf } from '../lib/measure.mjs';

export async function measure({ quick, rounds }) {
  const count = quick ? 2000 : 10_000;
  const graphs = [];
  const make = patientMaker({ ontology: model.ontology, seed: 'writes', size: 'small', base, first: FIRST });
  for (let n = 0; graphs.length < count; n++) graphs.push(...make(n).graphs.slice(1));
  graphs.length = count;
  const texts = [];
  for (const { name, quads } of graphs) texts.push(writeRelative(name, quads, base));
  const [ours, theirs] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const own = await throughStore(scratch(`writes-${round}`), graphs);
    const raw = await throughLmdb(scratch(`raw-${round}`), graphs, texts);
    if (round === 0) continue;
    ours.push(own);
    theirs.push(raw);
  }
  const bytes = texts.reduce((sum, text) => sum + text.length, 0) / count;
  return [
    figure('writes', median(ours) / median(theirs), {
      goal: 0.45,
      better: 'higher',
      spread: spreadOf(ours, theirs),
      details: [
        `${short(median(ours))} writes/s against ${short(median(theirs))}, ${short(bytes)} bytes each`,
      ],
    }),
  ];
}

async function throughStore(dir, graphs) {
  const directory = await openDataDirectory(dir, { create: true });
  const store = await openEmbeddedStore({ directory, base });
  const rate = await inFlight(graphs.length, (index) => store.write({ replace: [graphs[index]] }));
  await store.close();
  await directory.close();
  return rate;
}

async function throughLmdb(path, graphs, texts) {
  const root = open({
    path,
    noSubdir: false,
    encoding: 'string',
    // As ours: a commit returns when it is synced.
    overlappingSync: false,
    compression: { threshold: 500, dictionary: Buffer.alloc(0) },
  });
  const rate = await inFlight(graphs.length, (index) =>
    root.put(graphs[index].name.slice(base.length), texts[index]),
  );
  await root.close();
  return rate;
}
