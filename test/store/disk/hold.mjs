// Holds a data directory for serving until it is killed.
import { holdForServing } from '../../../dist/store/disk/lock.js';

await holdForServing(process.argv[2]);
process.send?.('held');
if (!process.send) process.stdout.write('held\n');
setInterval(() => undefined, 1000);
