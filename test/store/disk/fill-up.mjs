// Writes until the disk takes no more, then closes; prints how many writes were acknowledged and why one was not.
import { randomBytes } from 'node:crypto';
import { openDataDirectory } from '../../../dist/store/disk/data-directory.js';

const directory = await openDataDirectory(process.argv[2], { create: true });
let acknowledged = 0;
let refusals = [];
for (let number = 0; number < 200 && refusals.length < 3; number++) {
  const value = randomBytes(20_000).toString('hex');
  await directory
    .transact((tx) => tx.put('graphs', `k${number}`, value))
    .then(
      () => acknowledged++,
      (error) => refusals.push(error.message),
    );
}
const kept = directory.read((tx) => [...tx.range('graphs', { values: false })].length);
await directory.close();
process.stdout.write(JSON.stringify({ acknowledged, kept, refusals }));
