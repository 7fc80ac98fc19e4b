// Counts the work that the way of a posted body takes, for one dimension of it: executions of blocks of code, as V8's
// precise coverage counts them, and steps of iterators, which copies by `[...]` and `new Map()` consist of. Prints a
// JSON array: the work for n, 2n and 4n. Run by posted-work.test.ts, on the built program.
import { Session } from 'node:inspector';
import { bodies } from './posted-bodies.mjs';
import { walk } from './posted-walk.mjs';

let steps = 0;
for (const iterable of [[], new Map(), new Set()]) {
  const prototype = Object.getPrototypeOf(iterable[Symbol.iterator]());
  const { next } = prototype;
  prototype.next = function () {
    steps++;
    return next.call(this);
  };
}

async function count(body) {
  const session = new Session();
  session.connect();
  const post = (method, params) =>
    new Promise((resolve, reject) =>
      session.post(method, params, (error, result) => (error ? reject(error) : resolve(result))),
    );
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  steps = 0;
  await walk(body);
  const iterated = steps;
  const { result } = await post('Profiler.takePreciseCoverage');
  await post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const blocks = result.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
  return iterated + blocks.reduce((sum, each) => sum + each.count, 0);
}

const [dimension, size] = [process.argv[2], Number(process.argv[3])];
// Once before: what is loaded or made at the first time counts for nothing.
await walk(bodies[dimension](10));
const work = [];
for (const factor of [1, 2, 4]) work.push(await count(bodies[dimension](size * factor)));
process.stdout.write(JSON.stringify(work));
