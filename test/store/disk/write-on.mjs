// Writes ascending numbers into a data directory, each in a transaction of its own, until it is killed.
import { openDataDirectory } from '../../../dist/store/disk/data-directory.js';

const directory = await openDataDirectory(process.argv[2]);
for (let number = 1; ; number++) {
  await directory.transact((tx) => tx.put('meta', 'number', number));
  if (number === 1) process.send('writing');
}
