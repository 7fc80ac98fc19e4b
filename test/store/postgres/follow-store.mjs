// Another process of a gateway: brings the copy up to date all the time.
import { openDataDirectory } from '../../../dist/store/disk/data-directory.js';

const [dir, store] = process.argv.slice(2);
const directory = await openDataDirectory(dir, { store });
process.send('ready');
for (;;) await directory.current();
