// Remembers nonces until there is no room; prints how many it accepted, how one was refused, and what it then says of old ones.
import { openNonces } from '../../../dist/store/disk/nonces.js';

const nonces = await openNonces(process.argv[2]);
const soon = Date.now() + 300_000;
let accepted = 0;
let refusal;
for (let round = 0; round < 2000 && !refusal; round++) {
  const keys = Array.from({ length: 1000 }, (_, number) => `${round} ${number}`);
  const outcomes = await Promise.allSettled(keys.map((key) => nonces.remember(key, soon)));
  accepted += outcomes.filter(({ value }) => value === true).length;
  refusal = outcomes.find(({ reason }) => reason)?.reason;
}
const again = await Promise.allSettled(
  Array.from({ length: 1000 }, (_, number) => nonces.remember(`0 ${number}`, soon)),
);
const replayed = again.filter(({ value }) => value === true).length;
process.stdout.write(
  JSON.stringify({ accepted, status: refusal?.status, retry: refusal?.headers?.['Retry-After'], replayed }),
);
process.exit();
