// Holds a data directory for serving until it is killed.
import { holdForServing } from '../../dist/disk/lock.js';

await holdForServing(process.argv[2]);
process.send('held');
setInterval(() => undefined, 1000);
