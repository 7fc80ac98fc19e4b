// Holds the write lock of a data directory until it is killed: its transaction never ends.
import { openDataDirectory } from '../../../dist/store/disk/data-directory.js';

const directory = await openDataDirectory(process.argv[2]);
await directory.transact((tx) => {
  tx.put('graphs', '/long', 'x');
  process.send('writing');
  // The channel is written to in this very call; nothing else is waited for.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
