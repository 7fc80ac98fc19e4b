// How long each step of the way of a posted body keeps the process busy, for bodies as large as one may be in each
// dimension (1 MB, and the limits of a post): processor time, so that other load of the machine counts for nothing.
import { bodies, texts } from '../test/rdf/posted-bodies.mjs';
import { walk } from '../test/rdf/posted-walk.mjs';
import { short } from './lib/measure.mjs';

const MAX_BYTES = 1_000_000;
const rounds = 3;

/** The largest body of a kind that is still within a size. */
function largest(make) {
  let size = 1;
  while (Buffer.byteLength(make(size * 2).text) <= MAX_BYTES) size *= 2;
  for (let step = size / 2; step >= 1; step /= 2) {
    if (Buffer.byteLength(make(size + step).text) <= MAX_BYTES) size += step;
  }
  return size;
}

const wanted = process.argv[2];
for (const [name, make] of Object.entries({ ...bodies, ...texts })) {
  if (wanted !== undefined && wanted !== name) continue;
  const most = largest(make);
  // At the limit of triples and of JSON-LD values as well: a body that breaks them is refused early.
  for (const size of new Set([Math.min(most, name.startsWith('JSON-LD') ? 490 : 1_900), most])) {
    const body = make(size);
    const times = new Map();
    for (let round = 0; round < rounds; round++) {
      await walk(body, (step, ms) => times.set(step, Math.min(times.get(step) ?? Infinity, ms)));
    }
    const [worst, ms] = [...times].sort(([, a], [, b]) => b - a)[0];
    console.log(
      `${name.padEnd(38)} ${String(size).padStart(7)} ${short(body.text.length / 1000).padStart(6)} KB  ${worst.padEnd(9)} ${short(ms)} ms`,
    );
  }
}
