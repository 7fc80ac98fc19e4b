// Changes the data key of a shared store, and is killed after the second step.
import { openDataDirectory } from '../../../dist/store/disk/data-directory.js';
import { readSecretKeyNow } from '../../../dist/store/disk/key-file.js';
import { addDataKey } from '../../../dist/store/disk/keyring.js';

const [dir, store] = process.argv.slice(2);
const directory = await openDataDirectory(dir, { store });
await directory.changeKeys((keys) => addDataKey(keys, readSecretKeyNow(dir, process.env)));
let steps = 0;
await directory.resealAll(() => {
  if (++steps === 2) process.kill(process.pid, 'SIGKILL');
});
