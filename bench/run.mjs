// Every benchmark in one run: each figure stands beside a peer or limit measured in the same process tree,
// since machines are noisy and absolute times prove little. Missed goals are named, and end with exit code 1.
import { coldList } from './http.mjs';
import { listGrowth } from './lists.mjs';
import { refusals } from './refusals.mjs';
import { nameSearch } from './search.mjs';
import { storeMemory, storeStart } from './store.mjs';

const few = process.argv.includes('--quick');
const benchmarks = [
  ['start-up', storeStart],
  ['memory', storeMemory],
  ['a cold list', coldList],
  ['growth of lists', () => listGrowth(few ? { many: 500 } : {})],
  ['search', nameSearch],
  ['refusals', refusals],
];

let missed = 0;
for (const [title, run] of benchmarks) {
  console.log(`\n${title}`);
  for (const { name, value, peer, ratio, goal, unit = '', atLeast, ok } of [await run()].flat()) {
    if (!ok) missed++;
    const figures = `${value.toPrecision(3)} against ${peer.toPrecision(3)} ${unit}`;
    const limit = `${ratio.toFixed(2)} × (goal ${atLeast ? 'at least' : 'at most'} ${goal})`;
    console.log(`  ${ok ? 'met   ' : 'MISSED'} ${limit.padEnd(32)} ${name}: ${figures}`);
  }
}
console.log(missed === 0 ? '\nAll goals are met.' : `\n${missed} goals are missed.`);
process.exitCode = missed === 0 ? 0 : 1;
