// Remembers keys that another process remembers at the same time, and says how many were new to it.
import { openNonces } from '../../../dist/store/disk/nonces.js';

const [, , dir, count] = process.argv;
const nonces = await openNonces(dir);
let accepted = 0;
for (let number = 0; number < Number(count); number++) {
  if (await nonces.remember(`key ${number}`, Date.now() + 300_000)) accepted++;
}
process.send(accepted);
setInterval(() => undefined, 1000);
