// Has a data directory open until it is killed.
import { openDataDirectory } from '../../../dist/store/disk/data-directory.js';

await openDataDirectory(process.argv[2]);
process.stdout.write('open\n');
setInterval(() => undefined, 1000);
