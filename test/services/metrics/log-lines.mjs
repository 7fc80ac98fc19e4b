// Logs lines now and then, and once its input ends, says how many bytes its memory grows by. With --expose-gc.
import { text as untilEnd } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { containerLog } from '../../../dist/services/metrics/container-log.js';

const ROUNDS = 60;
const LINES = 500;
const taken = () => {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const log = containerLog();
const text = 'x'.repeat(500);
const round = async () => {
  for (let line = 0; line < LINES; line++) log.info({ text }, 'é');
  await wait(5);
};
for (let at = 0; at < 5; at++) await round();
await untilEnd(process.stdin);
// Whether lines are read is found out when some are written.
for (let at = 0; at < 5; at++) await round();
const before = taken();
for (let at = 0; at < ROUNDS; at++) await round();
process.stdout.write(String(taken() - before));
